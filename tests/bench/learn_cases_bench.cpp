// The cases of learning at full size against their truths, as one table: the rotation axis of acceptance A1 and its
// harder variants, axis and tilt of a half turn, jitter (also of an object that leaves the rows), and the geometry of a
// cone beam. case=NAME picks a group, only=TEXT the rows of it whose name holds that, seeds=N says how many scans of
// each, lines=N how many lines axis and tilt are measured on, columns=N how large their detector is.
#include "bench.h"
#include "tests/support/learn/cases.h"

using namespace tl;
using test::AxisScan;

namespace {

learn::Learned learned(const Graph& graph, const learn::Settings& settings) {
  Executor executor(test::registry(), {});
  return learn::learn(executor, test::registry(), graph, settings).or_throw();
}

double sigma(const learn::Found& f) {
  double sum = 0;
  for (const double s : f.uncertainty) sum += s * s;
  return f.uncertainty.empty() ? 0 : std::sqrt(sum / static_cast<double>(f.uncertainty.size()));
}

// The worst of several scans in one row.
class Row {
 public:
  Row(std::string name, std::string what, double bar) : name_(std::move(name)), what_(std::move(what)), bar_(bar) {}
  void add(double error, const learn::Found& f, const learn::Learned& l) {
    ++scans_;
    const bool lawful = error <= std::max(bar_, 3 * sigma(f));
    worst_ = std::max(worst_, error);
    squares_ += error * error;
    sigma_ = std::max(sigma_, sigma(f));
    resolved_ += f.trust == learn::Trust::resolved ? 1 : 0;
    wrong_ += f.trust == learn::Trust::resolved && !lawful ? 1 : 0;
    iterations_ = std::max(iterations_, l.iterations);
    evaluations_ = std::max(evaluations_, l.evaluations);
    seconds_ = std::max(seconds_, l.seconds);
    for (const learn::PhaseTime& s : l.phase_times)
      if (s.phase == "descent" && s.evaluations > 0)
        step_ = std::max(step_, s.seconds / static_cast<double>(s.evaluations));
    spent_ = l.phase_times;
  }
  void print(const std::string& wanted) const {
    std::printf("| %s | %s | %lld | %.4f | %.4f | %g | %.4f | %lld | %lld | %lld | %lld | %.2f | %.1f |\n",
                name_.c_str(), what_.c_str(), static_cast<long long>(scans_),
                std::sqrt(squares_ / static_cast<double>(std::max<int64_t>(scans_, 1))), worst_, bar_, sigma_,
                static_cast<long long>(resolved_), static_cast<long long>(wrong_), static_cast<long long>(iterations_),
                static_cast<long long>(evaluations_), seconds_, 1e3 * step_);
    if (wanted != "all")
      for (const learn::PhaseTime& s : spent_) std::fprintf(stderr, "  %s\n", learn::words(s).c_str());
    std::fflush(stdout);
  }

 private:
  std::string name_, what_;
  double bar_, squares_ = 0, worst_ = 0, sigma_ = 0, seconds_ = 0, step_ = 0;
  int64_t scans_ = 0, resolved_ = 0, wrong_ = 0, iterations_ = 0, evaluations_ = 0;
  std::vector<learn::PhaseTime> spent_;
};

struct Wanted {
  std::string wanted;
  int64_t seeds;
  std::string only;
  [[nodiscard]] bool asked(const char* name) const { return wanted == "all" || wanted == name; }
  [[nodiscard]] bool shown(const std::string& row) const { return row.find(only) != std::string::npos; }
};

void axis(const Wanted& plan, const std::string& name, AxisScan s, const std::string& objective) {
  if (!plan.shown(name)) return;
  Row row(name, "axis [px]", 0.05);
  for (s.seed = 1; s.seed <= plan.seeds; ++s.seed) {
    const learn::Learned l = learned(test::axis_graph(s, objective), test::learn_axis());
    row.add(std::abs(l.found[0].value[0] - s.axis), l.found[0], l);
  }
  row.print(plan.wanted);
}

void axes(const Wanted& plan) {
  const AxisScan a1{Beam::cone, 360, 3, 0, 0, 360, 1, 512, 1e4, 1};
  axis(plan, "A1: fan, full turn", a1, "objective.variance");
  for (const double start : {-37.0, 43.0}) {
    AxisScan s = a1;
    s.start = start;
    axis(plan, "A1 from " + std::to_string(static_cast<int>(start)) + " px", s, "objective.variance");
  }
  AxisScan s = a1;
  s.views = 36;
  axis(plan, "A1, a tenth of the views", s, "objective.variance");
  s = a1;
  s.photons = 1e3;
  axis(plan, "A1, 1e3 photons", s, "objective.variance");
  s = a1;
  s.cols = 511;
  axis(plan, "A1, odd width", s, "objective.variance");
  for (const double offset : {0.0, 0.25, 0.3, 0.5, 0.75}) {
    s = a1;
    s.axis = offset;
    char name[48];
    std::snprintf(name, sizeof name, "A1, offset %g px", offset);
    axis(plan, name, s, "objective.variance");
  }
  s = a1;
  s.beam = Beam::parallel;
  s.turn = 180;
  axis(plan, "parallel, half a turn", s, "objective.wedge");
  s.start = 40;
  axis(plan, "parallel, half a turn, from 40 px", s, "objective.wedge");
}

void tilts(const Wanted& plan, int64_t lines, int64_t columns) {
  const int64_t rows = columns, cols = columns, views = columns * 360 / 256;
  // The box's ends lie across the axis: rays within a pixel must be closer than its edges rise in a slanted view.
  for (const auto& [phantom, rays, axis, tilt, photons] :
       {std::tuple("hollow_box", 4, 2.3, 0.7, 1e4), std::tuple("hollow_box", 4, -11.7, -1.1, 1e4),
        std::tuple("hollow_box", 16, 0.0, 0.25, 1e4), std::tuple("hollow_box", 4, 2.3, 0.7, 1e3),
        std::tuple("shepp_logan_3d", 1, 2.3, 0.7, 1e4), std::tuple("shepp_logan_3d", 1, -11.7, -1.1, 1e4),
        std::tuple("shepp_logan_3d", 1, 0.0, 0.25, 1e4), std::tuple("shepp_logan_3d", 1, 2.3, 0.7, 1e3)}) {
    char name[120];
    std::snprintf(name, sizeof name, "half a turn, %s, axis %g px, tilt %g deg, %g photons", phantom, axis, tilt,
                  photons);
    if (!plan.shown(name)) continue;
    Row first(name, "axis [px]", 0.05), second(name, "tilt [deg]", 0.02);
    for (int64_t seed = 1; seed <= plan.seeds; ++seed) {
      const test::LearnCase c = test::tilt_case({axis, tilt, photons, seed, views, rows, cols, lines, phantom, rays});
      const learn::Learned l = learned(c.graph, c.settings);
      first.add(std::abs(l.found[0].value[0] - axis), l.found[0], l);
      second.add(std::abs(l.found[1].value[0] - tilt), l.found[1], l);
    }
    first.print("all");
    second.print(plan.wanted);
  }
}

void jitter(const Wanted& plan, const std::string& name, double height) {
  const test::LearnCase c = test::jitter_case({90, 64, 256, 1e4, 3, 4, height, 0.01});
  const learn::Learned l = learned(c.graph, c.settings);
  const test::JitterErrors e = test::jitter_errors(c, l);
  Row across(name, "shifts along rows, rms [px]", 0.1), along(name, "shifts along columns, rms [px]", 0.1);
  across.add(e.across, l.found[0], l);
  along.add(e.along, l.found[1], l);
  across.print("all");
  along.print(plan.wanted);
}

void cone(const Wanted& plan) {
  const test::ConeScan scan{90, 56, 72, 1e4, 1.7, 0.9, 185, 0.8};
  const test::LearnCase c = test::cone_case(scan);
  const learn::Learned l = learned(c.graph, c.settings);
  const double truth[] = {scan.axis, scan.tilt, 200}, bar[] = {0.05, 0.05, 2};
  const char* what[] = {"axis [px]", "tilt [deg]", "source to axis [mm]"};
  for (std::size_t n = 0; n < 3; ++n) {
    Row row("cone beam, source from 185 mm", what[n], bar[n]);
    row.add(std::abs(l.found[n].value[0] - truth[n]), l.found[n], l);
    row.print(n == 2 ? plan.wanted : "all");
  }
}

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments arguments(argc, argv);
  Wanted plan{arguments.text("case", "all"), 1, arguments.text("only")};
  plan.seeds = arguments.number("seeds", 3);
  const int64_t lines = arguments.number("lines", 33), columns = arguments.number("columns", 256);
  arguments.finish();
  std::printf(
      "| case | what | scans | rms error | worst error | bar | largest sigma | resolved | resolved and wrong | "
      "iterations | "
      "evaluations | seconds | ms per step |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  if (plan.asked("axis")) axes(plan);
  if (plan.asked("tilt")) tilts(plan, lines, columns);
  if (plan.asked("jitter")) jitter(plan, "jitter, 256^2 x 64, 90 views", 0.33);
  if (plan.asked("leaving")) jitter(plan, "jitter, object leaves the rows", 0.6);
  if (plan.asked("cone")) cone(plan);
}
