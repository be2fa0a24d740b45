// Removes stripes by sorting, one sinogram at a time; columns and ranks are distributed over threads.
#include "gpu/correction/stripes/sorting.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <string>

#include "gpu/correction/sinograms.h"
#include "gpu/correction/stripes/sorted_columns.h"
#include "gpu/device/launch.h"
#include "gpu/operator/forward_mode.h"

namespace tl::ops {
namespace {

// The flat index of the new value of each pixel (for autograd), or the values themselves.
template <class T>
at::Tensor run(const at::Tensor& x, const StripeSortingSpec& spec) {
  const int64_t views = x.size(0), rows = x.size(1), cols = x.size(2);
  const bool differentiable = is_differentiated(x);
  const at::Tensor plain = x.detach().contiguous();
  const T* data = plain.const_data_ptr<T>();
  at::Tensor out =
      at::empty(x.sizes(), differentiable ? x.options().dtype(at::kLong).requires_grad(false) : plain.options());
  SortedColumns<T> sinogram(views, cols);
  for (int64_t row = 0; row < rows; ++row) {
    spec.cancel.check();
    sinogram.sort(data + row * cols, rows * cols);
    const auto flat = [=](int64_t view, int64_t col) { return (view * rows + row) * cols + col; };
    if (differentiable) {
      auto* target = out.mutable_data_ptr<int64_t>();
      sinogram.smooth(spec.size, [=](int64_t, int64_t v, int64_t c, int64_t from_v, int64_t from_c) {
        target[flat(v, c)] = flat(from_v, from_c);
      });
    } else {
      T* target = out.mutable_data_ptr<T>();
      sinogram.smooth(spec.size, [=](int64_t, int64_t v, int64_t c, int64_t from_v, int64_t from_c) {
        target[flat(v, c)] = data[flat(from_v, from_c)];
      });
    }
  }
  return differentiable ? x.contiguous().view(-1).index_select(0, out.view(-1)).view(x.sizes()) : out;
}

constexpr int64_t values_on_device = int64_t{1} << 22;  // sorted at a time, with 8-byte indices

// Torch sorts, the functor finds the medians; a gather by index provides values and gradients.
template <class T>
at::Tensor some_rows_on_device(const at::Tensor& x, const StripeSortingSpec& spec) {
  spec.cancel.check();
  const int64_t views = x.size(0), rows = x.size(1), cols = x.size(2);
  const auto [sorted, order] = at::sort(x.detach().permute({1, 2, 0}).contiguous(), /*stable=*/true, 2, false);
  at::Tensor from = at::empty(x.sizes(), order.options());
  launch(x.device(),
         RankMedian<T>{sorted.template const_data_ptr<T>(), order.template const_data_ptr<int64_t>(), views, rows, cols,
                       spec.size, from.mutable_data_ptr<int64_t>()},
         x.numel());
  return x.contiguous().view(-1).index_select(0, from.view(-1)).view(x.sizes());
}

template <class T>
at::Tensor run_on_device(const at::Tensor& x, const StripeSortingSpec& spec) {
  const int64_t rows = x.size(1), at_once = std::clamp<int64_t>(values_on_device / (x.size(0) * x.size(2)), 1, rows);
  if (is_differentiated(x)) return some_rows_on_device<T>(x, spec);
  at::Tensor out = at::empty(x.sizes(), x.options().requires_grad(false));
  for (int64_t row = 0; row < rows; row += at_once) {
    const int64_t count = std::min(at_once, rows - row);
    out.narrow(1, row, count).copy_(some_rows_on_device<T>(x.narrow(1, row, count), spec));
  }
  return out;
}

}  // namespace

int64_t default_stripe_size(int64_t cols) {
  if (cols > 2000) return 21;
  return std::max<int64_t>(5, cols / 100) | 1;
}

Result<at::Tensor> remove_stripes_by_sorting(const at::Tensor& projections, const StripeSortingSpec& spec) {
  const std::string where = "stripe removal";
  TL_TRY(check_projections_on_any_device(projections, where));
  TL_TRY(check_window(spec.size, "columns", where));
  if (projections.numel() == 0) return projections;
  if (runs_functors(projections, where))
    return projections.scalar_type() == at::kFloat ? run_on_device<float>(projections, spec)
                                                   : run_on_device<double>(projections, spec);
  return projections.scalar_type() == at::kFloat ? run<float>(projections, spec) : run<double>(projections, spec);
}

}  // namespace tl::ops
