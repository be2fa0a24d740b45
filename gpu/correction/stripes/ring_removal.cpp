// Removes rings from reconstructed slices: polar sampling, radial median, average along circles, sampling back.
#include "gpu/correction/stripes/ring_removal.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/units.h"
#include "gpu/correction/sinograms.h"
#include "gpu/correction/stripes/sorted_columns.h"
#include "gpu/correction/view_resampling.h"
#include "gpu/device/parallel_for.h"
#include "gpu/filtering/fft_size.h"

namespace tl::ops {
namespace {

// The two resamplings: slice -> polar [angle, radius], and rings -> slice.
struct PolarMaps {
  OperatorPtr to_polar, to_slice;
  at::Tensor inside;  // [y, x] bool
  int64_t angles = 0, radii = 0;
};

// Circles at half-integer radii, one voxel apart; the rings have one additional angle, so that they close.
PolarMaps make_maps(int64_t rows, int64_t cols, const RingRemovalSpec& spec, double radius) {
  PolarMaps m;
  m.radii = std::max<int64_t>(2, static_cast<int64_t>(std::ceil(radius)));
  m.angles = fft_length(std::max<int64_t>(16, std::llround(2 * pi * radius)));
  const at::Tensor r = (at::arange(m.radii, at::kDouble) + 0.5).view({1, m.radii});
  const at::Tensor t =
      (at::arange(m.angles, at::kDouble) * (2 * pi / static_cast<double>(m.angles))).view({m.angles, 1});
  m.to_polar = make_resampling(
      {{1, rows, cols}, spec.centre_row + r * t.sin(), spec.centre_col + r * t.cos(), OutsideValue::edge, spec.cancel});
  const at::Tensor y = (at::arange(rows, at::kDouble) - spec.centre_row).view({rows, 1}).expand({rows, cols});
  const at::Tensor x = (at::arange(cols, at::kDouble) - spec.centre_col).view({1, cols}).expand({rows, cols});
  const at::Tensor distance = (x.square() + y.square()).sqrt();
  m.inside = distance.le(radius);
  const at::Tensor turn = at::atan2(y, x) * (static_cast<double>(m.angles) / (2 * pi));
  m.to_slice = make_resampling({{1, m.angles + 1, m.radii},
                                at::where(turn.lt(0), turn + static_cast<double>(m.angles), turn),
                                distance - 0.5,
                                OutsideValue::edge,
                                spec.cancel});
  return m;
}

// Source indices of the median over `size` radii around each point, mirrored at both ends; a gather, so that gradients
// pass.
template <class T>
at::Tensor median_sources(const at::Tensor& polar, int64_t size) {
  const int64_t angles = polar.size(0), radii = polar.size(1);
  at::Tensor source = at::empty({angles, radii}, at::kLong);
  const T* x = polar.const_data_ptr<T>();
  auto* target = source.mutable_data_ptr<int64_t>();
  ops::parallel_for(0, angles, 16, [&](int64_t first, int64_t last) {
    std::vector<WindowEntry<T>> window;
    for (int64_t a = first; a < last; ++a)
      running_median<T>([&](int64_t r) { return x[a * radii + r]; }, radii, size, window, target + a * radii);
  });
  return source;
}

at::Tensor along_circles(const at::Tensor& polar, double arcs) {
  if (arcs == 0) return polar.mean(at::IntArrayRef{0}, true).expand_as(polar);
  const int64_t angles = polar.size(0);
  const at::Tensor f = at::arange(angles / 2 + 1, polar.options().dtype(at::kDouble));
  const at::Tensor keep = (f.square() * (-0.5 / (arcs * arcs))).exp().to(polar.scalar_type()).unsqueeze(1);
  return at::fft_irfft(at::fft_rfft(polar, std::nullopt, 0) * keep, angles, 0);
}

double usual_limit(const at::Tensor& deviations) {
  const at::Tensor sizes = deviations.detach().abs().reshape({-1});
  return 3 * 1.4826 * sizes.nan_to_num(0).median().item<double>();
}

// Difference of each ray from its radial median.
at::Tensor deviations_of(const at::Tensor& polar, int64_t size) {
  const at::Tensor plain = polar.detach().contiguous();
  const at::Tensor source =
      plain.scalar_type() == at::kFloat ? median_sources<float>(plain, size) : median_sources<double>(plain, size);
  return polar - polar.gather(1, source);
}

at::Tensor rings_of(const at::Tensor& slice, const PolarMaps& maps, const RingRemovalSpec& spec) {
  at::Tensor deviations =
      deviations_of(tl::apply(maps.to_polar, slice.unsqueeze(0).contiguous()).squeeze(0), spec.size);
  // Limit 0 means that at least half of the slice has no deviation; then every deviation counts as a ring.
  const double limit = spec.limit ? *spec.limit : usual_limit(deviations);
  if (limit > 0) deviations = deviations.clamp(-limit, limit);
  return along_circles(deviations, spec.arcs);
}

at::Tensor without_rings(const at::Tensor& slice, const PolarMaps& maps, const RingRemovalSpec& spec) {
  const at::Tensor rings = rings_of(slice, maps, spec);
  const at::Tensor closed = at::cat({rings, rings.narrow(0, 0, 1)}).unsqueeze(0).contiguous();
  return at::where(maps.inside, slice - tl::apply(maps.to_slice, closed).squeeze(0), slice);
}

}  // namespace

Result<at::Tensor> remove_rings(const at::Tensor& slices, const RingRemovalSpec& spec) {
  const std::string where = "ring removal";
  if (!slices.defined() || slices.dim() != 3 ||
      (slices.scalar_type() != at::kFloat && slices.scalar_type() != at::kDouble))
    return invalid("the volume is not a float tensor [z, y, x]", where);
  if (!slices.device().is_cpu()) return unavailable("ring removal runs on the CPU only", where);
  TL_TRY(check_window(spec.size, "voxels", where));
  if (!(spec.arcs >= 0) || !(spec.radius >= 0) || (spec.limit && !(*spec.limit > 0)))
    return invalid("arcs and radius must not be negative, the limit must be positive", where);
  if (slices.numel() == 0) return slices;
  const int64_t rows = slices.size(1), cols = slices.size(2);
  const double nearest = std::min({spec.centre_row, spec.centre_col, static_cast<double>(rows - 1) - spec.centre_row,
                                   static_cast<double>(cols - 1) - spec.centre_col}) +
                         0.5;
  if (!(nearest > 0))
    return invalid("the rotation axis lies outside of the slices", where, "Reconstruct slices that contain the axis");
  const PolarMaps maps = make_maps(rows, cols, spec, spec.radius > 0 ? spec.radius : nearest);
  return map_slices(slices, 0, spec.cancel, [&](const at::Tensor& slice) { return without_rings(slice, maps, spec); });
}

}  // namespace tl::ops
