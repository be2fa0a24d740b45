// Case A3: delta and beta of a box of calcium carbonate from a scan with phase contrast. size=48 pixels, seeds=1 scans
// of each kind, first=1; lists: scale=absolute,scaled, noise=0.12,0.02 and distance=30 [mm]; contrast=transport,
// two_pixel or fresnel, and model=, that of the pipeline; phantom=thin_box or hollow_sphere, rays=3; sharpness= of
// the mask; detail=1 prints verdicts and where the time went, 2 the descent, too; timing=1 an evaluation against its
// nodes alone.
#include <cinttypes>
#include <cmath>
#include <functional>
#include <set>
#include <sstream>

#include "core/base/larger.h"
#include "core/graph/upstream.h"
#include "core/learn/paths.h"
#include "gpu/operator/forward_mode.h"
#include "tests/bench/cases/case_studies.h"
#include "tests/support/learn/phase_case.h"

namespace tl::bench {
namespace {

constexpr double max_sigmas = 3;

struct Ending {
  double seconds = 0;
  int64_t evaluations = 0;
};
Ending descent_of(const learn::Learned& l) {
  for (const learn::PhaseTime& t : l.phase_times)
    if (t.phase == "descent") return {t.seconds, t.evaluations};
  return {};
}

// Errors in sigmas of the values that are called resolved, over all scans.
struct Honesty {
  int64_t resolved = 0, wrong = 0, evaluations = 0;
  double worst = 0;

  void add(learn::Trust trust, double found, double sigma) {
    if (trust != learn::Trust::resolved) return;
    ++resolved;
    const double off = sigma > 0 ? std::abs(std::log(found)) / sigma : HUGE_VAL;
    worst = larger_or_nan(worst, off);
    wrong += off <= max_sigmas ? 0 : 1;
  }
};

std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string one; std::getline(in, one, ',');) all.push_back(one);
  return all;
}

void print(const test::PhaseBox& s, const learn::Learned& l, int64_t detail) {
  const test::PhaseFinding f = test::phase_finding(l);
  const Ending descent = descent_of(l);
  std::printf("| %s | %" PRId64 "^3 | %g | %g | %s | %" PRId64
              " | %.1f | %+.2f ± %.2f | %+.2f ± %.2f | %s, %s | %" PRId64 " | %" PRId64 " | %.2f | %.1f |\n",
              s.phantom.c_str(), s.size, s.distance, s.noise, s.scale.c_str(), s.seed, f.ratio, 100 * (f.delta - 1),
              100 * f.sigma_delta, 100 * (f.beta - 1), 100 * f.sigma_beta,
              std::string(to_string(f.trust_delta)).c_str(), std::string(to_string(f.trust_beta)).c_str(),
              descent.evaluations, l.evaluations,
              descent.seconds / static_cast<double>(std::max<int64_t>(descent.evaluations, 1)), l.seconds);
  std::fflush(stdout);
  if (detail == 0) return;
  for (const learn::Found& found : l.found)
    std::fprintf(stderr, "  %s: %s\n", found.node.c_str(), found.explanation.c_str());
  for (const learn::Combination& c : l.combinations) std::fprintf(stderr, "  %s\n", c.text.c_str());
  for (const learn::PhaseTime& t : l.phase_times) std::fprintf(stderr, "  %s\n", learn::words(t).c_str());
  if (detail < 2) return;
  for (const learn::Progress& p : l.history) {
    std::fprintf(stderr, "  %" PRId64 " (%" PRId64 "): %.9g", p.iteration, p.evaluations, p.loss);
    for (const learn::TargetValue& v : p.values) std::fprintf(stderr, " %s %.5g", v.node.c_str(), v.value.front());
    std::fprintf(stderr, "\n");
  }
}

double seconds_of(int64_t repeat, const std::function<void()>& work) {
  double best = HUGE_VAL;
  for (int64_t i = 0; i < repeat; ++i) {
    const auto begun = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
  }
  return best;
}

// Seconds of a gradient (a pass with tangents for each unknown), whole and as the sum of its nodes, each run alone on
// what those before it gave.
struct Timing {
  double whole = 0, parts = 0;
  std::string longest;
};
Timing timing_of(const test::LearnCase& c, int64_t repeat) {
  Executor e(test::registry(), {});
  const std::set<std::string> moving = learn::downstream_of(c.graph, learn::target_nodes(c.settings));
  const Graph graph = upstream_of(c.graph, {c.settings.objective.node});
  GivenOutputs data;
  for (const Link& link : graph.links)
    if (moving.count(link.from_node) == 0 && moving.count(link.to_node) != 0) {
      const Info info = e.infos(graph, link.from_node).or_throw().at(link.from_port);
      data[{link.from_node, link.from_port}] = {e.pull(graph, link.from_node, link.from_port).or_throw(),
                                                full_region(info), info};
    }
  Timing t;
  std::map<std::string, double> spent;
  for (const learn::Target& along : c.settings.targets) {
    const ForwardDirection direction;
    ExternalValues outside{{}, data};
    for (const learn::Target& target : c.settings.targets) {
      const auto& start = std::get<Number>(graph.nodes.at(target.node).params.at(target.name));
      at::Tensor value = at::scalar_tensor(start.value, at::kDouble);
      if (target == along) value = dual(value, value);
      outside.parameters[{target.node, target.name}] = value;
    }
    const learn::ObjectivePort& objective = c.settings.objective;
    t.whole += seconds_of(
        repeat, [&] { (void)e.pull(graph, objective.node, objective.port, std::nullopt, outside).or_throw(); });
    for (const std::string& id : topological_order(graph).or_throw()) {
      if (moving.count(id) == 0) continue;
      const std::string port = test::registry().find(graph.nodes.at(id).type)->outputs.front().name;
      Value value;
      spent[id] += seconds_of(repeat, [&] { value = e.pull(graph, id, port, std::nullopt, outside).or_throw(); });
      const Info info = e.infos(graph, id).or_throw().at(port);
      outside.given[{id, port}] = {value, full_region(info), info};
    }
  }
  double most = 0;
  for (const auto& [id, seconds] : spent) {
    t.parts += seconds;
    if (seconds > most) t.longest = id;
    most = std::max(most, seconds);
  }
  return t;
}

}  // namespace

void phase_case(Arguments& arguments) {
  test::PhaseBox s;
  s.size = arguments.number("size", 48);
  const auto scales = listed(arguments.text("scale", "absolute,scaled")),
             noises = listed(arguments.text("noise", "0.12,0.02")),
             distances = listed(arguments.text("distance", "30"));
  s.contrast = arguments.text("contrast", "transport");
  s.phantom = arguments.text("phantom", "thin_box");
  s.rays = arguments.number("rays", s.rays);
  const int64_t seeds = arguments.number("seeds", 1), first = arguments.number("first", 1);
  const int64_t detail = arguments.number("detail", seeds > 1 ? 0 : 1);
  const bool timing = arguments.number("timing", 0) != 0;
  const std::string model = arguments.text("model", s.contrast), sharpness = arguments.text("sharpness");
  arguments.finish();
  std::printf(
      "True delta/beta %.1f. Published, 192^3 at 150 mm: 333.3 in 120 iterations, 1008 s.\n\n"
      "| object | size | mm | noise | scale | seed | delta/beta | delta [%%] | beta [%%] | verdicts | evaluations of "
      "the "
      "descent | of all | s each | s |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
      test::phase_truth().delta / test::phase_truth().beta);
  Honesty honesty;
  for (const std::string& scale : scales)
    for (const std::string& noise : noises)
      for (const std::string& distance : distances)
        for (s.seed = first; s.seed < first + seeds; ++s.seed) {
          s.scale = scale;
          s.noise = std::stod(noise);
          s.distance = std::stod(distance);
          test::LearnCase c = test::phase_box_case(s);
          c.graph.nodes["propagate"].params["model"] = model;
          if (!sharpness.empty()) c.graph.nodes["mask"].params["sharpness"] = Number{std::stod(sharpness), Unit::none};
          Executor executor(test::registry(), {});
          const learn::Learned l = learn::learn(executor, test::registry(), c.graph, c.settings).or_throw();
          print(s, l, detail);
          if (timing) {
            const Timing t = timing_of(c, arguments.repeat());
            std::printf("an evaluation with gradient: %.3f s; its nodes alone: %.3f s: %.2f; the longest: %s\n",
                        t.whole, t.parts, t.whole / t.parts, t.longest.c_str());
          }
          const test::PhaseFinding f = test::phase_finding(l);
          honesty.add(f.trust_delta, f.delta, f.sigma_delta);
          honesty.add(f.trust_beta, f.beta, f.sigma_beta);
          honesty.evaluations = std::max(honesty.evaluations, descent_of(l).evaluations);
        }
  std::printf("\n%" PRId64 " values resolved, %" PRId64
              " of them more than %g sigmas off; the worst %.1f sigmas off. At most %" PRId64
              " evaluations of a descent.\n",
              honesty.resolved, honesty.wrong, max_sigmas, honesty.worst, honesty.evaluations);
}

}  // namespace tl::bench
