// The generated case of `tomoloom prune`: accuracy as a function of the share of filters kept, for each method.
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/training/pruning.h"
#include "core/net/forward.h"
#include "core/train/cases/generated_cases.h"
#include "core/train/network_to_train.h"
#include "core/train/scores.h"

namespace tl::cli {
namespace {

struct PruningPlan {
  train::CaseSize size;
  int64_t patch;  // edge [px] of the training samples; 0: whole images
  std::string network;
  int64_t epochs, steps, pruned_epochs, pruned_steps;  // for the first training, and after each pruning step
  double rate, pruned_rate;
};

struct Measured {
  double accuracy = 0, kept = 0;
};
// By step of the pruning.
using AccuracyCurve = std::vector<Measured>;

constexpr net::PruneMethod compared_methods[] = {net::PruneMethod::lean, net::PruneMethod::operator_norm,
                                                 net::PruneMethod::l1};

// Share of correctly classified pixels, over all images.
double accuracy_on(const net::Network& network, const std::vector<train::Item>& test) {
  const at::AutoGradMode off(false);
  train::ConfusionMatrix matrix(static_cast<int64_t>(network.classes.size()));
  for (const train::Item& item : test) {
    const at::Tensor map = net::forward(network, item.volume.transpose(0, 1).contiguous());
    matrix.add(item.labels, net::probabilities(network, map).argmax(1));
  }
  return matrix.accuracy();
}

train::TrainingOptions options_for(const PruningPlan& plan, uint64_t seed, const Cli& cli) {
  train::TrainingOptions t;
  t.epochs = plan.epochs;
  t.steps = plan.steps;
  t.optimiser.rate = plan.rate;
  t.schedule = train::RateSchedule::cosine;
  t.validation_samples = 4;
  t.sampling.edge = std::min(plan.patch, plan.size.edge);
  if (plan.patch > 0) t.sampling.prior = train::Prior::classes;
  t.seed = seed;
  t.cancel = cli.cancel;
  return t;
}

Result<AccuracyCurve> pruned_curve(const net::Network& network, const train::GeneratedCase& made,
                                   net::PruneMethod method, const PruneArguments& o, const PruningPlan& plan,
                                   uint64_t seed, const Cli& cli) {
  AccuracyCurve curve;
  net::PruneOptions options;
  options.method = method;
  options.keep = o.keep;
  options.steps = o.steps;
  options.cancel = cli.cancel;
  options.fine_tune = [&](net::Network& n, const net::FilterMasks& masks) -> Result<void> {
    train::TrainingOptions t = options_for(plan, seed + 1000 * (curve.size() + 1), cli);
    t.epochs = plan.pruned_epochs;
    t.steps = plan.pruned_steps;
    t.optimiser.rate = plan.pruned_rate;
    t.masks = masks;
    TL_TRY(train::train(n, made.set, t));
    curve.push_back({accuracy_on(n, made.test), 0});
    return ok();
  };
  TL_TRY(const net::Pruned pruned, net::prune(network, options));
  for (std::size_t s = 0; s < curve.size(); ++s)
    curve[s].kept = static_cast<double>(pruned.steps[s].kept) / static_cast<double>(pruned.edges);
  return curve;
}

// Over the seeds.
struct AverageCurve {
  std::vector<Measured> mean;
  std::vector<double> spread;  // standard deviation of the accuracies
};
AverageCurve average(const std::vector<AccuracyCurve>& curves) {
  AverageCurve a;
  const auto n = static_cast<double>(curves.size());
  for (std::size_t s = 0; s < curves[0].size(); ++s) {
    Measured m;
    double squares = 0;
    for (const AccuracyCurve& c : curves) {
      m.accuracy += c[s].accuracy / n;
      m.kept += c[s].kept / n;
    }
    for (const AccuracyCurve& c : curves) squares += std::pow(c[s].accuracy - m.accuracy, 2);
    a.mean.push_back(m);
    a.spread.push_back(n > 1 ? std::sqrt(squares / (n - 1)) : 0);
  }
  return a;
}

struct CurvesByMethod {
  std::vector<double> asked;
  double unpruned = 0;
  std::vector<AverageCurve> curves;  // by compared method
};

// Mean accuracy over the steps whose requested ratio is at most 0.15.
double at_low_ratios(const CurvesByMethod& r, const AverageCurve& curve) {
  constexpr double low = 0.15;
  double sum = 0;
  int count = 0;
  for (std::size_t s = 0; s < r.asked.size(); ++s)
    if (r.asked[s] <= low + 1e-9) {
      sum += curve.mean[s].accuracy;
      ++count;
    }
  return count == 0 ? std::nan("") : sum / count;
}

void print_result(const CurvesByMethod& r, const Cli& cli) {
  if (cli.output_mode == OutputMode::json) {
    Json line{{"event", "done"}, {"case", "circles-squares"}, {"unpruned", r.unpruned}};
    for (std::size_t m = 0; m < r.curves.size(); ++m) {
      Json& method = line["methods"][std::string(to_string(compared_methods[m]))];
      for (std::size_t s = 0; s < r.asked.size(); ++s)
        method["steps"].push_back({{"asked", r.asked[s]},
                                   {"kept", r.curves[m].mean[s].kept},
                                   {"accuracy", r.curves[m].mean[s].accuracy},
                                   {"spread", r.curves[m].spread[s]}});
      const double low = at_low_ratios(r, r.curves[m]);
      method["accuracy_up_to_0.15"] = std::isfinite(low) ? Json(low) : Json();
    }
    std::printf("%s\n", line.dump().c_str());
  }
  if (cli.output_mode != OutputMode::text) return;
  std::printf("accuracy without pruning %.4f\n%7s", r.unpruned, "asked");
  for (const net::PruneMethod m : compared_methods)
    std::printf(" %12s    +-   kept", std::string(to_string(m)).c_str());
  std::printf("\n");
  for (std::size_t s = 0; s < r.asked.size(); ++s) {
    std::printf("%7.4f", r.asked[s]);
    for (const AverageCurve& c : r.curves)
      std::printf(" %12.4f %.3f %6.4f", c.mean[s].accuracy, c.spread[s], c.mean[s].kept);
    std::printf("\n");
  }
  std::printf("%7s", "<= 0.15");
  for (const AverageCurve& c : r.curves) std::printf(" %12.4f             ", at_low_ratios(r, c));
  std::printf("\n");
}

Result<CurvesByMethod> compare_methods(const PruneArguments& o, const Cli& cli) {
  const PruningPlan plan = o.full ? PruningPlan{{500, 100, 50, 256}, 0, "msd depth=100", 300, 500, 3, 500, 1e-3, 1e-3}
                                  : PruningPlan{{60, 4, 8, 256}, 64, "msd depth=20", 10, 150, 1, 40, 5e-3, 3e-3};
  CurvesByMethod result;
  for (int64_t s = 1; s <= o.steps; ++s)
    result.asked.push_back(std::pow(o.keep, static_cast<double>(s) / static_cast<double>(o.steps)));
  std::vector<std::vector<AccuracyCurve>> curves(std::size(compared_methods));
  for (int64_t k = 0; k < o.seeds; ++k) {
    const auto seed = static_cast<uint64_t>(o.training.seed + k);
    TL_TRY(const train::GeneratedCase made, train::circles_squares(plan.size, seed));
    TL_TRY(net::Network network,
           train::network_to_train(plan.network, {}, static_cast<int64_t>(made.set.classes.size()), 1));
    if (cli.output_mode == OutputMode::text) say(stderr, "seed " + std::to_string(seed) + ": training");
    TL_TRY(train::train(network, made.set, options_for(plan, seed, cli)));
    result.unpruned += accuracy_on(network, made.test) / static_cast<double>(o.seeds);
    for (std::size_t m = 0; m < curves.size(); ++m) {
      if (cli.output_mode == OutputMode::text)
        say(stderr, "seed " + std::to_string(seed) + ": " + std::string(to_string(compared_methods[m])));
      TL_TRY(AccuracyCurve curve, pruned_curve(network, made, compared_methods[m], o, plan, seed, cli));
      curves[m].push_back(std::move(curve));
    }
  }
  for (const auto& c : curves) result.curves.push_back(average(c));
  return result;
}

}  // namespace

bool is_generated_pruning_case(const std::string& name) { return name == "circles-squares"; }

Result<void> run_pruning_case(const PruneArguments& o, const Cli& cli) {
  TL_TRY(const CurvesByMethod result, compare_methods(o, cli));
  print_result(result, cli);
  return ok();
}

Result<std::map<net::PruneMethod, double>> pruning_case_accuracies(const PruneArguments& o, const Cli& cli) {
  TL_TRY(const CurvesByMethod result, compare_methods(o, cli));
  std::map<net::PruneMethod, double> mean;
  for (std::size_t m = 0; m < result.curves.size(); ++m)
    mean[compared_methods[m]] = at_low_ratios(result, result.curves[m]);
  return mean;
}

}  // namespace tl::cli
