// What pairs of views say about a geometry: errors, sigmas and verdicts of random scans. Cone beams whose stated
// geometry is 3 px, 0.5 and 1 degree and 2 % wrong, and laminography, 1 px, 0.2 and 0.5 degrees wrong. scans=N of each
// kind (20), first=N, kind=NAME, views=N (180), pixels=N (128, of cone beams).
#include <cmath>

#include "tests/bench/bench.h"
#include "tests/support/learn/epipolar_trial.h"

using namespace tl;

namespace {

struct Trial {
  Graph graph;
  learn::Settings settings;
  std::vector<double> truths;  // in the unit of the target
  std::vector<double> scales;  // factor on what is printed: 1, or 100 over the truth for per cent
};

Trial trial_of(const std::string& kind, double half_angle, uint64_t seed, int64_t views, int64_t pixels) {
  if (kind == "laminography") {
    test::LaminographyTrial t;
    t.seed = seed;
    t.views = views;
    return {test::laminography_graph(t),
            test::laminography_settings(),
            {t.axis, t.tilt * 180 / pi, (t.stated + t.lean) * 180 / pi},
            {1, 1, 1}};
  }
  test::EpipolarTrial t;
  t.half_angle = half_angle;
  t.views = views;
  t.pixels = pixels;
  t.seed = seed;
  if (kind == "ball") t.object = test::EpipolarTrial::Object::ball;
  const double distance = t.source_to_detector() * (1 + t.distance);
  return {test::epipolar_graph(t),
          test::epipolar_settings(),
          {t.axis, t.tilt * 180 / pi, t.yaw * 180 / pi, distance},
          {1, 1, 1, 100 / distance}};
}

// Of one target over the scans.
struct Errors {
  double square = 0, worst = 0, sigma = 0;
  int64_t scans = 0, resolved = 0, wrong = 0;  // wrong: resolved, and off by more than three sigmas

  void add(const learn::Found& f, double error, double sigma_) {
    ++scans;
    square += error * error;
    worst = std::max(worst, std::abs(error));
    sigma += sigma_;
    if (f.trust != learn::Trust::resolved) return;
    ++resolved;
    if (std::abs(error) > 3 * sigma_) ++wrong;
  }
};

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments arguments(argc, argv);
  const int64_t scans = arguments.number("scans", 20), first = arguments.number("first", 0);
  const std::string only = arguments.text("kind", "all");
  const int64_t views = arguments.number("views", 180), pixels = arguments.number("pixels", 128);
  arguments.finish();
  const std::vector<std::pair<std::string, double>> kinds = {
      {"14 degrees", 14}, {"6 degrees", 6}, {"ball", 14}, {"laminography", 0}};
  for (const auto& [kind, half_angle] : kinds) {
    if (only != "all" && only != kind) continue;
    std::vector<Errors> errors;
    std::vector<std::string> names;
    double seconds = 0;
    for (int64_t seed = first; seed < first + scans; ++seed) {
      const Trial t = trial_of(kind, half_angle, static_cast<uint64_t>(seed) + 1, views, pixels);
      Executor executor(test::registry_with_given(), {});
      const auto learned = learn::learn(executor, test::registry_with_given(), t.graph, t.settings);
      if (!learned.ok()) {
        std::printf("%s, %lld: %s\n", kind.c_str(), static_cast<long long>(seed), learned.error().message().c_str());
        continue;
      }
      std::printf("%s, %lld:", kind.c_str(), static_cast<long long>(seed));
      errors.resize(t.truths.size());
      names.clear();
      for (std::size_t n = 0; n < t.truths.size(); ++n) {
        const learn::Found& f = learned.value().found.at(n);
        const double error = t.scales[n] * (f.value.front() - t.truths[n]);
        const double sigma = f.uncertainty.empty() ? 0.0 : t.scales[n] * f.uncertainty.front();
        names.push_back(f.name);
        errors[n].add(f, error, sigma);
        std::printf(" %s %.4f ± %.4f %s;", f.name.c_str(), error, sigma, std::string(to_string(f.trust)).c_str());
      }
      seconds += learned.value().seconds;
      std::printf(" %lld iterations, %lld evaluations, %.1f s\n", static_cast<long long>(learned.value().iterations),
                  static_cast<long long>(learned.value().evaluations), learned.value().seconds);
      std::fflush(stdout);
    }
    for (std::size_t n = 0; n < errors.size(); ++n) {
      const Errors& e = errors[n];
      const auto count = static_cast<double>(e.scans);
      std::printf("%s, %s: rms %.4f, worst %.4f, mean sigma %.4f; %lld of %lld resolved, %lld wrong\n", kind.c_str(),
                  names[n].c_str(), std::sqrt(e.square / count), e.worst, e.sigma / count,
                  static_cast<long long>(e.resolved), static_cast<long long>(e.scans), static_cast<long long>(e.wrong));
    }
    if (!errors.empty())
      std::printf("%s: %.1f s a scan\n", kind.c_str(), seconds / static_cast<double>(errors.front().scans));
    std::fflush(stdout);
  }
  return 0;
}
