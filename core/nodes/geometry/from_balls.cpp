// core/nodes/geometry/from_balls.cpp: geometry of a cone beam from a scan of a phantom of balls.
#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/node/node_builder.h"
#include "core/nodes/nominal_orbit.h"
#include "gpu/alignment/balls/ball_images.h"

namespace tl::geometry_from_balls_node {

using ops::BallUnknown;

struct Params {
  std::optional<double> threshold;
  double reach = 8;
  int64_t first = 0, second = 1;
  std::optional<Length> distance;
};

// The outputs, in the order of BallUnknown; a value is resolved if its sigma is below `enough` [stored unit; for a
// distance, relative].
struct Output {
  const char *name, *title;
  Unit unit;
  double enough;
};
constexpr std::array<Output, ops::ball_unknowns> outputs{
    {{"axis", "Rotation axis, pixels from the detector centre.", Unit::px, 0.1},
     {"height", "Height of the orbit's plane, pixels from the detector centre along +v; with a pitch only in part.",
      Unit::px, 0.5},
     {"tilt", "Tilt of the rotation axis in the detector plane.", Unit::rad, 0.1 * pi / 180},
     {"yaw", "Rotation of the detector about its columns.", Unit::rad, 0.5 * pi / 180},
     {"pitch", "Rotation of the detector about its rows: not resolved, 0.", Unit::rad, 0},
     {"source_to_detector", "Distance from source to detector.", Unit::mm, 0.01}}};

bool is_resolved(const ops::BallFit& fit, BallUnknown u) {
  if (u == BallUnknown::pitch) return false;
  const Output& o = outputs[static_cast<std::size_t>(u)];
  const double scale = u == BallUnknown::source_to_detector ? fit.at(u) : 1;
  return fit.sigma_of(u) < o.enough * scale;
}

Result<void> check(const Params& p, const Infos& in) {
  const auto& scan = scan_of(in);
  if (scan.kind != PixelKind::absorption && scan.kind != PixelKind::thickness)
    return invalid("balls are looked for in absorption, and the scan is " + std::string(to_string(scan.kind)),
                   "projections", "Put the flat-field node before this one");
  const auto orbit = scan.geometry.orbit();
  if (!orbit || orbit->beam != Beam::cone)
    return invalid("this needs a cone beam and a circular scan", "projections",
                   "Give angles and approximate distances in the set-geometry node");
  TL_TRY(require_nominal(*orbit, "this calibration", "Remove the node that sets them"));
  if (scan.geometry.views() < 6) return invalid("fewer than 6 views", "projections", "Use more of the scan");
  if (p.distance && p.first == p.second)
    return invalid("a known length must be between two different balls", "second", "Number balls from the top, from 0");
  return ok();
}

Result<Regions> needs(const Params&, const Infos& in) {
  return Regions{{"projections", full_region(in.at("projections"))}};
}

double number(const Findings& found, const char* name) {
  return std::get<Scalar>(found.values.at(name)).value.item<double>();
}

Result<Infos> infos(const Params&, const Infos& in, const Findings* found) {
  ProjectionsInfo scan = scan_of(in);
  if (found == nullptr) {
    scan.pending = true;
    return Infos{{"projections", scan}};
  }
  const auto orbit = scan.geometry.orbit();
  TL_CHECK(orbit.has_value(), "check() lets circular scans pass only");
  // Scales all distances in proportion, with an ideally aligned detector.
  Orbit scaled = ops::facing_the_source(*orbit, scan.geometry.detector());
  scaled.source_to_axis = number(*found, "source_to_axis");
  ops::BallFit fit;
  for (std::size_t k = 0; k < outputs.size(); ++k) fit.value[k] = number(*found, outputs[k].name);
  TL_TRY(scan.geometry, ops::geometry_of(fit, scaled, scan.geometry.detector()));
  return Infos{{"projections", scan}};
}

Table table_of(const ops::BallFit& fit, const std::vector<std::size_t>& order, double scale) {
  Table t{{{"ball", Unit::none, {}},
           {"x", Unit::mm, {}},
           {"y", Unit::mm, {}},
           {"z", Unit::mm, {}},
           {"views", Unit::none, {}}}};
  for (std::size_t n = 0; n < order.size(); ++n) {
    const Vec3 p = scale * fit.balls[order[n]];
    const std::array<double, 5> row{static_cast<double>(n), p.x, p.y, p.z, static_cast<double>(fit.counts[order[n]])};
    for (std::size_t c = 0; c < row.size(); ++c) t.columns[c].values.push_back(row[c]);
  }
  return t;
}

std::string counted(int64_t n, const char* what) { return std::to_string(n) + " " + what; }

Result<Findings> measure(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const auto stated = in.geometry.orbit();
  TL_CHECK(stated.has_value(), "check() lets circular scans pass only");
  const Orbit orbit = ops::facing_the_source(*stated, in.geometry.detector());
  const ops::BallImages images = ops::ball_images(in.data, p.threshold.value_or(0));
  const std::string left_out = (images.overlapping > 0 ? "; " + counted(images.overlapping, "images overlap") : "") +
                               (images.leaving > 0 ? "; " + counted(images.leaving, "images leave the field") : "");
  Result<ops::BallFit> all = ops::fit_balls(images.balls, orbit, in.geometry.detector(), {p.reach});
  if (!all.ok()) {
    Error e = all.error();
    e.what += left_out;
    return e;
  }
  const ops::BallFit& fit = all.value();
  std::vector<std::size_t> order(fit.balls.size());
  for (std::size_t n = 0; n < order.size(); ++n) order[n] = n;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return fit.balls[a].z > fit.balls[b].z; });
  double scale = 1, share = 0;  // share: one sigma of the scale, relative
  if (p.distance) {
    const auto most = static_cast<int64_t>(order.size());
    if (p.first >= most || p.second >= most)
      return invalid(std::to_string(most) + " balls were found", p.first >= most ? "first" : "second",
                     "Balls are numbered from the top, from 0");
    const std::size_t one = order[static_cast<std::size_t>(p.first)], other = order[static_cast<std::size_t>(p.second)];
    const double between = norm(fit.balls[one] - fit.balls[other]);
    scale = p.distance->value / between;
    // Uncertainty of the positions of both balls, and of the detector distance, which scales all distances.
    const double place = fit.rms * in.geometry.detector().pitch_u / in.geometry.magnification() /
                         std::sqrt(static_cast<double>(std::min(fit.counts[one], fit.counts[other])));
    share = std::hypot(std::sqrt(2.0) * place / between,
                       fit.sigma_of(BallUnknown::source_to_detector) / fit.at(BallUnknown::source_to_detector));
  }
  Findings found;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const auto u = static_cast<BallUnknown>(k);
    found.values[outputs[k].name] = Scalar{at::scalar_tensor(fit.at(u), at::kDouble), outputs[k].unit, fit.sigma_of(u),
                                           is_resolved(fit, u) ? Verdict::resolved : Verdict::flat};
  }
  found.values["source_to_axis"] =
      Scalar{at::scalar_tensor(scale * orbit.source_to_axis, at::kDouble), Unit::mm,
             share * scale * orbit.source_to_axis, p.distance ? Verdict::resolved : Verdict::flat};
  found.values["balls"] = table_of(fit, order, scale);
  r.message(LogLevel::info, counted(static_cast<int64_t>(fit.balls.size()), "balls, rms ") +
                                format_quantity(fit.rms, Unit::px) + left_out +
                                "; the pitch of the detector is not resolved and taken as 0" +
                                (p.distance ? "" : "; the scale is given by the distance from source to axis"));
  return found;
}

Result<void> run(const Params&, NodeRun& r) {
  Projections out = r.in<Projections>("projections");
  if (out.vectors.defined())
    return invalid("a node before this one learns the geometry", {}, "Remove this node while learning");
  TL_TRY(const Infos made, infos({}, r.infos, r.findings));
  out.geometry = std::get<ProjectionsInfo>(made.at("projections")).geometry.crop(std::get<ScanRegion>(r.region));
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("geometry.from_balls", 1).title("Geometry from balls").category("Alignment").partition(Partition::pointwise);
  n.summary("Finds axis, tilt, yaw of the detector and distance of the source from a scan of a phantom of balls.");
  n.description(
      "Finds the centres of balls in every view, assigns them to balls by the geometry stored in the scan, and fits "
      "the orbit and the centres to all of them. Angles of the views are not fitted, nor is the distance from source "
      "to axis, unless a known distance between two balls determines the scale. A pitch of the detector cannot be "
      "distinguished from other positions of the balls, and is assumed to be 0. Balls that overlap or leave the field "
      "in a view are left out there; three at several heights are needed, in most views.");
  n.cite(
      "Y. Cho et al., Accurate technique for complete geometric calibration of cone-beam CT systems, Med. Phys. 32 "
      "(2005) 968");
  n.cite(
      "F. Noo et al., Analytic method based on identification of ellipse parameters for scanner calibration in "
      "cone-beam tomography, Phys. Med. Biol. 45 (2000) 3489");
  n.cite("K. Yang et al., A geometric calibration method for cone beam CT systems, Med. Phys. 33 (2006) 1695");
  n.synonyms(
      {"calibration", "ball phantom", "bead phantom", "cone beam calibration", "source distance", "rotation axis"});
  n.input<Projections>("projections", "Absorption of a phantom of balls, cone beam.");
  n.output<Projections>("projections", "The same pixels with the geometry found.");
  for (const Output& o : outputs) n.output<Scalar>(o.name, o.title);
  n.output<Scalar>("source_to_axis", "Distance from source to axis: from the known length, else as given.");
  n.output<Table>("balls", "Centres of the balls from the top, and in how many views each was used.");
  n.param("threshold", "Threshold", &Params::threshold)
      .range(1e-9, 1e9)
      .automatic("half of the largest absorption")
      .help("Absorption above which a pixel belongs to a ball.");
  n.advanced_param("reach", "Reach", &Params::reach)
      .range(0.1, 1e4, Unit::px)
      .help("By how much the geometry that the scan states may miss a ball; less than half the distance between them.");
  n.advanced_param("distance", "Known distance", &Params::distance)
      .range(1e-6, 1e6, Unit::mm)
      .automatic("none: the distance from source to axis gives the scale")
      .help("Distance between the centres of two balls.");
  n.advanced_param("first", "From ball", &Params::first).at_least(0).help("Number of a ball, from the top, from 0.");
  n.advanced_param("second", "To ball", &Params::second).at_least(0).help("Number of the other ball.");
  n.check(check).infos(infos).measure(needs, measure).run(run);
}

}  // namespace tl::geometry_from_balls_node

TL_NODE(geometry_from_balls)
