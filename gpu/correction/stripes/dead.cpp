// Removes unresponsive and fluctuating stripes: finds columns by their variation along the views and interpolates them;
// combines all of Vo's methods.
#include "gpu/correction/stripes/dead.h"

#include <ATen/ATen.h>

#include <cmath>

#include "gpu/correction/sinograms.h"
#include "gpu/correction/stripes/column_values.h"
#include "gpu/correction/stripes/sorting.h"
#include "gpu/device/parallel_for.h"
#include "gpu/image/mirrored_index.h"

namespace tl::ops {
namespace {

// Half to twice the variation of the neighbours is attributed to the object. As a logarithm: ln 2.
constexpr double min_change = 0.69314718055994531;
constexpr double silent = 1e-6;  // smallest relative variation, so that its logarithm is finite

// Sum over the views of |x - moving average of x| per column.
template <class T>
std::vector<double> variation(const at::Tensor& sinogram, int64_t size) {
  const int64_t views = sinogram.size(0), cols = sinogram.size(1), half = size / 2;
  const T* x = sinogram.const_data_ptr<T>();
  std::vector<double> out(static_cast<std::size_t>(cols), 0.0);
  ops::parallel_for(0, cols, 64, [&](int64_t first, int64_t last) {
    std::vector<double> sum(static_cast<std::size_t>(last - first), 0.0);
    const auto add = [&](int64_t view, double sign) {
      const T* line = x + mirrored_index(view, views) * cols;
      for (int64_t c = first; c < last; ++c)
        sum[static_cast<std::size_t>(c - first)] += sign * static_cast<double>(line[c]);
    };
    for (int64_t v = -half; v <= half; ++v) add(v, 1);
    for (int64_t v = 0; v < views; ++v) {
      for (int64_t c = first; c < last; ++c)
        out[static_cast<std::size_t>(c)] +=
            std::abs(static_cast<double>(x[v * cols + c]) -
                     sum[static_cast<std::size_t>(c - first)] / static_cast<double>(size));
      add(v - half, -1);
      add(v + half + 1, 1);
    }
  });
  return out;
}

// Columns whose variation differs strongly from that of their neighbours.
std::vector<uint8_t> odd_columns(const at::Tensor& sinogram, const DeadStripeSpec& spec) {
  const at::Tensor plain = sinogram.contiguous();
  const std::vector<double> own = plain.scalar_type() == at::kFloat ? variation<float>(plain, spec.view_window)
                                                                    : variation<double>(plain, spec.view_window);
  const std::vector<double> usual = median_filtered(own, spec.size);
  double level = 0;
  for (const double v : usual) level = std::max(level, v);
  std::vector<double> ratio;
  for (std::size_t c = 0; c < own.size(); ++c) {
    // If the neighbours do not vary either, no statement is possible.
    const bool known = usual[c] > silent * level && level > 0;
    ratio.push_back(known ? std::log(std::max(own[c] / usual[c], silent)) : 0.0);
  }
  return detect_stripes(ratio, {spec.snr, min_change});
}

}  // namespace

at::Tensor interpolated_columns(const at::Tensor& sinogram, const std::vector<uint8_t>& marked) {
  const std::vector<ColumnNeighbours> gaps = gaps_between(marked);
  const std::vector<int64_t> columns = indices_of(marked);
  if (gaps.empty() || columns.empty()) return sinogram;
  std::vector<int64_t> left, right;
  std::vector<double> share;
  for (const int64_t c : columns) {
    const ColumnNeighbours& gap = gaps[static_cast<std::size_t>(c)];
    left.push_back(gap.left);
    right.push_back(gap.right);
    share.push_back(gap.share);
  }
  const at::Tensor weight = at::tensor(share, at::kDouble).to(sinogram.scalar_type());
  const at::Tensor a = columns_at(sinogram, left), b = columns_at(sinogram, right);
  return with_columns(sinogram, columns, a + weight * (b - a));
}

Result<StripeRemovalResult> remove_dead_stripes(const at::Tensor& projections, const DeadStripeSpec& spec) {
  const std::string where = "removal of dead stripes";
  TL_TRY(check_projections(projections, where));
  TL_TRY(check_window(spec.size, "columns", where));
  TL_TRY(check_window(spec.view_window, "views", where));
  if (!(spec.snr > 0)) return invalid("the sensitivity must be positive", where);
  StripeRemovalResult result;
  result.projections = map_sinograms(projections, spec.cancel, [&](const at::Tensor& sinogram) {
    const std::vector<uint8_t> found = odd_columns(sinogram.detach(), spec);
    int64_t count = 0;
    for (const uint8_t f : found) count += f;
    result.columns += count;
    return count == 0 ? sinogram : interpolated_columns(sinogram, with_neighbour_columns(found));
  });
  return result;
}

Result<StripeRemovalResult> remove_all_stripes(const at::Tensor& projections, const AllStripesSpec& spec) {
  const std::string where = "removal of all stripes";
  TL_TRY(check_projections(projections, where));
  TL_TRY(check_window(spec.large_size, "columns", where));
  TL_TRY(check_window(spec.small_size, "columns", where));
  if (!(spec.snr > 0)) return invalid("the sensitivity must be positive", where);
  DeadStripeSpec dead;
  dead.snr = spec.snr;
  dead.size = spec.large_size;
  LargeStripeSpec large;
  large.snr = spec.snr;
  large.size = spec.large_size;
  large.model = spec.model;
  large.levels = spec.levels;
  StripeSortingSpec small;
  small.size = spec.small_size;
  StripeRemovalResult result;
  result.projections = map_sinograms(projections, spec.cancel, [&](const at::Tensor& sinogram) {
    const StripeRemovalResult alive = remove_dead_stripes(sinogram.unsqueeze(1), dead).or_throw();
    const StripeRemovalResult level = remove_large_stripes(alive.projections, large).or_throw();
    result.columns += alive.columns + level.columns;
    return remove_stripes_by_sorting(level.projections, small).or_throw().squeeze(1);
  });
  return result;
}

}  // namespace tl::ops
