// Generated cases of `tomoloom train`: scores after training on planes of all directions, or of one direction.
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/training/training_cases.h"
#include "core/base/text.h"
#include "core/net/forward.h"
#include "core/train/network_to_train.h"
#include "core/train/scores.h"
#include "gpu/segmentation/thresholds/thresholds.h"

namespace tl::cli {
namespace {

void print_table(const ScoreRows& rows, const std::string& name, const Cli& cli) {
  if (cli.output_mode == OutputMode::json) {
    Json line{{"event", "done"}, {"case", name}};
    for (const ScoreRow& r : rows) {
      Json row{{"title", r.title}};
      for (const auto& [column, value] : r.values) row[column] = std::isfinite(value) ? Json(value) : Json();
      line["rows"].push_back(std::move(row));
    }
    print_json(line);
  }
  if (cli.output_mode != OutputMode::text) return;
  std::string head(34, ' ');
  for (const auto& [column, value] : rows[0].values) head += formatted(" %16s", column.c_str());
  say(stdout, head);
  for (const ScoreRow& r : rows) {
    std::string line = formatted("%-34s", r.title.c_str());
    for (const auto& [column, value] : r.values) line += formatted(" %16.4f", value);
    say(stdout, line);
  }
}

train::Sampling planes_of(train::Planes planes) {
  train::Sampling s;
  s.planes = planes;
  s.axis = 1;  // slices stand upright
  return s;
}

// Scores of the network on planes of the test volumes; every network gets the same planes.
Result<train::ConfusionMatrix> scores_on(const net::Network& network, const std::vector<train::Item>& test,
                                         train::Planes planes, int64_t count, uint64_t seed, const Cli& cli) {
  const auto classes = static_cast<int64_t>(network.classes.size());
  TL_TRY(const train::Sampler sampler, train::Sampler::make(test, classes, planes_of(planes), {}));
  const at::AutoGradMode off(false);
  train::ConfusionMatrix matrix(classes);
  net::ForwardOptions forward;
  forward.cancel = cli.cancel;
  for (int64_t i = 0; i < count; ++i) {
    const auto drawn = sampler.draw(seed, static_cast<uint64_t>(i), train::Variation::as_it_is);
    const at::Tensor map = net::forward(network, drawn.sample.input.unsqueeze(0), forward);
    matrix.add(drawn.sample.target, net::probabilities(network, map).argmax(1)[0]);
  }
  return matrix;
}

// Strands by a threshold, of all voxels or of those in the tube.
Result<double> otsu_f1(const train::GeneratedCase& made, bool in_tube, int64_t count, uint64_t seed) {
  ops::GreyHistogram histogram;
  std::vector<train::Item> found = made.test;
  for (std::size_t i = 0; i < found.size(); ++i)
    histogram.add(found[i].volume[0], in_tube ? made.inside[i] : at::Tensor());
  TL_TRY(const double limit, ops::threshold(histogram, ops::ThresholdMethod::otsu));
  for (std::size_t i = 0; i < found.size(); ++i) {
    at::Tensor bright = found[i].volume.gt(limit);
    if (in_tube) bright = bright.logical_and(made.inside[i].unsqueeze(0));
    found[i].volume = bright.to(at::kFloat);
  }
  // The same planes as for the networks: the draw depends on the labels alone.
  TL_TRY(const train::Sampler sampler, train::Sampler::make(found, 2, planes_of(train::Planes::omnidirectional), {}));
  train::ConfusionMatrix matrix(2);
  for (int64_t i = 0; i < count; ++i) {
    const auto drawn = sampler.draw(seed, static_cast<uint64_t>(i), train::Variation::as_it_is);
    matrix.add(drawn.sample.target, drawn.sample.input[0].gt(0.5).to(at::kLong));
  }
  return matrix.f1()[1];
}

// Samples for training: rare classes are drawn as often as others, so that a few hundred steps suffice.
train::Sampling samples_of(train::Planes planes, const CasePlan& plan) {
  train::Sampling s = planes_of(planes);
  s.edge = std::min(plan.patch, plan.size.edge);
  s.prior = train::Prior::classes;
  return s;
}

constexpr uint64_t test_seed = 0x74657374;

CasePlan plan_for(const TrainArguments& o, CasePlan plan) {
  plan.size.edge = o.edge.value_or(plan.size.edge);
  plan.epochs = o.epochs.value_or(plan.epochs);
  plan.steps = o.steps.value_or(plan.steps);
  const auto is_given = [&](const char* name) { return o.given.count(name) != 0; };
  if (is_given("--network")) plan.network = o.network;
  if (is_given("--rate")) plan.rate = o.rate;
  if (is_given("--patch")) plan.patch = o.patch;
  return plan;
}

}  // namespace

train::TrainingOptions case_options(const CasePlan& plan, const TrainArguments& o, const Cli& cli) {
  train::TrainingOptions t;
  t.epochs = plan.epochs;
  t.steps = plan.steps;
  t.optimiser.rate = plan.rate;
  t.schedule = train::RateSchedule::cosine;
  t.validation_samples = 16;
  t.batch = o.batch;
  if (o.given.count("--patience") != 0) t.patience = o.patience;
  t.seed = static_cast<uint64_t>(o.seed);
  t.cancel = cli.cancel;
  return t;
}

Result<net::Network> trained(const CasePlan& plan, const TrainArguments& o, const train::TrainingSet& set,
                             const train::Sampling& sampling, const std::string& what, const Cli& cli) {
  TL_TRY(net::Network network,
         train::network_to_train(plan.network, o.weights, static_cast<int64_t>(set.classes.size()), 1));
  train::TrainingOptions options = case_options(plan, o, cli);
  options.sampling = sampling;
  TL_TRY(train_and_report(network, set, options, what, cli));
  return network;
}

namespace {

Result<ScoreRows> fibres_scores(const TrainArguments& o, const train::FibreCase& of, const CasePlan& plan,
                                const Cli& cli) {
  TL_TRY(const train::GeneratedCase made, train::fibres(of, plan.size, static_cast<uint64_t>(o.seed), cli.cancel));
  const bool container = of.scene == train::FibreScene::container;
  ScoreRows rows;
  for (const auto& [planes, title] : {std::pair{train::Planes::omnidirectional, "trained on random planes"},
                                      std::pair{train::Planes::slices, "trained on upright slices"}}) {
    TL_TRY(const net::Network network, trained(plan, o, made.set, samples_of(planes, plan), title, cli));
    ScoreRow row{title, {}};
    for (const auto& [tested, column] : {std::pair{train::Planes::omnidirectional, "random planes"},
                                         std::pair{train::Planes::slices, "upright planes"}}) {
      TL_TRY(const train::ConfusionMatrix m, scores_on(network, made.test, tested, plan.planes, test_seed, cli));
      row.values.emplace_back(column, container ? m.f1()[1] : m.macro_f1());
    }
    rows.push_back(std::move(row));
    if (planes == train::Planes::omnidirectional && !o.output.empty())
      TL_TRY(train::write_network(network, o.output, cli.files.rules()));
  }
  if (container)
    for (const auto& [in_tube, title] :
         {std::pair{true, "Otsu's threshold within the tube"}, std::pair{false, "Otsu's threshold"}}) {
      TL_TRY(const double f1, otsu_f1(made, in_tube, plan.planes, test_seed));
      rows.push_back({title, {{"random planes", f1}}});
    }
  return rows;
}

Result<ScoreRows> circles_squares_scores(const TrainArguments& o, const CasePlan& plan, const Cli& cli) {
  TL_TRY(const train::GeneratedCase made, train::circles_squares(plan.size, static_cast<uint64_t>(o.seed)));
  train::Sampling sampling;
  sampling.edge = std::min(plan.patch, plan.size.edge);
  sampling.prior = train::Prior::classes;
  TL_TRY(const net::Network network, trained(plan, o, made.set, sampling, "", cli));
  const at::AutoGradMode off(false);
  train::ConfusionMatrix matrix(static_cast<int64_t>(made.set.classes.size()));
  for (const train::Item& item : made.test) {
    const at::Tensor map = net::forward(network, item.volume.transpose(0, 1).contiguous());
    matrix.add(item.labels, net::probabilities(network, map).argmax(1));
  }
  if (!o.output.empty()) TL_TRY(train::write_network(network, o.output, cli.files.rules()));
  ScoreRow row{"test pictures", {{"accuracy", matrix.accuracy()}, {"macro F1", matrix.macro_f1()}}};
  const std::vector<double> f1 = matrix.f1();
  for (std::size_t c = 0; c < f1.size(); ++c) row.values.emplace_back(made.set.classes[c].name, f1[c]);
  return ScoreRows{row};
}

}  // namespace

bool is_generated_case(const std::string& name) {
  return name == "fibres-spheres" || name == "fibres-container" || name == "circles-squares" || name == "cells";
}

Result<ScoreRows> generated_case_scores(const TrainArguments& o, const Cli& cli) {
  if (o.data[0] == "circles-squares") {
    const CasePlan plan = o.full ? CasePlan{{500, 100, 50, 256}, "msd depth=100", 300, 500, 1e-3, 0, 0}
                                 : CasePlan{{60, 8, 10, 256}, "msd depth=20", 10, 150, 5e-3, 64, 0};
    return circles_squares_scores(o, plan_for(o, plan), cli);
  }
  if (o.data[0] == "cells") {
    const CasePlan plan = o.full ? CasePlan{{100, 20, 20, 512}, "msd depth=50", 100, 200, 1e-3, 128, 0}
                                 : CasePlan{{12, 4, 6, 192}, "msd depth=20", 6, 100, 5e-3, 64, 0};
    return cells_scores(o, plan_for(o, plan), cli);
  }
  const train::FibreScene scene =
      o.data[0] == "fibres-spheres" ? train::FibreScene::spheres : train::FibreScene::container;
  CasePlan plan =
      o.full
          ? CasePlan{{14, 4, 2, 512}, "msd depth=100", 200, 500, 1e-3, 0, 200}
          : CasePlan{{3, 1, 1, 128}, "msd depth=20", 6, scene == train::FibreScene::spheres ? 450 : 150, 5e-3, 64, 30};
  constexpr int64_t published_epochs = 14;
  if (o.published) plan.epochs = published_epochs;
  const train::FibreBodies bodies = o.published ? train::FibreBodies::published : train::FibreBodies::thin;
  return fibres_scores(o, {scene, bodies}, plan_for(o, plan), cli);
}

Result<void> run_generated_case(const TrainArguments& o, const Cli& cli) {
  TL_TRY(const ScoreRows rows, generated_case_scores(o, cli));
  if (cli.output_mode == OutputMode::text && o.data[0] == "fibres-container") say(stdout, "F1 of strands");
  if (cli.output_mode == OutputMode::text && o.data[0] == "fibres-spheres")
    say(stdout, "macro F1 of background, strands and spheres");
  print_table(rows, o.data[0], cli);
  return ok();
}

}  // namespace tl::cli
