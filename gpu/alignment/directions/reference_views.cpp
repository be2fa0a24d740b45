// Slices the transform of the reference.
#include "gpu/alignment/directions/reference_views.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "gpu/alignment/directions/sphere.h"
#include "gpu/device/parallel_for.h"
#include "gpu/filtering/fourier_volume/fourier_projector.h"

namespace tl::ops {
namespace {

constexpr int64_t views_together = 512;

// Working images are twice as fine as their frequencies ask for; a little more than these is sliced.
constexpr double used_frequencies = 0.55;

FourierSampling sampling_of(const ReferenceSpec& spec, const std::vector<Vec3>& directions) {
  const int64_t pixels = 2 * spec.edge;
  const double pitch = spec.detector.pitch_u * static_cast<double>(spec.detector.cols) / static_cast<double>(pixels);
  std::vector<View> views;
  for (const Vec3 d : directions) {
    const ImageAxes axes = upright_axes(d);
    views.push_back({-1 * d, spec.grid.centre, pitch * axes.right, pitch * axes.up});
  }
  FourierSampling s;
  s.geometry = ScanGeometry::from_views(Beam::parallel, {pixels, pixels, pitch, pitch}, std::move(views)).or_throw();
  s.grid = spec.grid;
  s.cutoff = used_frequencies;
  s.cancel = spec.cancel;
  return s;
}

}  // namespace

ImageAxes upright_axes(Vec3 d) {
  const double across = std::hypot(d.x, d.y);
  const double ca = across > 0 ? d.x / across : 1, sa = across > 0 ? d.y / across : 0;
  return {{d.z * ca, d.z * sa, -across}, {-sa, ca, 0}, d};
}

Vec3 carried(Vec3 v, Vec3 from, Vec3 to) {
  const Vec3 sum = from + to;
  return v - (dot(sum, v) / (1 + dot(from, to))) * sum + (2 * dot(from, v)) * to;
}

ImageAxes rotated_in_plane(const ImageAxes& axes, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * axes.right + s * axes.up, c * axes.up - s * axes.right, axes.towards};
}

ReferenceViews::ReferenceViews(const ReferenceSpec& spec)
    : edge_(spec.edge),
      spacing_(0.4 * pi / static_cast<double>(spec.parts)),
      polar_(spec.edge, 3 * spec.edge),
      directions_(icosahedral_directions(2 * spec.parts)) {
  for (const Vec3 d : icosahedral_directions(spec.parts)) coarse_.push_back(nearest_direction(directions_, d));
}

Result<ReferenceViews> ReferenceViews::make(const ReferenceSpec& spec) {
  TL_CHECK(spec.edge % 4 == 0 && spec.edge <= spec.detector.cols && spec.parts >= 1, "sizes that the caller checks");
  if (!spec.volume.isfinite().all().item<bool>())
    return invalid("the reference has values that are not finite numbers", "volume",
                   "Mask or replace them, for example by a circular mask");
  ReferenceViews views(spec);
  TL_TRY(views.project(spec));
  return views;
}

Result<void> ReferenceViews::project(const ReferenceSpec& spec) {
  const auto count = static_cast<int64_t>(directions_.size()), pixels = 2 * edge_;
  images_ = at::empty({count, pixels, pixels}, at::kFloat);
  TL_TRY(const OperatorPtr projector, make_fourier_projector(sampling_of(spec, directions_)));
  const at::Tensor all = projector->apply(spec.volume);
  for (int64_t first = 0; first < count; first += views_together) {
    spec.cancel.check();
    const int64_t together = std::min(views_together, count - first);
    images_.narrow(0, first, together).copy_(working_images(all.narrow(0, first, together), edge_));
  }
  std::vector<double> norms(static_cast<std::size_t>(count));
  auto* pixel = images_.mutable_data_ptr<float>();
  ops::parallel_for(0, count, 16, [&](int64_t begin, int64_t end) {
    std::vector<float> samples(static_cast<std::size_t>(polar_.numbers()));
    for (int64_t i = begin; i < end; ++i) {
      float* image = pixel + i * pixels * pixels;
      polar_.sample(image, 0, 0, 0, samples.data());
      double sum = 0, squares = 0;
      for (int64_t ring = 0; ring < polar_.rings(); ++ring)
        for (int64_t a = 0; a < polar_.angles(); ++a) {
          const double value = samples[static_cast<std::size_t>(ring * polar_.angles() + a)];
          sum += polar_.area(ring) * value;
          squares += polar_.area(ring) * value * value;
        }
      const double mean = sum / polar_.whole_area();
      const double norm = std::sqrt(std::max(0.0, squares - mean * sum));
      norms[static_cast<std::size_t>(i)] = norm;
      const double scale = norm > 0 ? 1 / norm : 0;
      for (int64_t p = 0; p < pixels * pixels; ++p) image[p] = static_cast<float>((image[p] - mean) * scale);
    }
  });
  const auto [least, most] = std::minmax_element(norms.begin(), norms.end());
  constexpr double nothing = 1e-6;  // of the strongest projection: rounding
  if (!(*most > 0) || *least < nothing * *most)
    return invalid("projections of the reference show nothing within the images' circle", "volume",
                   "Connect a volume of the object, with the voxel size of the images' pixels");
  return ok();
}

int64_t ReferenceViews::bytes(const ReferenceSpec& spec) {
  const int64_t directions = 40 * spec.parts * spec.parts + 2;
  constexpr int64_t copies = 3;  // as they were projected, as working images, as spectra
  return copies * directions * 4 * spec.edge * spec.edge * static_cast<int64_t>(sizeof(float));
}

}  // namespace tl::ops
