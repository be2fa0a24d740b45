// Alignment of views: errors, sigmas and verdicts over random scans, case by case: 180 views of 96 x 128,
// 1e4 photons. Prints a Markdown table; errors are without what a motion of the object gives.
//   cases=shifts,leaving,walk,none,cone,slow,lamino (default all)  seeds=20  first=0  detail=1: every scan
//   case=frames, fourier or regions: bursts and directions instead (tests/bench/cases/bursts_and_directions.h)
//   bins=1, coarsest=8: finest and coarsest pixels  smoothing=0: views  tooth=aps_tooth.h5: in place of the cases a
//   measured scan in which nothing moved
#include <chrono>
#include <cstdio>
#include <sstream>

#include "tests/bench/bench.h"
#include "tests/bench/cases/bursts_and_directions.h"
#include "tests/support/learn/moved_scan.h"

namespace tl {
namespace {

using ops::ViewChange;
using ops::ViewChanges;
using Setting = std::map<std::string, ParamValue>;

struct AlignmentCase {
  std::string name;
  test::MovedScan scan;
  std::vector<std::pair<ViewChange, double>> bars;  // what is looked for, and the most it may be off
  Setting settings;
};

double degrees(double x) { return x * pi / 180; }

std::vector<AlignmentCase> alignment_cases() {
  test::MovedScan plain, leaving, cone, lamino;
  leaving.leaves = true;
  cone.cone = degrees(6);
  lamino.lamino = degrees(30);
  const std::vector<std::pair<ViewChange, double>> shifts = {{ViewChange::shift_u, 0.1}, {ViewChange::shift_v, 0.1}};
  auto slow = shifts;
  slow.push_back({ViewChange::roll, degrees(0.02)});
  slow.push_back({ViewChange::angle, degrees(0.03)});
  slow.push_back({ViewChange::magnification, 2e-4});
  return {
      {"shifts", plain, shifts, {}}, {"leaving", leaving, shifts, {}},
      {"walk", plain, shifts, {}},   {"none", plain, shifts, {}},
      {"cone", cone, shifts, {}},    {"slow", plain, slow, {{"roll", true}, {"angle", true}, {"magnification", true}}},
      {"lamino", lamino, shifts, {}}};
}

// Over the scan: a roll of 0.2 degrees, an angle of 0.1 degrees and a magnification of 0.1 %.
ViewChanges slow_changes(const test::MovedScan& s) {
  ViewChanges all = ops::no_changes({ViewChange::roll, ViewChange::angle, ViewChange::magnification}, s.views);
  for (int64_t i = 0; i < s.views; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(s.views - 1);
    const auto at = static_cast<std::size_t>(3 * i);
    all.values[at] = degrees(0.2) * t;
    all.values[at + 1] = degrees(0.1) * std::sin(2 * pi * t);
    all.values[at + 2] = 1e-3 * t * t;
  }
  return all;
}

struct Tally {
  std::string unit;
  double scale = 1, worst = 0, squares = 0, sigma = 0;
  int count = 0, resolved = 0, wrong = 0, above = 0;
};

void run_case(const AlignmentCase& c, int64_t first, int64_t seeds, bool detail, const Setting& settings_of_all) {
  std::map<ViewChange, Tally> tallies;
  double seconds = 0;
  int64_t jumps_found = 0;
  for (int64_t seed = first; seed < first + seeds; ++seed) {
    test::MovedScan scan = c.scan;
    scan.seed = static_cast<uint64_t>(seed) + 1;
    int64_t jump = -1;
    const ViewChanges truth = c.name == "walk"   ? test::random_walk(scan, 0.2, 5, jump)
                              : c.name == "none" ? test::random_shifts(scan, 0)
                              : c.name == "slow" ? slow_changes(scan)
                                                 : test::random_shifts(scan, 4);
    test::given_scan = test::moved_scan(scan, truth);
    Setting settings = c.settings;
    for (const auto& [name, value] : settings_of_all) settings[name] = value;
    Executor e(test::registry_with_given(), {});
    const Graph g = test::aligned_graph(settings);
    const auto start = std::chrono::steady_clock::now();
    const Table table = std::get<Table>(e.pull(g, "align", "views").or_throw());
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    seconds = std::max(seconds, took);
    const auto whole = std::get<Scalar>(e.pull(g, "align", "displacement").or_throw());
    const std::vector<double>& jumps = test::table_column(table, "jump");
    const auto count = std::count(jumps.begin(), jumps.end(), 1.0);
    const bool right_jump = jump < 0 ? count == 0 : count == 1 && jumps[static_cast<std::size_t>(jump)] == 1;
    jumps_found += right_jump ? 1 : 0;
    for (const auto& [kind, bar] : c.bars) {
      const test::ChangeError found = test::change_error(table, truth, kind, test::given_scan.geometry);
      Tally& t = tallies[kind];
      const bool angular = ops::unit_of(kind) == Unit::rad;
      t.unit = angular ? "deg" : kind == ViewChange::magnification ? "%" : "px";
      t.scale = angular ? 180 / pi : kind == ViewChange::magnification ? 100 : 1;
      t.worst = std::max(t.worst, found.error);
      t.squares += found.error * found.error;
      t.sigma += found.sigma;
      ++t.count;
      const bool resolved = whole.verdict == Verdict::resolved;
      t.resolved += resolved ? 1 : 0;
      t.wrong += resolved && found.error > 3 * found.sigma ? 1 : 0;
      t.above += found.error > bar ? 1 : 0;
      if (detail)
        std::fprintf(stderr, "%s %lld %s: error %.4f sigma %.4f %s, %s, jumps %s, %.1f s\n", c.name.c_str(),
                     static_cast<long long>(seed), std::string(ops::to_string(kind)).c_str(), found.error * t.scale,
                     found.sigma * t.scale, t.unit.c_str(), std::string(to_string(whole.verdict)).c_str(),
                     right_jump ? "right" : "wrong", took);
    }
  }
  for (const auto& [kind, bar] : c.bars) {
    const Tally& t = tallies[kind];
    std::printf("| %s | %s | %.4f | %.4f | %.4f | %.4f %s | %d of %d | %d | %d | %lld | %.1f |\n", c.name.c_str(),
                std::string(ops::to_string(kind)).c_str(), std::sqrt(t.squares / t.count) * t.scale, t.worst * t.scale,
                t.sigma / t.count * t.scale, bar * t.scale, t.unit.c_str(), t.resolved, t.count, t.wrong, t.above,
                static_cast<long long>(jumps_found), seconds);
  }
  std::fflush(stdout);
}

// Mean square difference of neighbours in a slice about the rotation axis of the scan, aligned or not.
double sharpness(Executor& e, Graph g, bool aligned) {
  g.links.push_back({aligned ? "align" : "axis", "projections", "fbp", "projections"});
  return -std::get<Scalar>(e.pull(g, "energy", "loss").or_throw()).value.item<double>();
}

void run_tooth(const std::string& path) {
  Graph g;
  g.nodes["load"] = {"input.load_scan", 1, {{"file", path}}};
  g.nodes["flat"] = {"correct.flat_field", 1, {}};
  g.nodes["axis"] = {"axis.automatic", 1, {}};
  g.nodes["align"] = {"align.reprojection", 1, {}};
  g.nodes["fbp"] = {"recon.fbp", 1, {}};
  g.nodes["energy"] = {"objective.gradient_energy", 1, {}};
  g.links = {{"load", "projections", "flat", "projections"},
             {"flat", "projections", "axis", "projections"},
             {"axis", "projections", "align", "projections"},
             {"fbp", "volume", "energy", "volume"}};
  Executor e(Registry::all(), {});
  Graph alone = g;
  alone.links.pop_back();
  for (const char* of_slice : {"fbp", "energy"}) alone.nodes.erase(of_slice);
  const auto start = std::chrono::steady_clock::now();
  const Table table = std::get<Table>(e.pull(alone, "align", "views").or_throw());
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto whole = std::get<Scalar>(e.pull(alone, "align", "displacement").or_throw());
  const auto rms = [&](const std::string& name) {
    double sum = 0;
    for (const double x : test::table_column(table, name)) sum += x * x;
    return std::sqrt(sum / static_cast<double>(test::table_column(table, name).size()));
  };
  double squares = 0, used = 0;
  const std::vector<double>&shift = test::table_column(table, "shift_u"),
        &sigma = test::table_column(table, "shift_u_sigma"), &use = test::table_column(table, "used");
  for (std::size_t i = 0; i < shift.size(); ++i) {
    squares += sigma[i] > 0 ? shift[i] * shift[i] / (sigma[i] * sigma[i]) : 0;
    used += use[i];
  }
  std::printf(
      "tooth: shifts %.4f ± %.4f px (rms), %.2f sigma, %s, %.0f of %zu views changed, error %.5f before, %.5f after, "
      "edges of the aligned slice over those of the other %.5f, %.1f s\n",
      whole.value.item<double>(), rms("shift_u_sigma"), std::sqrt(squares / static_cast<double>(shift.size())),
      std::string(to_string(whole.verdict)).c_str(), used, shift.size(), rms("error_before"), rms("error_after"),
      sharpness(e, g, true) / sharpness(e, g, false), took);
}

}  // namespace
}  // namespace tl

int main(int argc, char** argv) {
  tl::bench::Arguments arguments(argc, argv);
  if (const std::string one = arguments.text("case"); !one.empty()) {
    const std::map<std::string, void (*)(tl::bench::Arguments&)> of_case = {{"fourier", tl::bench::run_fourier_case},
                                                                            {"frames", tl::bench::run_frames_case},
                                                                            {"regions", tl::bench::run_regions_case}};
    const auto found = of_case.find(one);
    if (found == of_case.end()) tl::bench::stop("there is no case " + one);
    found->second(arguments);
    return 0;
  }
  const int64_t seeds = arguments.number("seeds", 20), first = arguments.number("first", 0);
  const std::string cases = "," + arguments.text("cases", "all") + ",";
  const bool detail = arguments.number("detail", 0) != 0;
  tl::Setting settings = {{"finest", std::to_string(arguments.number("bins", 1))},
                          {"coarsest", std::to_string(arguments.number("coarsest", 8))}};
  if (const int64_t smoothing = arguments.number("smoothing", 0); smoothing > 0)
    settings["smoothing"] = tl::Number{static_cast<double>(smoothing), tl::Unit::none};
  const std::string tooth = arguments.text("tooth");
  arguments.finish();
  if (!tooth.empty()) {
    tl::run_tooth(tooth);
    return 0;
  }
  std::printf(
      "| case | found | rms error | worst | sigma | bar | resolved | resolved and over 3 sigma | above the bar | jumps "
      "right | longest [s] |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const tl::AlignmentCase& c : tl::alignment_cases())
    if (cases == ",all," || cases.find("," + c.name + ",") != std::string::npos)
      tl::run_case(c, first, seeds, detail, settings);
  return 0;
}
