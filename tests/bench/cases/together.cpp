// Case "together": axis, tilt, delta over beta and the strength of total variation of one noisy scan with phase
// contrast, by views that the volume was not made of: each of them alone, all found alone put together, and all at
// once. size=32 pixels, seeds=3 scans, first=1, noise=0.005, distance=750 mm, pixel=5.5 um; stripes=0.02: the share of
// pixels with them; beta=1: the share of the true beta that is assumed.
#include <ATen/ATen.h>

#include <algorithm>
#include <cinttypes>
#include <cmath>

#include "core/learn/learner.h"
#include "tests/bench/cases/case_studies.h"
#include "tests/support/learn/phase_case.h"

namespace tl::bench {
namespace {

constexpr double true_axis = 1.7, true_tilt = 1.5;  // [px], [deg]

struct Scan {
  test::PhaseBox box;
  double stripes = 0.02, share_of_beta = 1;
};

// Half of the views make the volume; what it foretells of the others, phase contrast included, is compared with them.
Graph pipeline(const Scan& s) {
  Graph g;
  const auto number = [](double value, Unit unit = Unit::none) { return Number{value, unit}; };
  g.nodes["load"] = test::phase_scan(s.box);
  auto& scan = g.nodes["load"].params;
  scan["axis"] = number(true_axis, Unit::px);
  scan["tilt"] = number(true_tilt, Unit::deg);
  scan["stripes"] = number(s.stripes);
  g.nodes["flat_field"] = {"correct.flat_field", 1, {{"logarithm", std::string("off")}}};
  g.nodes["stripes"] = {"correct.stripe_removal", 2, {}};
  g.nodes["set"] = {"geometry.set", 1, {{"axis", number(0, Unit::px)}, {"tilt", number(0, Unit::deg)}}};
  g.nodes["others"] = {"geometry.select_views", 1, {{"every", int64_t{2}}, {"give", std::string("others")}}};
  g.nodes["held_out"] = {"geometry.select_views", 1, {{"every", int64_t{2}}, {"give", std::string("picked")}}};
  // delta is a third of the true one.
  g.nodes["delta"] = {"input.number", 1, {{"value", number(test::phase_truth().delta / 3)}}};
  g.nodes["beta"] = {"input.number", 1, {{"value", number(s.share_of_beta * test::phase_truth().beta)}}};
  g.nodes["paganin"] = {"phase.paganin", 1, {{"output", std::string("thickness")}}};
  g.nodes["tv"] = {"recon.tv",
                   1,
                   {{"iterations", int64_t{30}},
                    {"width", s.box.size},
                    {"steps", std::string("filtered")},
                    {"strength", number(1e-3, Unit::per_mm)}}};
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{{"load", "flat_field"},
                                                                                 {"flat_field", "stripes"},
                                                                                 {"stripes", "set"},
                                                                                 {"set", "others"},
                                                                                 {"set", "held_out"},
                                                                                 {"others", "paganin"},
                                                                                 {"paganin", "tv"}})
    test::link(g, from, "projections", to, "projections");
  for (const char* index : {"delta", "beta"}) test::link(g, index, "number", "paganin", index);
  g.nodes["project"] = {"recon.forward_projection", 1, {{"quantity", std::string("thickness")}}};
  g.nodes["propagate"] = {"phase.propagate", 1, {}};
  g.nodes["loss"] = {"objective.data_error", 1, {{"scale", std::string("absolute")}}};
  test::link(g, "tv", "volume", "project", "volume");
  test::link(g, "held_out", "projections", "project", "like");
  test::link(g, "project", "projections", "propagate", "projections");
  for (const char* index : {"delta", "beta"}) test::link(g, index, "number", "propagate", index);
  test::link(g, "propagate", "projections", "loss", "projections");
  test::link(g, "held_out", "projections", "loss", "measured");
  return g;
}

learn::Target logarithmic(const std::string& node, const std::string& name, double low, double high, Unit unit) {
  learn::Target t = test::target(node, name);
  t.scale = learn::Scale::logarithmic;
  t.low = Number{low, unit};
  t.high = Number{high, unit};
  return t;
}

// What is tuned by itself: names and unknowns.
std::vector<std::pair<std::string, std::vector<learn::Target>>> groups() {
  return {{"axis", {test::target("set", "axis")}},
          {"tilt", {test::target("set", "tilt")}},
          {"delta/beta", {logarithmic("delta", "value", 1e-9, 1e-4, Unit::none)}},
          {"TV", {logarithmic("tv", "strength", 1e-6, 1, Unit::per_mm)}}};
}

// How good a pipeline's values are: its objective, and the volume beside the truth: the root of the mean square of the
// difference over that of the object.
struct Quality {
  double loss = 0, error = 0;
};
Quality quality_of(const Graph& g) {
  Executor e(test::registry(), {});
  const auto loss = std::get<Scalar>(e.pull(g, "loss", "loss").or_throw());
  // 1 inside the object.
  const at::Tensor volume = std::get<Volume>(e.pull(g, "tv", "volume").or_throw()).data;
  at::Tensor truth = std::get<Volume>(e.pull(g, "load", "truth").or_throw()).data;
  truth = truth / truth.max();
  return {loss.value.item<double>(),
          std::sqrt(((volume - truth).square().mean() / truth.square().mean()).item<double>())};
}

Graph with_truth(Graph g) {
  g.nodes["set"].params = {{"axis", Number{true_axis, Unit::px}}, {"tilt", Number{true_tilt, Unit::deg}}};
  g.nodes["delta"].params["value"] = Number{test::phase_truth().delta, Unit::none};
  g.nodes["beta"].params["value"] = Number{test::phase_truth().beta, Unit::none};
  return g;
}

// Means over the scans, with the standard deviation of one.
struct Spread {
  std::vector<double> values;
  [[nodiscard]] std::string text() const {
    const at::Tensor all = at::tensor(values, at::kDouble);
    char words[64];
    std::snprintf(words, sizeof words, "%.4g ± %.2g", all.mean().item<double>(),
                  values.size() > 1 ? all.std().item<double>() : 0.0);
    return words;
  }
};
struct Row {
  std::string name;
  Spread loss, error, gain, seconds, evaluations;
};

class Table {
 public:
  // `start` of the same scan: gain is the share by which the loss falls.
  void add(const std::string& name, const Quality& q, const Quality& start, double seconds, int64_t evaluations) {
    auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) { return r.name == name; });
    if (row == rows_.end()) row = rows_.insert(rows_.end(), Row{name, {}, {}, {}, {}, {}});
    row->loss.values.push_back(q.loss);
    row->error.values.push_back(q.error);
    row->gain.values.push_back(100 * (1 - q.loss / start.loss));
    row->seconds.values.push_back(seconds);
    row->evaluations.values.push_back(static_cast<double>(evaluations));
  }
  void print() const {
    std::printf(
        "\n| tuned | loss | less than untuned [%%] | error of the volume | evaluations | s "
        "|\n|---|---|---|---|---|---|\n");
    for (const Row& r : rows_)
      std::printf("| %s | %s | %s | %s | %s | %s |\n", r.name.c_str(), r.loss.text().c_str(), r.gain.text().c_str(),
                  r.error.text().c_str(), r.evaluations.text().c_str(), r.seconds.text().c_str());
  }

 private:
  std::vector<Row> rows_;
};

void tell(const Scan& s, const std::string& name, const learn::Learned& l, const Quality& q) {
  std::printf("scan %" PRId64 ", %s: loss %.5g, error %.4f;", s.box.seed, name.c_str(), q.loss, q.error);
  for (const learn::Found& f : l.found)
    std::printf(" %s.%s %.4g%s (%s)", f.node.c_str(), f.name.c_str(), f.value.front(),
                f.uncertainty.empty() ? "" : (" ± " + std::to_string(f.uncertainty.front())).c_str(),
                (std::string(to_string(f.trust)) + ": " + f.explanation).c_str());
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

void together_case(Arguments& arguments) {
  Scan s;
  const auto real = [&](const char* name, const char* usual) { return std::stod(arguments.text(name, usual)); };
  s.box.size = arguments.number("size", 32);
  s.box.noise = real("noise", "0.005");
  s.box.distance = real("distance", "750");
  s.box.pixel_size = real("pixel", "5.5");
  s.stripes = real("stripes", "0.02");
  s.share_of_beta = real("beta", "1");
  const int64_t seeds = arguments.number("seeds", 3), first = arguments.number("first", 1);
  arguments.finish();
  Table table;
  for (s.box.seed = first; s.box.seed < first + seeds; ++s.box.seed) {
    const Graph untuned = pipeline(s);
    const Quality start = quality_of(untuned);
    table.add("nothing", start, start, 0, 0);
    table.add("axis, tilt, delta as they are", quality_of(with_truth(untuned)), start, 0, 0);
    std::vector<learn::Target> all;
    Graph put_together = untuned;
    double seconds = 0;
    int64_t evaluations = 0;
    const auto tune = [&](const std::string& name, const std::vector<learn::Target>& targets) {
      learn::Settings settings;
      settings.objective = {"loss", "loss"};
      settings.targets = targets;
      settings.survey = learn::Survey::none;
      Executor e(test::registry(), {});
      const learn::Learned l = learn::learn(e, test::registry(), untuned, settings).or_throw();
      std::vector<learn::TargetValue> values;
      for (const learn::Found& f : l.found) values.push_back(learn::value_of(f));
      const Quality q = quality_of(learn::with_values(untuned, values));
      tell(s, name, l, q);
      table.add(name, q, start, l.seconds, l.evaluations);
      put_together = learn::with_values(put_together, values);
      seconds += l.seconds;
      evaluations += l.evaluations;
    };
    for (const auto& [name, targets] : groups()) {
      tune(name + " alone", targets);
      all.insert(all.end(), targets.begin(), targets.end());
    }
    table.add("each alone, put together", quality_of(put_together), start, seconds, evaluations);
    tune("all at once", all);
  }
  table.print();
}

}  // namespace tl::bench
