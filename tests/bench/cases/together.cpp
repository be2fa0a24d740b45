// Case "together": axis, tilt, width of stripes, delta over beta and strength of total variation of one noisy scan with
// phase contrast, by views that the volume was not made of: each of them alone, all at once, one after the other, and
// all at once from there. network=1: a network behind the volume, trained before on another scan, and the cross-entropy
// of what it segments instead. size=24 pixels, views=4 per column, seeds=3 scans, first=1, noise=0.05, distance=750 mm,
// pixel=5.5 um; iterations=15 of total variation; stripes=0.05: the share of pixels with them; beta=1: the share of the
// true beta that is assumed; tune=0: the objective at a few values alone.
#include <ATen/ATen.h>

#include <algorithm>
#include <cinttypes>
#include <cmath>

#include "core/learn/learner/learner.h"
#include "tests/bench/cases/case_studies.h"
#include "tests/support/learn/phase_case.h"

namespace tl::bench {
namespace {

constexpr double true_axis = 0.8, true_tilt = 1;  // [px], [deg]

// Untuned.
constexpr double usual_strength = 1e-2, usual_sigma = 3;  // [1/mm]; cycles over the scan

struct Scan {
  test::PhaseBox box;
  int64_t views_per_column = 4, iterations = 15;
  double stripes = 0.05, share_of_beta = 1;
  bool network = false;
};

Number number(double value, Unit unit = Unit::none) { return {value, unit}; }

// The measured views, and those that make the volume.
Graph measured(const Scan& s) {
  Graph g;
  g.nodes["load"] = test::phase_scan(s.box);
  auto& scan = g.nodes["load"].params;
  scan["views"] = s.views_per_column * s.box.size;
  scan["axis"] = number(true_axis, Unit::px);
  scan["tilt"] = number(true_tilt, Unit::deg);
  scan["stripes"] = number(s.stripes);
  g.nodes["flat_field"] = {"correct.flat_field", 1, {{"logarithm", std::string("off")}}};
  g.nodes["set"] = {"geometry.set", 1, {{"axis", number(0, Unit::px)}, {"tilt", number(0, Unit::deg)}}};
  g.nodes["others"] = {"geometry.select_views", 1, {{"every", int64_t{2}}, {"give", std::string("others")}}};
  g.nodes["held_out"] = {"geometry.select_views", 1, {{"every", int64_t{2}}, {"give", std::string("picked")}}};
  g.nodes["stripes"] = {
      "correct.stripe_fourier_wavelet", 1, {{"sigma", number(usual_sigma)}, {"columns", std::string("all")}}};
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{{"load", "flat_field"},
                                                                                 {"flat_field", "set"},
                                                                                 {"set", "others"},
                                                                                 {"set", "held_out"},
                                                                                 {"others", "stripes"}})
    test::link(g, from, "projections", to, "projections");
  return g;
}

// What a mask of the volume predicts for the held-out views, phase contrast included, is compared with them.
void predict_views(Graph& g) {
  g.nodes["mask"] = {"segment.soft_otsu", 1, {}};
  g.nodes["project"] = {"recon.forward_projection", 1, {{"quantity", std::string("thickness")}}};
  g.nodes["propagate"] = {"phase.propagate", 1, {}};
  g.nodes["loss"] = {"objective.data_error", 1, {{"scale", std::string("absolute")}}};
  test::link(g, "tv", "volume", "mask", "volume");
  test::link(g, "mask", "volume", "project", "volume");
  test::link(g, "held_out", "projections", "project", "like");
  test::link(g, "project", "projections", "propagate", "projections");
  for (const char* index : {"delta", "beta"}) test::link(g, index, "number", "propagate", index);
  test::link(g, "propagate", "projections", "loss", "projections");
  test::link(g, "held_out", "projections", "loss", "measured");
}

// What a network makes of the volume is compared with the mask of the true object.
void segment(Graph& g) {
  g.nodes["network"] = {
      "filter.network", 1, {{"channels", NumberList{{8}, Unit::none}}, {"gives", std::string("picture")}}};
  g.nodes["truth"] = {"segment.soft_otsu", 1, {{"sharpness", number(1e3)}}};
  g.nodes["loss"] = {"objective.cross_entropy", 1, {{"meaning", std::string("logits")}}};
  test::link(g, "tv", "volume", "network", "volume");
  test::link(g, "load", "truth", "truth", "volume");
  test::link(g, "network", "volume", "loss", "volume");
  test::link(g, "truth", "volume", "loss", "target");
}

// delta is a third of the true one.
Graph pipeline(const Scan& s) {
  Graph g = measured(s);
  g.nodes["delta"] = {"input.number", 1, {{"value", number(test::phase_truth().delta / 3)}}};
  g.nodes["beta"] = {"input.number", 1, {{"value", number(s.share_of_beta * test::phase_truth().beta)}}};
  g.nodes["paganin"] = {"phase.paganin", 1, {{"output", std::string("thickness")}}};
  g.nodes["tv"] = {"recon.tv",
                   1,
                   {{"iterations", s.iterations},
                    {"width", s.box.size},
                    {"steps", std::string("filtered")},
                    {"strength", number(usual_strength, Unit::per_mm)}}};
  test::link(g, "stripes", "projections", "paganin", "projections");
  for (const char* index : {"delta", "beta"}) test::link(g, index, "number", "paganin", index);
  test::link(g, "paganin", "projections", "tv", "projections");
  s.network ? segment(g) : predict_views(g);
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
          {"stripes", {logarithmic("stripes", "sigma", 0.02, 20, Unit::none)}},
          {"TV", {logarithmic("tv", "strength", 1e-6, 10, Unit::per_mm)}}};
}

// How good a pipeline's values are: its objective, and the volume against the truth: the root of the mean square of the
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
  g.nodes.at("set").params = {{"axis", Number{true_axis, Unit::px}}, {"tilt", Number{true_tilt, Unit::deg}}};
  g.nodes["delta"].params["value"] = Number{test::phase_truth().delta, Unit::none};
  g.nodes["beta"].params["value"] = Number{test::phase_truth().beta, Unit::none};
  return g;
}

// The weights of the network, from another scan of which everything is known.
Graph trained(Scan s) {
  constexpr int64_t other = 1000;
  s.box.seed += other;
  const Graph g = with_truth(pipeline(s));
  learn::Settings settings;
  settings.objective = {"loss", "loss"};
  settings.targets = {test::target("network", "weights")};
  settings.survey = learn::Survey::none;
  settings.errors = learn::Errors::none;
  Executor e(test::registry(), {});
  const learn::Learned l = learn::learn(e, test::registry(), g, settings).or_throw();
  Graph done = learn::with_values(g, {learn::value_of(l.found.front())});
  std::printf("the network, trained on scan %" PRId64 ": loss %.4f, before %.4f\n", s.box.seed, quality_of(done).loss,
              quality_of(g).loss);
  return done;
}

// The objective at some values, for choosing a scan.
void survey(const Graph& untuned, const Graph& truth) {
  const auto report = [](const char* name, const Graph& g) {
    const Quality q = quality_of(g);
    std::printf("  %s: loss %.5g, error %.3g\n", name, q.loss, q.error);
  };
  report("untuned", untuned);
  report("axis, tilt and delta as they are", truth);
  for (const double strength : {1e-4, 1e-2, 1e-1, 1.0}) {
    Graph g = truth;
    g.nodes.at("tv").params["strength"] = number(strength, Unit::per_mm);
    report(("the same, strength " + std::to_string(strength)).c_str(), g);
  }
  for (const double sigma : {0.02, 0.6, 2.0, 6.0}) {
    Graph g = truth;
    g.nodes.at("stripes").params["sigma"] = number(sigma);
    report(("the same, sigma " + std::to_string(sigma)).c_str(), g);
  }
  for (const auto& [axis, tilt, delta] : {std::tuple(0.0, 1.0, 1.0), {1.0, 0.0, 1.0}, {1.0, 1.0, 1.0 / 3}}) {
    Graph g = truth;
    g.nodes.at("set").params = {{"axis", number(axis * true_axis, Unit::px)},
                                {"tilt", number(tilt * true_tilt, Unit::deg)}};
    g.nodes.at("delta").params["value"] = number(delta * test::phase_truth().delta);
    report(axis == 0 ? "the same, axis 0" : tilt == 0 ? "the same, tilt 0" : "the same, a third of delta", g);
  }
  // Along the axis: a descent goes to the next minimum.
  for (const auto& [name, from] :
       {std::pair<const char*, const Graph&>{"untuned", untuned}, {"the rest as it is", truth}})
    for (double axis = -4; axis <= 4; axis += 0.8) {
      Graph g = from;
      g.nodes.at("set").params["axis"] = number(axis, Unit::px);
      report((std::string(name) + ", axis " + std::to_string(axis)).c_str(), g);
    }
  std::fflush(stdout);
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

void report(const Scan& s, const std::string& name, const learn::Learned& l, const Quality& q) {
  std::printf("scan %" PRId64 ", %s: loss %.5g, error %.4f;", s.box.seed, name.c_str(), q.loss, q.error);
  for (const learn::Found& f : l.found) {
    std::printf(" %s.%s %.4g", f.node.c_str(), f.name.c_str(), f.value.front());
    if (!f.uncertainty.empty()) std::printf(" ± %.2g", f.uncertainty.front());
    std::printf(" (%s: %s)", std::string(to_string(f.trust)).c_str(), f.explanation.c_str());
  }
  std::printf("\n");
  std::fflush(stdout);
}

// Pipelines of one scan starting from its untuned one, each a row of the table.
class Tuning {
 public:
  Tuning(const Scan& scan, const Graph& untuned, Table& table)
      : scan_(scan), start_(quality_of(untuned)), table_(table) {}

  void add(const std::string& name, const Graph& g) { table_.add(name, quality_of(g), start_, 0, 0); }
  // What learning makes of a pipeline, which counts as a row where it is named.
  struct Made {
    Graph graph;
    Quality quality;
    double seconds = 0;
    int64_t evaluations = 0;
  };
  Made tune(const std::string& name, const Graph& from, const std::vector<learn::Target>& targets,
            learn::Errors errors = learn::Errors::none) const {
    learn::Settings settings;
    settings.objective = {"loss", "loss"};
    settings.targets = targets;
    settings.survey = learn::Survey::none;
    settings.errors = errors;
    Executor e(test::registry(), {});
    const learn::Learned l = learn::learn(e, test::registry(), from, settings).or_throw();
    std::vector<learn::TargetValue> values;
    for (const learn::Found& f : l.found) values.push_back(learn::value_of(f));
    Made made{learn::with_values(from, values), {}, l.seconds, l.evaluations};
    made.quality = quality_of(made.graph);
    report(scan_, name, l, made.quality);
    return made;
  }
  void add(const std::string& name, const Made& made) {
    table_.add(name, made.quality, start_, made.seconds, made.evaluations);
  }

 private:
  const Scan& scan_;
  Quality start_;
  Table& table_;
};

// Each alone; all at once from the untuned; one after the other, the most effective first, and all at once from there.
void tune_all_ways(const Scan& s, const Graph& untuned, Table& table) {
  Tuning tuning(s, untuned, table);
  tuning.add("nothing", untuned);
  tuning.add("axis, tilt, delta as they are", with_truth(untuned));
  std::vector<learn::Target> all;
  std::vector<std::pair<double, std::size_t>> order;
  const auto each = groups();
  for (const auto& [name, targets] : each) {
    const auto made = tuning.tune(name + " alone", untuned, targets);
    tuning.add(name + " alone", made);
    order.emplace_back(made.quality.loss, order.size());
    all.insert(all.end(), targets.begin(), targets.end());
  }
  tuning.add("all at once", tuning.tune("all at once", untuned, all, learn::Errors::sandwich));
  std::sort(order.begin(), order.end());
  Tuning::Made in_turn{untuned, {}, 0, 0};
  for (const auto& [loss, i] : order) {
    auto next = tuning.tune("then " + each[i].first, in_turn.graph, each[i].second);
    next.seconds += in_turn.seconds;
    next.evaluations += in_turn.evaluations;
    in_turn = std::move(next);
  }
  tuning.add("one after the other", in_turn);
  auto last = tuning.tune("and all at once from there", in_turn.graph, all, learn::Errors::sandwich);
  last.seconds += in_turn.seconds;
  last.evaluations += in_turn.evaluations;
  tuning.add("and all at once from there", last);
}

}  // namespace

void together_case(Arguments& arguments) {
  Scan s;
  const auto real = [&](const char* name, const char* usual) { return std::stod(arguments.text(name, usual)); };
  s.box.size = arguments.number("size", 24);
  s.box.phantom = arguments.text("phantom", "hollow_box");
  s.views_per_column = arguments.number("views", s.views_per_column);
  s.iterations = arguments.number("iterations", s.iterations);
  s.network = arguments.number("network", 0) != 0;
  s.box.noise = real("noise", "0.05");
  s.box.distance = real("distance", "750");
  s.box.pixel_size = real("pixel", "5.5");
  s.stripes = real("stripes", "0.05");
  s.share_of_beta = real("beta", "1");
  const int64_t seeds = arguments.number("seeds", 3), first = arguments.number("first", 1);
  const bool tunes = arguments.number("tune", 1) != 0;
  arguments.finish();
  Table table;
  for (s.box.seed = first; s.box.seed < first + seeds; ++s.box.seed) {
    Graph untuned = pipeline(s);
    if (s.network) untuned.nodes.at("network").params = trained(s).nodes.at("network").params;
    if (!tunes) {
      survey(untuned, with_truth(untuned));
      continue;
    }
    tune_all_ways(s, untuned, table);
  }
  table.print();
}

}  // namespace tl::bench
