// Reads and writes a training plan as JSON, as checkpoints keep it.
#include "core/train/training_plan.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace tl::train {
namespace {

using PlanJson = nlohmann::ordered_json;

bool is_sound(const TrainingPlan& p) {
  constexpr int64_t most = int64_t{1} << 40;
  for (const int64_t positive : {p.depth, p.features, p.epochs, p.steps, p.batch})
    if (positive < 1 || positive > most) return false;
  for (const int64_t number : {p.patch, p.patience, p.gap})
    if (number < 0 || number > most) return false;
  if (p.network != "msd" && p.network != "unet4" && p.network != "fcn_resnet50") return false;
  return p.rate > 0 && std::isfinite(p.rate) && p.share > 0 && p.share < 1;
}

}  // namespace

int64_t best_epoch_of(const std::vector<EpochScores>& curves) {
  int64_t best = 0;
  for (std::size_t i = 0; i < curves.size(); ++i)
    if (best == 0 || curves[i].validation_loss < curves[static_cast<std::size_t>(best - 1)].validation_loss)
      best = static_cast<int64_t>(i) + 1;
  return best;
}

std::string new_network_of(const TrainingPlan& p) {
  if (p.network == "msd") return "msd depth=" + std::to_string(p.depth);
  if (p.network == "unet4") return "unet4 features=" + std::to_string(p.features);
  return p.network;
}

bool goes_on_as(const TrainingPlan& a, const TrainingPlan& b) {
  TrainingPlan same = a;
  same.epochs = b.epochs;
  same.patience = b.patience;
  return same == b;
}

std::string to_json_text(const TrainingPlan& p) {
  const PlanJson json{{"weights", p.weights.string()},
                      {"network", p.network},
                      {"depth", p.depth},
                      {"features", p.features},
                      {"planes", p.planes == Planes::slices ? "slices" : "random"},
                      {"patch", p.patch},
                      {"epochs", p.epochs},
                      {"steps", p.steps},
                      {"batch", p.batch},
                      {"patience", p.patience},
                      {"rate", p.rate},
                      {"share", p.share},
                      {"gap", p.gap},
                      {"seed", p.seed}};
  return json.dump(-1, ' ', false, PlanJson::error_handler_t::replace);
}

Result<TrainingPlan> plan_from_json(const std::string& text) {
  const PlanJson json = PlanJson::parse(text, nullptr, false);
  const Error refused = invalid("the settings of the training cannot be read", "plan", "Train from the start");
  try {
    TrainingPlan p;
    p.weights = json.at("weights").get<std::string>();
    p.depth = json.at("depth").get<int64_t>();
    // Not yet in checkpoints of 0.1.0.
    p.network = json.value("network", p.network);
    p.features = json.value("features", p.features);
    p.batch = json.value("batch", p.batch);
    p.planes = json.at("planes") == "slices" ? Planes::slices : Planes::omnidirectional;
    p.patch = json.at("patch").get<int64_t>();
    p.epochs = json.at("epochs").get<int64_t>();
    p.steps = json.at("steps").get<int64_t>();
    p.patience = json.at("patience").get<int64_t>();
    p.rate = json.at("rate").get<double>();
    p.share = json.at("share").get<double>();
    p.gap = json.at("gap").get<int64_t>();
    p.seed = json.at("seed").get<uint64_t>();
    if (!is_sound(p)) return refused;
    return p;
  } catch (const PlanJson::exception&) {
    return refused;
  }
}

}  // namespace tl::train
