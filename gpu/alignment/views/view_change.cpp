// Applies changes of single views to the vectors of a scan.
#include "gpu/alignment/views/view_change.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace tl::ops {
namespace {

Vec3 rotated_about_z(const Vec3& a, double c, double s) { return {c * a.x - s * a.y, s * a.x + c * a.y, a.z}; }

void change_view(View& w, ViewChange kind, double value) {
  switch (kind) {
    case ViewChange::angle: {
      const double c = std::cos(value), s = std::sin(value);
      for (Vec3* a : {&w.beam, &w.detector, &w.u, &w.v}) *a = rotated_about_z(*a, c, s);
      return;
    }
    case ViewChange::roll: {
      const double pu = norm(w.u), pv = norm(w.v), c = std::cos(value), s = std::sin(value);
      const Vec3 u = w.u;
      w.u = c * u + (s * pu / pv) * w.v;
      w.v = c * w.v - (s * pv / pu) * u;
      return;
    }
    case ViewChange::magnification:
      w.u = (1 / (1 + value)) * w.u;
      w.v = (1 / (1 + value)) * w.v;
      return;
    case ViewChange::shift_u: w.detector = w.detector - value * w.u; return;
    case ViewChange::shift_v: w.detector = w.detector - value * w.v; return;
  }
}

// Shifts are counted in the pixels that the other changes leave.
constexpr std::array order = {ViewChange::angle, ViewChange::roll, ViewChange::magnification, ViewChange::shift_u,
                              ViewChange::shift_v};

}  // namespace

std::string_view to_string(ViewChange kind) {
  switch (kind) {
    case ViewChange::shift_u: return "shift_u";
    case ViewChange::shift_v: return "shift_v";
    case ViewChange::roll: return "roll";
    case ViewChange::angle: return "angle";
    case ViewChange::magnification: break;
  }
  return "magnification";
}

Unit unit_of(ViewChange kind) {
  switch (kind) {
    case ViewChange::shift_u:
    case ViewChange::shift_v: return Unit::px;
    case ViewChange::roll:
    case ViewChange::angle: return Unit::rad;
    case ViewChange::magnification: break;
  }
  return Unit::none;
}

double natural_step(ViewChange kind, const DetectorShape& detector) {
  if (kind == ViewChange::shift_u || kind == ViewChange::shift_v) return 1;
  return 2.0 / static_cast<double>(std::max(detector.rows, detector.cols));
}

std::vector<double> ViewChanges::list(std::size_t kind) const {
  std::vector<double> all;
  for (std::size_t i = 0; i < views(); ++i) all.push_back(at(i, kind));
  return all;
}

std::size_t ViewChanges::find(ViewChange kind) const {
  return static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin());
}

ViewChanges no_changes(std::vector<ViewChange> kinds, int64_t views) {
  std::vector<double> zeros(kinds.size() * static_cast<std::size_t>(views), 0.0);
  return {std::move(kinds), std::move(zeros)};
}

Result<ScanGeometry> changed(const ScanGeometry& geometry, const ViewChanges& changes) {
  const auto views = static_cast<std::size_t>(geometry.views());
  if (changes.kinds.size() * views != changes.values.size())
    return invalid(std::to_string(changes.values.size()) + " changes for " + std::to_string(views) + " views",
                   "changes of views");
  std::vector<View> all;
  all.reserve(views);
  for (std::size_t i = 0; i < views; ++i) {
    View w = geometry.view(static_cast<int64_t>(i));
    for (const ViewChange kind : order)
      if (const std::size_t k = changes.find(kind); k < changes.kinds.size()) change_view(w, kind, changes.at(i, k));
    all.push_back(w);
  }
  return ScanGeometry::from_views(geometry.beam(), geometry.detector(), std::move(all));
}

}  // namespace tl::ops
