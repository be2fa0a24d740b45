// The generated case `cells`: whether training with MALIS after softmax closes gaps in membranes, and its cost in pixel
// error.
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

#include <cmath>

#include "app/cli/training/training_cases.h"
#include "core/net/forward.h"
#include "core/train/network_to_train.h"
#include "gpu/segmentation/components.h"
#include "gpu/segmentation/label_scores.h"

namespace tl::cli {
namespace {

struct CellScores {
  double rand_error = 0, pixel_error = 0;
};

at::Tensor objects_of(const at::Tensor& cells) { return ops::components(cells.to(at::kInt), {}).or_throw().labels; }

// Means over the images. Rand error: of the cells as connected components, counted on pixels of true cells.
Result<CellScores> scores_on(const net::Network& network, const std::vector<train::Item>& test) {
  const at::AutoGradMode off(false);
  CellScores mean;
  for (const train::Item& item : test) {
    const at::Tensor map = net::forward(network, item.volume.transpose(0, 1).contiguous());
    const at::Tensor found = net::probabilities(network, map).argmax(1);
    ops::LabelOverlaps overlaps(0);
    TL_TRY(overlaps.add(objects_of(item.labels), objects_of(found)));
    TL_TRY(const ops::LabelScores scores, overlaps.scores());
    mean.rand_error += scores.adapted_rand_error;
    mean.pixel_error += found.ne(item.labels).to(at::kDouble).mean().item<double>();
  }
  mean.rand_error /= static_cast<double>(test.size());
  mean.pixel_error /= static_cast<double>(test.size());
  return mean;
}

// Mean and standard deviation over the seeds.
std::pair<double, double> mean_and_spread(const std::vector<CellScores>& all, double CellScores::*score) {
  double sum = 0, squares = 0;
  for (const CellScores& s : all) sum += s.*score;
  const auto n = static_cast<double>(all.size());
  for (const CellScores& s : all) squares += (s.*score - sum / n) * (s.*score - sum / n);
  return {sum / n, n > 1 ? std::sqrt(squares / (n - 1)) : 0};
}

ScoreRow score_row(const std::string& title, const std::vector<CellScores>& all) {
  const auto [rand, rand_spread] = mean_and_spread(all, &CellScores::rand_error);
  const auto [pixels, pixel_spread] = mean_and_spread(all, &CellScores::pixel_error);
  return {title,
          {{"Rand error", rand}, {"spread", rand_spread}, {"pixel error", pixels}, {"spread of pixels", pixel_spread}}};
}

}  // namespace

Result<ScoreRows> cells_scores(const TrainArguments& o, const CasePlan& plan, const Cli& cli) {
  train::Sampling sampling;
  sampling.edge = std::min(plan.patch, plan.size.edge);
  std::vector<CellScores> begun, softmax, malis;
  for (int64_t i = 0; i < o.seeds; ++i) {
    TrainArguments one = o;
    one.seed = o.seed + i;
    const std::string seed = "seed " + std::to_string(one.seed) + ", ";
    TL_TRY(const train::GeneratedCase made, train::cells(plan.size, static_cast<uint64_t>(one.seed)));
    TL_TRY(const net::Network first, trained(plan, one, made.set, sampling, seed + "softmax", cli));
    TL_TRY(begun.emplace_back(), scores_on(first, made.test));
    // Continues for the same number of steps, once with each of the two losses.
    for (const bool by_malis : {false, true}) {
      net::Network network = first;
      for (auto& [name, tensor] : network.tensors) tensor = tensor.clone();
      train::TrainingOptions options = case_options(plan, one, cli);
      options.sampling = sampling;
      options.optimiser.rate = 0.2 * plan.rate;
      if (by_malis) options.loss = train::Loss::malis;
      TL_TRY(train_and_report(network, made.set, options, seed + (by_malis ? "then MALIS" : "then softmax"), cli));
      TL_TRY((by_malis ? malis : softmax).emplace_back(), scores_on(network, made.test));
      if (by_malis && i == 0 && !o.output.empty()) TL_TRY(train::write_network(network, o.output, cli.files.rules()));
    }
  }
  return ScoreRows{score_row("softmax, half of the steps", begun), score_row("softmax alone", softmax),
                   score_row("softmax, then MALIS", malis)};
}

}  // namespace tl::cli
