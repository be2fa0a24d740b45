// Stripe removal by sorting, one sinogram at a time; columns and ranks are shared out to the threads.
#include "gpu/ops/stripe_sorting.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace tl::ops {
namespace {

template <class T>
struct Sample {
  T value;
  int32_t view;
};

// NaN last; equal values in the order of the views, so that the result is unique.
template <class T>
bool before(T a, T b) {
  return a < b || (std::isnan(b) && !std::isnan(a));
}

// Column index beyond the edges: c b a | a b c d | d c b.
int64_t mirrored(int64_t c, int64_t cols) {
  const int64_t period = 2 * cols, wrapped = ((c % period) + period) % period;
  return wrapped < cols ? wrapped : period - 1 - wrapped;
}

// One entry of the median window: a value and the column it is from.
template <class T>
struct Entry {
  T value;
  int64_t col;
  bool operator<(const Entry& o) const { return before(value, o.value) || (!before(o.value, value) && col < o.col); }
};

// Columns whose medians are chosen along one rank: chosen[c] is the column that holds the median around c. The window
// is kept sorted while it moves.
template <class T, class Value>
void running_median(const Value& value, int64_t cols, int64_t size, std::vector<Entry<T>>& window, int64_t* chosen) {
  const int64_t half = size / 2;
  const auto entry = [&](int64_t c) {
    const int64_t inside = mirrored(c, cols);
    return Entry<T>{value(inside), inside};
  };
  window.clear();
  for (int64_t c = -half; c <= half; ++c) window.push_back(entry(c));
  std::sort(window.begin(), window.end());
  for (int64_t c = 0; c < cols; ++c) {
    chosen[c] = window[static_cast<std::size_t>(half)].col;
    window.erase(std::lower_bound(window.begin(), window.end(), entry(c - half)));
    const Entry<T> next = entry(c + half + 1);
    window.insert(std::upper_bound(window.begin(), window.end(), next), next);
  }
}

// Source index of every pixel of one sinogram: out[view * cols + col] = view' * cols + col'.
template <class T>
class Sinogram {
 public:
  Sinogram(int64_t views, int64_t cols) : views_(views), cols_(cols), sorted_(static_cast<std::size_t>(views * cols)) {}

  void sort(const T* data, int64_t stride) {
    at::parallel_for(0, cols_, 16, [&](int64_t first, int64_t last) {
      // View by view, so that neighbouring columns are read together.
      for (int64_t v = 0; v < views_; ++v)
        for (int64_t c = first; c < last; ++c) sorted_[at(c, v)] = {data[v * stride + c], static_cast<int32_t>(v)};
      for (int64_t c = first; c < last; ++c)
        std::sort(sorted_.begin() + c * views_, sorted_.begin() + (c + 1) * views_,
                  [](const Sample<T>& a, const Sample<T>& b) {
                    return before(a.value, b.value) || (!before(b.value, a.value) && a.view < b.view);
                  });
    });
  }
  // emit(view, col, source view, source col) for every pixel.
  template <class Emit>
  void smooth(int64_t size, const Emit& emit) const {
    at::parallel_for(0, views_, 16, [&](int64_t first, int64_t last) {
      std::vector<int64_t> chosen(static_cast<std::size_t>(cols_));
      std::vector<Entry<T>> window;
      for (int64_t rank = first; rank < last; ++rank) {
        running_median<T>([&](int64_t c) { return sorted_[at(c, rank)].value; }, cols_, size, window, chosen.data());
        for (int64_t c = 0; c < cols_; ++c) {
          const int64_t from = chosen[static_cast<std::size_t>(c)];
          emit(sorted_[at(c, rank)].view, c, sorted_[at(from, rank)].view, from);
        }
      }
    });
  }

 private:
  [[nodiscard]] std::size_t at(int64_t col, int64_t rank) const {
    return static_cast<std::size_t>(col * views_ + rank);
  }
  int64_t views_, cols_;
  std::vector<Sample<T>> sorted_;  // [col, rank]
};

// Index into the flat tensor of the value that each pixel takes (for autograd), or the values themselves.
template <class T>
at::Tensor run(const at::Tensor& x, const StripeSortingSpec& spec) {
  const int64_t views = x.size(0), rows = x.size(1), cols = x.size(2);
  const bool differentiable = x.requires_grad() && c10::GradMode::is_enabled();
  const at::Tensor plain = x.detach().contiguous();
  const T* data = plain.const_data_ptr<T>();
  at::Tensor out =
      at::empty(x.sizes(), differentiable ? x.options().dtype(at::kLong).requires_grad(false) : plain.options());
  Sinogram<T> sinogram(views, cols);
  for (int64_t row = 0; row < rows; ++row) {
    spec.cancel.check();
    sinogram.sort(data + row * cols, rows * cols);
    const auto flat = [=](int64_t view, int64_t col) { return (view * rows + row) * cols + col; };
    if (differentiable) {
      auto* target = out.mutable_data_ptr<int64_t>();
      sinogram.smooth(spec.size, [=](int64_t v, int64_t c, int64_t from_v, int64_t from_c) {
        target[flat(v, c)] = flat(from_v, from_c);
      });
    } else {
      T* target = out.mutable_data_ptr<T>();
      sinogram.smooth(spec.size, [=](int64_t v, int64_t c, int64_t from_v, int64_t from_c) {
        target[flat(v, c)] = data[flat(from_v, from_c)];
      });
    }
  }
  return differentiable ? x.contiguous().view(-1).index_select(0, out.view(-1)).view(x.sizes()) : out;
}

}  // namespace

int64_t default_stripe_size(int64_t cols) {
  if (cols > 2000) return 21;
  return std::max<int64_t>(5, cols / 100) | 1;
}

Result<at::Tensor> stripe_sorting(const at::Tensor& projections, const StripeSortingSpec& spec) {
  const std::string where = "stripe removal";
  if (!projections.defined() || projections.dim() != 3 ||
      (projections.scalar_type() != at::kFloat && projections.scalar_type() != at::kDouble))
    return invalid("the projections are not a float tensor [view, row, col]", where);
  if (!projections.device().is_cpu()) return unavailable("stripe removal runs on the processor only", where);
  if (spec.size < 1 || spec.size % 2 == 0 || spec.size > (int64_t{1} << 20))
    return invalid("the window is " + std::to_string(spec.size) + " columns", where, "Choose an odd number, 5 to 101");
  if (projections.size(0) > std::numeric_limits<int32_t>::max()) return invalid("too many views", where);
  if (projections.numel() == 0) return projections;
  return projections.scalar_type() == at::kFloat ? run<float>(projections, spec) : run<double>(projections, spec);
}

}  // namespace tl::ops
