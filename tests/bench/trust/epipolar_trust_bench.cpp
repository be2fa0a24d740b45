// What pairs of views tell about a cone beam: errors, sigmas and verdicts of random scans whose stated geometry is 3
// px, 0.5 and 1 degree and 2 % wrong. scans=N of each kind (20), first=N, kind=NAME, views=N (180), pixels=N (128).
#include "tests/bench/bench.h"
#include "tests/support/learn/epipolar_trial.h"

using namespace tl;

int main(int argc, char** argv) {
  bench::Arguments arguments(argc, argv);
  const int64_t scans = arguments.number("scans", 20), first = arguments.number("first", 0);
  const std::string only = arguments.text("kind", "all");
  const int64_t views = arguments.number("views", 180), pixels = arguments.number("pixels", 128);
  arguments.finish();
  const std::vector<std::pair<const char*, double>> kinds = {{"14 degrees", 14}, {"6 degrees", 6}, {"ball", 14}};
  for (const auto& [kind, half_angle] : kinds) {
    if (only != "all" && only != kind) continue;
    for (int64_t seed = first; seed < first + scans; ++seed) {
      test::EpipolarTrial t;
      t.half_angle = half_angle;
      t.views = views;
      t.pixels = pixels;
      t.seed = static_cast<uint64_t>(seed) + 1;
      if (std::string(kind) == "ball") t.object = test::EpipolarTrial::Object::ball;
      const Graph graph = test::epipolar_graph(t);
      Executor executor(test::registry_with_given(), {});
      const auto learned = learn::learn(executor, test::registry_with_given(), graph, test::epipolar_settings());
      if (!learned.ok()) {
        std::printf("%s, %lld: %s\n", kind, static_cast<long long>(seed), learned.error().message().c_str());
        continue;
      }
      const double truths[] = {t.axis, t.tilt * 180 / pi, t.yaw * 180 / pi, t.source_to_detector() * (1 + t.distance)};
      std::printf("%s, %lld:", kind, static_cast<long long>(seed));
      for (std::size_t n = 0; n < 4; ++n) {
        const learn::Found& f = learned.value().found.at(n);
        const double scale = n == 3 ? 100 / truths[3] : 1;  // [%]
        std::printf(" %s %.4f ± %.4f %s;", f.name.c_str(), scale * (f.value.front() - truths[n]),
                    f.uncertainty.empty() ? 0.0 : scale * f.uncertainty.front(),
                    std::string(to_string(f.trust)).c_str());
      }
      std::printf(" %lld iterations, %.1f s\n", static_cast<long long>(learned.value().iterations),
                  learned.value().seconds);
      std::fflush(stdout);
    }
  }
  return 0;
}
