// Takes positions of source and detector into the metadata of a scan.
#include "core/io/scans/stated_views.h"

#include <cmath>

#include "core/base/units.h"
#include "core/base/vec3.h"

namespace tl::io {
namespace {

// Mean of what a view gives.
template <class Of>
double mean_of(const std::vector<View>& views, const Of& of) {
  double sum = 0;
  for (const View& view : views) sum += of(view);
  return sum / static_cast<double>(views.size());
}

}  // namespace

Result<void> state_views(Beam beam, const std::vector<View>& views, Origin origin, const std::string& source,
                         ScanInfo& info) {
  const std::string where = info.path.string();
  const char* hint = "Copy the geometry again from its source";
  if (views.empty()) return invalid("the geometry holds no view", where, hint);
  info.beam = beam;
  info.vectors = {{}, origin, source};
  info.angles = {{}, origin, source + (beam == Beam::cone ? " (of the source)" : " (of the beam)")};
  for (const View& view : views) {
    for (const Vec3& v : {view.beam, view.detector, view.u, view.v})
      for (const double number : {v.x, v.y, v.z}) info.vectors->value.push_back(number);
    double angle = beam == Beam::cone ? std::atan2(view.beam.x, -view.beam.y) : std::atan2(-view.beam.x, view.beam.y);
    if (!info.angles.value.empty()) {
      const double before = info.angles.value.back();
      angle += 2 * pi * std::round((before - angle) / (2 * pi));
    }
    info.angles.value.push_back(angle);
  }
  for (const double number : info.vectors->value)
    if (!std::isfinite(number)) return invalid("the geometry has numbers that are not finite", where, hint);
  const auto mean = [&](const auto& of) { return Found<double>{mean_of(views, of), origin, source + " (mean)"}; };
  if (beam == Beam::cone) {
    info.source_to_axis = mean([](const View& n) { return std::hypot(n.beam.x, n.beam.y); });
    info.axis_to_detector = mean([](const View& n) { return std::hypot(n.detector.x, n.detector.y); });
  }
  info.pixel_size_u = mean([](const View& n) { return norm(n.u); });
  info.pixel_size_v = mean([](const View& n) { return norm(n.v); });
  if (info.pixel_size_u.value > 0 && info.pixel_size_v.value > 0) return ok();
  return invalid("the geometry has pixels without a size", where, hint);
}

Result<void> check_views_stay_as_stated(const ScanChoices& c, Beam beam, const std::filesystem::path& path) {
  if (c.order == FrameOrder::sinograms)
    return invalid("the frames are views, not sinograms", path.string(), "Leave the order of the frames to the file");
  if (c.gives_angles() || c.source_to_axis || c.axis_to_detector || c.beam.value_or(beam) != beam)
    return invalid("the geometry file states where source and detector are in every view", path.string(),
                   "Leave angles, beam and distances to it; or read the frames as the format tiff_stack");
  return ok();
}

}  // namespace tl::io
