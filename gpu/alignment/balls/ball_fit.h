// Calibration from the centres of balls in the views of a turning phantom.
#pragma once

#include <array>
#include <vector>

#include "core/base/error.h"
#include "core/base/geometry.h"

namespace tl::ops {

// A ball in one view: centre [px from the detector's, along +u and +v], integral of its absorption, its area [px].
struct BallImage {
  int64_t view = 0;
  double u = 0, v = 0, mass = 0, area = 0;
};

// What balls could determine. Angles [rad], lengths [mm], shifts [px].
//
// The pitch stays as it is: moving every point x to x / (1 + c z), z along the rotation axis, keeps the plane of the
// sources, and does to all views what a pitch does, to first order. Balls at unknown places do not show it.
enum class BallUnknown { axis, height, tilt, yaw, pitch, source_to_detector };
inline constexpr std::size_t ball_unknowns = 6;

struct BallFit {
  std::array<double, ball_unknowns> value{}, sigma{};
  std::vector<Vec3> balls;      // centres [mm]; the scale is that of the given distance from source to axis
  std::vector<int64_t> counts;  // views in which each ball was used
  double rms = 0;               // of what is left, per coordinate [px]
  int64_t left_out = 0;         // images that belong to no ball, or overlap
  [[nodiscard]] double at(BallUnknown u) const { return value[static_cast<std::size_t>(u)]; }
  [[nodiscard]] double sigma_of(BallUnknown u) const { return sigma[static_cast<std::size_t>(u)]; }
};

struct BallFitParams {
  double reach = 8;  // by how much [px] the nominal orbit may miss a ball
};

// The same scan by a yaw of the detector in place of a shift of the source along u, which ScanGeometry::orbit() gives,
// with the object's heights from the plane of the source. Its other deviations and its shifts per view are kept.
Orbit facing_the_source(const Orbit& orbit, const DetectorShape& detector);

// Of a circular cone-beam orbit without source shift (facing_the_source()) whose angles and distance from source to
// axis are known: `nominal` is near the others. Images are assigned to balls by where the nominal orbit sees a point in
// most views; then the centres of all balls and what is unknown of the orbit are fitted to all images (Y. Cho et al.,
// Med. Phys. 32, 2005; F. Noo et al., Phys. Med. Biol. 45, 2000; K. Yang et al., Med. Phys. 33, 2006, who solve it for
// ellipses), by Gauss and Newton, and those that are more than four times the rms off are left out. Errors: fewer than
// three balls in most views.
Result<BallFit> fit_balls(const std::vector<BallImage>& images, const Orbit& nominal, const DetectorShape& detector,
                          const BallFitParams& params = {});

// The view vectors of the fit.
Result<ScanGeometry> geometry_of(const BallFit& fit, const Orbit& nominal, const DetectorShape& detector);

}  // namespace tl::ops
