// How honest the uncertainties of learning are: learned values of many noisy scans with known truths against the sigma
// that each reports. One sigma should hold 68 % of them; 60 to 76 % are promised.
// phantoms=N scans of each case (200), case=full, half, jitter or phase picks one; first=N begins at another seed.
// Axes: photons=N (1000). Axes and jitter: rays=N per edge of a detector pixel (3), which sums what falls onto it.
#include <cmath>

#include "core/base/random.h"
#include "tests/bench/bench.h"
#include "tests/support/learn/cases.h"

using namespace tl;

namespace {

learn::Learned learned(const test::LearnCase& c) {
  Executor executor(test::registry(), {});
  return learn::learn(executor, test::registry(), c.graph, c.settings).or_throw();
}

double middle(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : 0.5 * (v[(v.size() - 1) / 2] + v[v.size() / 2]);
}

class Row {
 public:
  Row(std::string name, std::string unit) : name_(std::move(name)), unit_(std::move(unit)) {}
  void scan(const learn::Found& f) {
    ++scans_;
    resolved_ += f.trust == learn::Trust::resolved ? 1 : 0;
    if (f.trust != learn::Trust::resolved)
      std::fprintf(stderr, "%s: %s, %s\n", name_.c_str(), std::string(to_string(f.trust)).c_str(),
                   f.explanation.c_str());
  }
  void value(double error, double sigma) {
    errors_.push_back(std::abs(error));
    sigmas_.push_back(sigma);
    bias_ += error;
    one_ += std::abs(error) <= sigma ? 1 : 0;
    two_ += std::abs(error) <= 2 * sigma ? 1 : 0;
  }
  void print() const {
    const double n = static_cast<double>(std::max<std::size_t>(errors_.size(), 1));
    std::printf("| %s | %lld | %lld | %lld | %s | %.3g | %.3g | %.3g | %.1f | %.1f |\n", name_.c_str(),
                static_cast<long long>(scans_), static_cast<long long>(resolved_),
                static_cast<long long>(errors_.size()), unit_.c_str(), bias_ / n, middle(errors_), middle(sigmas_),
                100 * static_cast<double>(one_) / n, 100 * static_cast<double>(two_) / n);
    std::fflush(stdout);
  }

 private:
  std::string name_, unit_;
  std::vector<double> errors_, sigmas_;
  double bias_ = 0;
  int64_t scans_ = 0, resolved_ = 0, one_ = 0, two_ = 0;
};

struct Seeds {
  int64_t first, phantoms, rays;
  [[nodiscard]] int64_t last() const { return first + phantoms; }
};

// Another arrangement of ellipses, another axis, other noise in every scan.
void axis(const Seeds& seeds, const std::string& name, Beam beam, double turn, const std::string& objective,
          double photons) {
  Row row(name, "px");
  for (int64_t seed = seeds.first; seed < seeds.last(); ++seed) {
    test::AxisScan s;
    s.beam = beam;
    s.turn = turn;
    s.axis = 6 * Philox{77, 1}.uniform(static_cast<uint64_t>(seed)) - 3;
    s.views = 180;
    s.cols = 96;
    s.photons = photons;
    s.attenuation = 1;
    s.seed = seed;
    test::LearnCase c{test::axis_graph(s, objective), test::learn_axis()};
    c.graph.nodes["simulate"].params["phantom"] = std::string("ellipses");
    c.graph.nodes["simulate"].params["rays"] = seeds.rays;
    const learn::Found f = learned(c).found[0];
    row.scan(f);
    if (!f.uncertainty.empty()) row.value(f.value[0] - s.axis, f.uncertainty[0]);
  }
  row.print();
}

// Other shifts and other noise in every scan; each view's shift counts, without what no data can determine.
void jitter(const Seeds& seeds) {
  Row across("jitter, along rows", "px"), along("jitter, along columns", "px");
  for (int64_t seed = seeds.first; seed < seeds.last(); ++seed) {
    test::JitterScan s;
    s.seed = seed;
    s.rays = seeds.rays;
    const test::LearnCase c = test::jitter_case(s);
    const learn::Learned l = learned(c);
    const test::JitterDeviations d = test::jitter_deviations(c, l);
    const auto add = [](Row& row, const learn::Found& f, const at::Tensor& deviations) {
      row.scan(f);
      for (std::size_t i = 0; i < f.uncertainty.size(); ++i)
        row.value(deviations[static_cast<int64_t>(i)].item<double>(), f.uncertainty[i]);
    };
    add(across, l.found[0], d.across);
    add(along, l.found[1], d.along);
  }
  across.print();
  along.print();
}

// Other noise in every scan.
void phase(const Seeds& seeds) {
  Row row("delta/beta from two distances", "");
  for (int64_t seed = seeds.first; seed < seeds.last(); ++seed) {
    test::PhaseScan s;
    s.seed = seed;
    const learn::Found f = learned(test::phase_case(s)).found[0];
    row.scan(f);
    if (!f.uncertainty.empty()) row.value(f.value[0] - s.delta_over_beta, f.uncertainty[0]);
  }
  row.print();
}

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments arguments(argc, argv);
  const std::string wanted = arguments.text("case", "all");
  Seeds seeds{arguments.number("first", 1), 0, arguments.number("rays", 3)};
  seeds.phantoms = arguments.number("phantoms", 200);
  const auto photons = static_cast<double>(arguments.number("photons", 1000));
  arguments.finish();
  const auto asked = [&](const char* name) { return wanted == "all" || wanted == name; };
  std::printf(
      "| case | scans | resolved | values | unit | bias | median error | median sigma | in 1 sigma [%%] | in 2 sigmas "
      "[%%] |\n|---|---|---|---|---|---|---|---|---|---|\n");
  if (asked("full")) axis(seeds, "axis, full turn of a fan, variance", Beam::cone, 360, "objective.variance", photons);
  if (asked("half")) axis(seeds, "axis, half a turn, wedge", Beam::parallel, 180, "objective.wedge", photons);
  if (asked("jitter")) jitter(seeds);
  if (asked("phase")) phase(seeds);
}
