// Verifies learning: learns axes of simulated scans with known truth, one after another, and compares errors with the
// reported uncertainties.
#include "core/learn/learner/verify_learning.h"

#include <algorithm>
#include <cmath>

#include "core/base/random.h"
#include "core/learn/learner/learner.h"

namespace tl::learn {
namespace {

struct Scan {
  const char* phantom = "shepp_logan";
  const char* objective = "objective.variance";
  bool cone = true;
  double turn = 360, axis = 3, size = 0.662, attenuation = 1, photons = 1e4;
  int64_t views = 360, cols = 512, seed = 1;
};

// Acceptance A1 in our units: a detector of width 1.5 on the axis, source at 3, an object about 1 wide.
Graph graph_of(const Scan& s) {
  Graph g;
  g.nodes["scan"] = {"input.simulate_scan",
                     1,
                     {{"phantom", std::string(s.phantom)},
                      {"beam", std::string(s.cone ? "cone" : "parallel")},
                      {"views", s.views},
                      {"rows", int64_t{1}},
                      {"cols", s.cols},
                      {"pixel_size", Number{1.5 / static_cast<double>(s.cols), Unit::mm}},
                      {"source_to_axis", Number{3, Unit::mm}},
                      {"axis_to_detector", Number{0, Unit::mm}},
                      {"size", Number{s.size, Unit::none}},
                      {"attenuation", Number{s.attenuation, Unit::per_mm}},
                      {"range", Number{s.turn, Unit::deg}},
                      {"axis", Number{s.axis, Unit::px}},
                      {"photons", Number{s.photons, Unit::none}},
                      {"unevenness", Number{0, Unit::none}},
                      {"flats", int64_t{10000}},
                      {"dark_level", Number{0, Unit::none}},
                      {"seed", s.seed}}};
  g.nodes["flat_field"] = {"correct.flat_field", 1, {}};
  g.nodes["axis"] = {"geometry.set", 1, {{"axis", Number{0, Unit::px}}}};
  g.nodes["objective"] = {s.objective, 1, {}};
  g.links = {{"scan", "projections", "flat_field", "projections"},
             {"flat_field", "projections", "axis", "projections"},
             {"axis", "projections", "objective", "projections"}};
  return g;
}

Learned learned(const Scan& scan, const CancelToken& cancel) {
  RunOptions options;
  options.memory = int64_t{1} << 30;
  options.cancel = cancel;
  Executor executor(Registry::all(), options);
  Settings settings;
  Target axis;
  axis.node = axis.name = "axis";
  settings.targets.push_back(axis);
  settings.objective = {"objective", "loss"};
  return learn(executor, Registry::all(), graph_of(scan), settings).or_throw();
}

CheckRow row(const std::string& id, const std::string& what, const std::string& scan, double value, double bound) {
  return {id, what, scan, "float32", value, bound, value <= bound};
}

// Allowed error: 0.05 px for the scan of acceptance A1; for its harder variants the larger of that and three reported
// sigmas.
enum class Allowed { fixed, reported };

void add_axis(CheckTable& table, Scan scan, const std::string& name, Allowed allowed, int64_t seeds,
              const CancelToken& cancel) {
  constexpr double largest = 0.05;  // [px]
  double error = 0, iterations = 0, unresolved = 0;
  for (scan.seed = 1; scan.seed <= seeds; ++scan.seed) {
    const Learned l = learned(scan, cancel);
    const Found& f = l.found[0];
    const double sigma = f.uncertainty.empty() ? 0 : f.uncertainty[0];
    const double unit = allowed == Allowed::fixed ? 1 : std::max(largest, 3 * sigma);
    error = std::max(error, std::abs(f.value[0] - scan.axis) / unit);
    iterations = std::max(iterations, static_cast<double>(l.iterations));
    unresolved += l.trust() == Trust::resolved ? 0 : 1;
  }
  const std::string place = name + ", " + std::to_string(seeds) + (seeds == 1 ? " seed" : " seeds");
  if (allowed == Allowed::fixed)
    table.push_back(row("A1 error", "axis by gradient [px]", place, error, largest));
  else
    table.push_back(row("A1 error", "axis by gradient, in the larger of 0.05 px and 3 sigmas", place, error, 1));
  table.push_back(row("A1 iterations", "axis by gradient", place, iterations, 10));
  table.push_back(row("A1 verdicts", "scans that are not resolved", place, unresolved, 0));
}

// Compares the share of true axes within one reported sigma with 68 %; 60 to 76 % are specified.
void add_coverage(CheckTable& table, Scan scan, const std::string& name, int64_t phantoms, const CancelToken& cancel) {
  double within = 0;
  const Philox random{77, 1};
  for (int64_t i = 0; i < phantoms; ++i) {
    scan.seed = 1000 + i;
    scan.axis = 6 * random.uniform(static_cast<uint64_t>(i)) - 3;
    const Learned l = learned(scan, cancel);
    const Found& f = l.found[0];
    if (!f.uncertainty.empty() && std::abs(f.value[0] - scan.axis) <= f.uncertainty[0]) within += 1;
  }
  const double share = within / static_cast<double>(phantoms);
  table.push_back(row("coverage", "share within one sigma, distance from 68 %",
                      name + ", " + std::to_string(phantoms) + " phantoms", std::abs(share - 0.68), 0.08));
}

}  // namespace

CheckTable verify_learning(VerifySize size, const CancelToken& cancel) {
  CheckTable table;
  const bool full = size == VerifySize::full;
  Scan fan;
  if (!full) {
    fan.cols = 256;
    fan.views = 180;
  }
  add_axis(table, fan, full ? "fan, 512 columns, 360 views" : "fan, 256 columns, 180 views", Allowed::fixed,
           full ? 20 : 1, cancel);
  Scan half;
  half.cone = false;
  half.turn = 180;
  half.objective = "objective.wedge";
  half.cols = 256;
  half.views = 180;
  add_axis(table, half, "half a turn, 256 columns, 180 views", Allowed::reported, full ? 20 : 1, cancel);
  if (!full) return table;
  Scan noisy;
  noisy.phantom = "ellipses";
  noisy.cols = 96;
  noisy.views = 180;
  noisy.photons = 1e3;
  constexpr int64_t phantoms = 200;
  add_coverage(table, noisy, "full turn of a fan, 1e3 photons", phantoms, cancel);
  noisy.cone = false;
  noisy.turn = 180;
  noisy.objective = "objective.wedge";
  add_coverage(table, noisy, "half a turn, 1e3 photons", phantoms, cancel);
  return table;
}

}  // namespace tl::learn
