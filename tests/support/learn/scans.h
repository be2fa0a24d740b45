// Pipelines that simulate a scan with a misplaced axis and score it, for the tests of learning.
#pragma once

#include <string>

#include "core/graph/graph.h"
#include "core/learn/learner/learner.h"
#include "core/run/executor.h"

namespace tl::test {

struct AxisScan {
  Beam beam = Beam::cone;
  double turn = 360;  // [deg]
  double axis = 3, start = 0, tilt = 0;
  int64_t views = 120, rows = 1, cols = 128;
  double photons = 1e4, attenuation = 0.3;  // line integral through the middle, approximately
  int64_t seed = 1;
};

// simulate -> flat_field -> axis (geometry.set) -> objective
inline Graph axis_graph(const AxisScan& s, const std::string& objective) {
  Graph g;
  GraphNode simulate{"input.simulate_scan", 1, {}};
  const double width = static_cast<double>(s.cols);
  simulate.params = {{"phantom", std::string("shepp_logan")},
                     {"beam", std::string(s.beam == Beam::cone ? "cone" : "parallel")},
                     {"views", s.views},
                     {"rows", s.rows},
                     {"cols", s.cols},
                     {"pixel_size", Number{1.5 / width, Unit::mm}},
                     {"source_to_axis", Number{3, Unit::mm}},
                     {"axis_to_detector", Number{0, Unit::mm}},
                     {"size", Number{0.65, Unit::none}},
                     {"attenuation", Number{s.attenuation, Unit::per_mm}},
                     {"range", Number{s.turn, Unit::deg}},
                     {"axis", Number{s.axis, Unit::px}},
                     {"tilt", Number{s.tilt, Unit::deg}},
                     {"photons", Number{s.photons, Unit::none}},
                     {"unevenness", Number{0, Unit::none}},
                     {"flats", int64_t{2000}},
                     {"dark_level", Number{0, Unit::none}},
                     {"seed", s.seed}};
  g.nodes["simulate"] = simulate;
  g.nodes["flat_field"] = {"correct.flat_field", 1, {}};
  g.nodes["axis"] = {"geometry.set", 1, {{"axis", Number{s.start, Unit::px}}, {"tilt", Number{0, Unit::deg}}}};
  g.nodes["objective"] = {objective, 1, {}};
  g.links = {{"simulate", "projections", "flat_field", "projections"},
             {"flat_field", "projections", "axis", "projections"},
             {"axis", "projections", "objective", "projections"}};
  return g;
}

inline learn::Target target(const std::string& node, const std::string& name) {
  learn::Target t;
  t.node = node;
  t.name = name;
  return t;
}

inline learn::Settings learn_axis() {
  learn::Settings s;
  s.targets.push_back(target("axis", "axis"));
  s.objective = {"objective", "loss"};
  return s;
}

inline RunOptions roomy() {
  RunOptions o;
  o.memory = int64_t{1} << 29;
  return o;
}

inline std::string describe(const learn::Learned& l) {
  std::string text;
  for (const learn::Found& f : l.found) {
    text += f.node + "." + f.name + " = " + std::to_string(f.value.front());
    if (!f.uncertainty.empty()) text += " +- " + std::to_string(f.uncertainty.front());
    text += " (" + std::string(to_string(f.trust)) + ": " + f.explanation + ") ";
  }
  return text + words(l.reason) + ", " + std::to_string(l.iterations) + " iterations, " +
         std::to_string(l.evaluations) + " evaluations, " + std::to_string(l.seconds) + " s";
}

}  // namespace tl::test
