// Case A3: delta and beta of a box of calcium carbonate from a scan with phase contrast. size=96 pixels, seeds=1 scans,
// scale=absolute or scaled, distance=30 mm, contrast=transport, two_pixel or fresnel, phantom=thin_box, rays=3,
// start_from_truth=0; detail=1 prints verdicts and where the time went.
#include <cinttypes>
#include <cmath>

#include "tests/bench/cases/case_studies.h"
#include "tests/support/phase_case.h"

namespace tl::bench {
namespace {

void print(const test::PhaseBox& s, const learn::Learned& l, bool detail) {
  const test::PhaseFinding f = test::phase_finding(l);
  double descent = 0;
  int64_t evaluations = 0;
  for (const learn::PhaseTime& t : l.phase_times)
    if (t.phase == "descent") {
      descent = t.seconds;
      evaluations = t.evaluations;
    }
  std::printf("| %s | %" PRId64 "^3 | %g | %s | %" PRId64 " | %.1f | %+.1f ± %.1f | %+.1f ± %.1f | %s, %s | %" PRId64
              " | %" PRId64 " | %.2f | %.1f |\n",
              s.phantom.c_str(), s.size, s.distance, s.scale.c_str(), s.seed, f.ratio, 100 * (f.delta - 1),
              100 * f.sigma_delta, 100 * (f.beta - 1), 100 * f.sigma_beta,
              std::string(to_string(f.trust_delta)).c_str(), std::string(to_string(f.trust_beta)).c_str(), evaluations,
              l.evaluations, evaluations > 0 ? descent / static_cast<double>(evaluations) : 0.0, l.seconds);
  std::fflush(stdout);
  if (!detail) return;
  for (const learn::Found& found : l.found)
    std::fprintf(stderr, "  %s: %s\n", found.node.c_str(), found.explanation.c_str());
  for (const learn::Combination& c : l.combinations) std::fprintf(stderr, "  %s\n", c.text.c_str());
  for (const learn::PhaseTime& t : l.phase_times) std::fprintf(stderr, "  %s\n", learn::words(t).c_str());
}

}  // namespace

void phase_case(Arguments& arguments) {
  test::PhaseBox s;
  s.size = arguments.number("size", 96);
  s.scale = arguments.text("scale", "absolute");
  s.distance = std::stod(arguments.text("distance", "30"));
  s.noise = std::stod(arguments.text("noise", "0.12"));
  s.contrast = arguments.text("contrast", "transport");
  s.phantom = arguments.text("phantom", "thin_box");
  s.rays = arguments.number("rays", s.rays);
  const int64_t seeds = arguments.number("seeds", 1), first = arguments.number("first", 1);
  const bool detail = arguments.number("detail", 1) != 0;
  const std::string model = arguments.text("model", s.contrast), sharpness = arguments.text("sharpness");
  arguments.finish();
  std::printf(
      "True delta/beta %.1f. Published, 192^3 at 150 mm: 333.3 in 120 iterations, 1008 s.\n\n"
      "| object | size | mm | scale | seed | delta/beta | delta [%%] | beta [%%] | verdicts | evaluations of the "
      "descent | of "
      "all | s each | s |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
      test::phase_truth().delta / test::phase_truth().beta);
  for (s.seed = first; s.seed < first + seeds; ++s.seed) {
    test::LearnCase c = test::phase_box_case(s);
    c.graph.nodes["propagate"].params["model"] = model;
    if (!sharpness.empty()) c.graph.nodes["mask"].params["sharpness"] = Number{std::stod(sharpness), Unit::none};
    Executor executor(test::registry(), {});
    print(s, learn::learn(executor, test::registry(), c.graph, c.settings).or_throw(), detail);
  }
}

}  // namespace tl::bench
