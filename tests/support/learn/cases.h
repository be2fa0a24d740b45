// Cases of learning other than the axis of a slice, with their true values: small ones for tests, full ones for
// benchmarks.
#pragma once

#include <ATen/ATen.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/learn/learner/learner.h"
#include "tests/support/learn/scans.h"
#include "tests/support/phantom_source.h"

namespace tl::test {

struct LearnCase {
  Graph graph;
  learn::Settings settings;
};

inline void link(Graph& g, const std::string& from, const std::string& from_port, const std::string& to,
                 const std::string& to_port) {
  g.links.push_back({from, from_port, to, to_port});
}

struct JitterScan {
  int64_t views = 60, rows = 40, cols = 96;
  double photons = 1e4, jitter = 3, drift = 4;
  double height = 0.45;    // of the phantom: 0.27 cols times this is half of its height
  double density = 0.027;  // chosen so that the largest line integral is about 1.5
  int64_t seed = 1, rays = 1;
};

// Shifts of every view, unknown to the geometry: found from the moments of the views.
inline LearnCase jitter_case(const JitterScan& s) {
  LearnCase c;
  c.graph.nodes["scan"] = {"test.phantom",
                           1,
                           {{"views", s.views},
                            {"rows", s.rows},
                            {"cols", s.cols},
                            {"jitter", Number{s.jitter, Unit::px}},
                            {"drift", Number{s.drift, Unit::px}},
                            {"photons", Number{s.photons, Unit::none}},
                            {"density", Number{s.density, Unit::none}},
                            {"seed", s.seed},
                            {"rays", s.rays},
                            {"height", Number{s.height, Unit::none}}}};
  c.graph.nodes["shifts"] = {
      "geometry.set",
      1,
      {{"axis", Number{0, Unit::px}}, {"shift_u", NumberList{{0}, Unit::px}}, {"shift_v", NumberList{{0}, Unit::px}}}};
  c.graph.nodes["moments"] = {"objective.moments", 1, {{"mass", Number{0, Unit::none}}}};
  link(c.graph, "scan", "projections", "shifts", "projections");
  link(c.graph, "shifts", "projections", "moments", "projections");
  c.settings.targets = {target("shifts", "shift_u"), target("shifts", "shift_v")};
  c.settings.objective = {"moments", "loss"};
  return c;
}

// x without its components along some directions.
inline at::Tensor without(at::Tensor x, std::vector<at::Tensor> directions) {
  for (std::size_t i = 0; i < directions.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      directions[i] = directions[i] - (directions[i] * directions[j]).sum() * directions[j];
    directions[i] = directions[i] / directions[i].norm();
    x = x - (x * directions[i]).sum() * directions[i];
  }
  return x;
}
inline double rms(const at::Tensor& x) { return std::sqrt(x.square().mean().item<double>()); }

// Deviations [px] of found shifts from the true ones, without components that no data can determine: sinusoidal shifts
// across the axis, a common one along it.
struct JitterDeviations {
  at::Tensor across, along;  // [view]
};
inline JitterDeviations jitter_deviations(const LearnCase& c, const learn::Learned& l) {
  Executor e(registry(), {});
  const Orbit truth = std::get<Projections>(e.pull(c.graph, "scan", "projections").or_throw()).geometry.orbit().value();
  const auto line = [](const std::vector<double>& v) { return at::tensor(at::ArrayRef<double>(v), at::kDouble); };
  const at::Tensor t = line(truth.angles);
  // The scan's own orbit counts a constant shift as a part of its axis: the axis is a common shift of all views.
  return {without(line(l.found[0].value) - (line(truth.shift_u) + truth.axis), {t.cos(), t.sin()}),
          without(line(l.found[1].value) - line(truth.shift_v), {at::ones_like(t)})};
}
struct JitterErrors {
  double across, along;  // rms
};
inline JitterErrors jitter_errors(const LearnCase& c, const learn::Learned& l) {
  const JitterDeviations d = jitter_deviations(c, l);
  return {rms(d.across), rms(d.along)};
}

struct PhaseScan {
  double delta_over_beta = 300, start = 100;
  double photons = 1e3;  // of the contact scan
  int64_t seed = 1, views = 20, rows = 40, cols = 96;
};

// delta/beta of a material: the views at a distance, with many photons, are filtered so that they equal those in
// contact, with few.
inline LearnCase phase_case(const PhaseScan& s) {
  LearnCase c;
  const std::map<std::string, ParamValue> views = {{"views", s.views},
                                                   {"rows", s.rows},
                                                   {"cols", s.cols},
                                                   {"kind", std::string("transmission")},
                                                   {"pixel", Number{0.02, Unit::mm}},
                                                   {"density", Number{0.027, Unit::none}},
                                                   {"height", Number{0.45, Unit::none}},
                                                   {"rays", int64_t{2}}};
  c.graph.nodes["distance"] = {"test.phantom", 1, views};
  c.graph.nodes["distance"].params["delta_over_beta"] = Number{s.delta_over_beta, Unit::none};
  c.graph.nodes["contact"] = {"test.phantom", 1, views};
  c.graph.nodes["contact"].params["photons"] = Number{s.photons, Unit::none};
  c.graph.nodes["contact"].params["seed"] = s.seed;
  c.graph.nodes["paganin"] = {
      "phase.paganin", 1, {{"delta_over_beta", Number{s.start, Unit::none}}, {"output", std::string("transmission")}}};
  c.graph.nodes["error"] = {"objective.data_error", 1, {}};
  link(c.graph, "distance", "projections", "paganin", "projections");
  link(c.graph, "paganin", "projections", "error", "projections");
  link(c.graph, "contact", "projections", "error", "measured");
  c.settings.targets = {target("paganin", "delta_over_beta")};
  c.settings.objective = {"error", "loss"};
  return c;
}

struct ConeScan {
  int64_t views = 60, rows = 40, cols = 48;
  double photons = 0, axis = 1.3, tilt = 0.8, start_distance = 190;
  double height = 0.8;
};

// Source distance, detector offset and tilt from views that the reconstruction did not use. Truth: 200 mm.
inline LearnCase cone_case(const ConeScan& s) {
  LearnCase c;
  c.graph.nodes["scan"] = {"test.phantom",
                           1,
                           {{"views", s.views},
                            {"rows", s.rows},
                            {"cols", s.cols},
                            {"beam", std::string("cone")},
                            {"range", Number{360, Unit::deg}},
                            {"axis", Number{s.axis, Unit::px}},
                            {"tilt", Number{s.tilt, Unit::deg}},
                            {"photons", Number{s.photons, Unit::none}},
                            {"density", Number{0.03, Unit::none}},
                            {"height", Number{s.height, Unit::none}}}};
  c.graph.nodes["geometry"] = {"geometry.set",
                               1,
                               {{"axis", Number{0, Unit::px}},
                                {"tilt", Number{0, Unit::deg}},
                                {"source_to_axis", Number{s.start_distance, Unit::mm}}}};
  c.graph.nodes["others"] = {"geometry.select_views", 1, {{"give", std::string("others")}}};
  c.graph.nodes["picked"] = {"geometry.select_views", 1, {}};
  c.graph.nodes["fdk"] = {"recon.fdk", 1, {}};
  c.graph.nodes["reprojection"] = {"objective.reprojection", 1, {}};
  link(c.graph, "scan", "projections", "geometry", "projections");
  link(c.graph, "geometry", "projections", "others", "projections");
  link(c.graph, "geometry", "projections", "picked", "projections");
  link(c.graph, "others", "projections", "fdk", "projections");
  link(c.graph, "picked", "projections", "reprojection", "projections");
  link(c.graph, "fdk", "volume", "reprojection", "volume");
  c.settings.targets = {target("geometry", "axis"), target("geometry", "tilt"), target("geometry", "source_to_axis")};
  c.settings.objective = {"reprojection", "loss"};
  c.settings.survey = learn::Survey::none;
  return c;
}

struct LeaningScan {
  double axis = 2.3, lean = 3;  // [px], [deg] along the beam, unknown to the geometry
  double turn = 180, photons = 1e4;
  int64_t seed = 1, views = 120, rows = 56, cols = 96, lines = 9;
};

// Axis and tilt of a scan whose axis leans along the beam: no value fits.
inline LearnCase leaning_case(const LeaningScan& s) {
  LearnCase c;
  c.graph.nodes["scan"] = {"test.phantom",
                           1,
                           {{"views", s.views},
                            {"rows", s.rows},
                            {"cols", s.cols},
                            {"range", Number{s.turn, Unit::deg}},
                            {"axis", Number{s.axis, Unit::px}},
                            {"lean", Number{s.lean, Unit::deg}},
                            {"photons", Number{s.photons, Unit::none}},
                            {"density", Number{0.027, Unit::none}},
                            {"seed", s.seed},
                            {"rays", int64_t{2}}}};
  c.graph.nodes["axis"] = {"geometry.set", 1, {{"axis", Number{0, Unit::px}}, {"tilt", Number{0, Unit::deg}}}};
  c.graph.nodes["objective"] = {"objective.wedge", 1, {{"where", std::string("spread")}, {"rows", s.lines}}};
  link(c.graph, "scan", "projections", "axis", "projections");
  link(c.graph, "axis", "projections", "objective", "projections");
  c.settings.targets = {target("axis", "axis"), target("axis", "tilt")};
  c.settings.objective = {"objective", "loss"};
  return c;
}

struct TiltScan {
  double axis = 2.3, tilt = 0.7;  // [px], [deg]
  double photons = 1e4;
  int64_t seed = 1, views = 120, rows = 64, cols = 96, lines = 9;
  std::string phantom = "shepp_logan_3d";  // nearly round: a tilt hardly changes its projections
  int64_t rays = 1;  // per pixel edge; edges need several, otherwise they lie on whole pixels and look untilted
};

// Axis and tilt of a half turn from lines all over the detector.
inline LearnCase tilt_case(const TiltScan& s) {
  LearnCase c;
  AxisScan scan;
  scan.beam = Beam::parallel;
  scan.turn = 180;
  scan.axis = s.axis;
  scan.tilt = s.tilt;
  scan.views = s.views;
  scan.rows = s.rows;
  scan.cols = s.cols;
  scan.photons = s.photons;
  scan.attenuation = 1;
  scan.seed = s.seed;
  c.graph = axis_graph(scan, "objective.wedge");
  c.graph.nodes["simulate"].params["phantom"] = s.phantom;
  c.graph.nodes["simulate"].params["rays"] = s.rays;
  c.graph.nodes["simulate"].params["size"] = Number{0.9, Unit::none};
  c.graph.nodes["objective"].params = {{"where", std::string("spread")}, {"rows", s.lines}};
  c.settings.targets = {target("axis", "axis"), target("axis", "tilt")};
  c.settings.objective = {"objective", "loss"};
  return c;
}

}  // namespace tl::test
