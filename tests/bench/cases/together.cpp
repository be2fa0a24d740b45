// Several unknowns of one noisy phase scan: rotation axis, tilt, damping of stripes, delta and beta, strength of the
// total variation, learned together on held-out views, against each tuned alone while the others stand where they
// started. size=48 columns, rows=24, views=96, noise=0.03 of the empty beam, stripes=0.2, tv_iterations=40, seeds=4
// scans; detail=1 prints what was found.
#include <ATen/ATen.h>

#include <cmath>

#include "tests/bench/cases/case_studies.h"
#include "tests/support/phase_case.h"

namespace tl::bench {
namespace {

struct Scene {
  int64_t size = 48, rows = 24, views = 96, tv_iterations = 40, seed = 1;
  double noise = 0.03, stripes = 0.2;
  static constexpr double axis = 1.4, tilt = 0.9;  // [px], [deg]
};

test::LearnCase together(const Scene& s) {
  test::LearnCase c = test::bundled_case("phase-together");
  test::PhaseBox box;
  box.size = s.size;
  box.noise = s.noise;
  box.seed = s.seed;
  c.graph.nodes.at("load") = test::phase_box_case(box).graph.nodes.at("load");
  auto& scan = c.graph.nodes.at("load").params;
  scan["rows"] = s.rows;
  scan["views"] = s.views;
  scan["axis"] = Number{Scene::axis, Unit::px};
  scan["tilt"] = Number{Scene::tilt, Unit::deg};
  scan["stripes"] = Number{s.stripes, Unit::none};
  c.graph.nodes.at("tv").params["iterations"] = s.tv_iterations;
  c.settings.errors = learn::Errors::none;
  return c;
}

// Of a pipeline as it stands: the error of the held-out views, and the share of the object's voxels that the mask has
// wrong.
struct Quality {
  double held_out = 0, wrong = 0;
};

double number(Executor& e, const Graph& g) {
  return std::get<Scalar>(e.pull(g, "misfit", "loss").or_throw()).value.item<double>();
}

Quality quality(const Graph& g) {
  Executor e(test::registry(), {});
  const auto mask = std::get<Volume>(e.pull(g, "mask", "volume").or_throw());
  const at::Tensor inside =
      std::get<Volume>(e.pull(g, "load", "truth", mask.grid).or_throw()).data.gt(0.5 * test::phase_truth().attenuation);
  return {number(e, g), mask.data.gt(0.5).ne(inside).sum().item<double>() / inside.sum().item<double>()};
}

learn::Learned learned(const test::LearnCase& c, const std::vector<learn::Target>& targets) {
  learn::Settings s = c.settings;
  s.targets = targets;
  Executor executor(test::registry(), {});
  return learn::learn(executor, test::registry(), c.graph, s).or_throw();
}

// Targets that are tuned at a time: delta and beta only tell together.
std::vector<std::vector<learn::Target>> one_by_one(const learn::Settings& s) {
  std::vector<std::vector<learn::Target>> all;
  for (const learn::Target& t : s.targets) {
    if (t.node == "beta") {
      all.front().push_back(t);
    } else {
      all.push_back({t});
    }
  }
  return all;
}

void tell(const char* name, const learn::Learned& l) {
  std::fprintf(stderr, "  %s:", name);
  for (const learn::Found& f : l.found) std::fprintf(stderr, " %s.%s %.4g", f.node.c_str(), f.name.c_str(), f.value[0]);
  std::fprintf(stderr, "; %lld evaluations, %.1f s, %s\n", static_cast<long long>(l.evaluations), l.seconds,
               learn::words(l.reason).c_str());
}

// Mean and its sigma.
class Mean {
 public:
  void add(double v) { values_.push_back(v); }
  [[nodiscard]] std::string text() const {
    const auto n = static_cast<double>(values_.size());
    double mean = 0, square = 0;
    for (const double v : values_) mean += v / n;
    for (const double v : values_) square += (v - mean) * (v - mean);
    char text[64];
    std::snprintf(text, sizeof text, "%.3g ± %.2g", mean, n > 1 ? std::sqrt(square / (n - 1) / n) : 0.0);
    return text;
  }

 private:
  std::vector<double> values_;
};

}  // namespace

void together_case(Arguments& arguments) {
  Scene s;
  s.size = arguments.number("size", s.size);
  s.rows = arguments.number("rows", s.rows);
  s.views = arguments.number("views", s.views);
  s.noise = std::stod(arguments.text("noise", "0.03"));
  s.stripes = std::stod(arguments.text("stripes", "0.2"));
  s.tv_iterations = arguments.number("tv_iterations", s.tv_iterations);
  const int64_t seeds = arguments.number("seeds", 4), first = arguments.number("first", 1);
  const bool detail = arguments.number("detail", 1) != 0;
  arguments.finish();
  Mean less_error, less_wrong;
  std::printf("| seed | | error of the held-out views | wrong voxels [%%] | seconds |\n|---|---|---|---|---|\n");
  for (s.seed = first; s.seed < first + seeds; ++s.seed) {
    const test::LearnCase c = together(s);
    const auto row = [&](const char* name, const Quality& q, double seconds) {
      std::printf("| %lld | %s | %.4e | %.2f | %.1f |\n", static_cast<long long>(s.seed), name, q.held_out,
                  100 * q.wrong, seconds);
      std::fflush(stdout);
    };
    row("start", quality(c.graph), 0);
    Graph alone = c.graph;
    double seconds = 0;
    for (const auto& targets : one_by_one(c.settings)) {
      const learn::Learned l = learned(c, targets);
      if (detail) tell("alone", l);
      alone = learn::accept(alone, l);
      seconds += l.seconds;
    }
    const Quality each = quality(alone);
    row("each alone", each, seconds);
    const learn::Learned l = learned(c, c.settings.targets);
    if (detail) tell("together", l);
    const Quality all = quality(learn::accept(c.graph, l));
    row("together", all, l.seconds);
    less_error.add(100 * (1 - all.held_out / each.held_out));
    less_wrong.add(100 * (each.wrong - all.wrong));
  }
  std::printf(
      "\nTogether instead of each alone: %s %% less error of the held-out views, %s %% of the voxels less wrong.\n",
      less_error.text().c_str(), less_wrong.text().c_str());
}

}  // namespace tl::bench
