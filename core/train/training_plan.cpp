// Reads and writes a training plan as JSON, as stored in checkpoints.
#include "core/train/training_plan.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace tl::train {
namespace {

using PlanJson = nlohmann::ordered_json;

bool is_sound(const TrainingPlan& p) {
  constexpr int64_t most = int64_t{1} << 40;
  for (const int64_t positive : {p.epochs, p.steps, p.batch})
    if (positive < 1 || positive > most) return false;
  for (const int64_t number : {p.patch, p.patience, p.gap})
    if (number < 0 || number > most) return false;
  const net::Architecture* network = net::find_architecture(p.network);
  if (network == nullptr || !network->offer) return false;
  for (const net::Setting& s : network->settings)
    if (const int64_t n = s.field ? chosen_setting(p, s) : s.initial; n < s.low || n > s.high) return false;
  return p.rate > 0 && std::isfinite(p.rate) && p.share > 0 && p.share < 1;
}

// The shortest text that reads back as the same number.
std::string plan_number(double value) { return PlanJson(value).dump(); }

}  // namespace

int64_t chosen_setting(const TrainingPlan& plan, const net::Setting& setting) {
  const auto chosen = plan.settings.find(setting.name);
  return chosen != plan.settings.end() ? chosen->second : setting.field ? setting.field->initial : setting.initial;
}

int64_t best_epoch_of(const std::vector<EpochScores>& curves) {
  int64_t best = 0;
  for (std::size_t i = 0; i < curves.size(); ++i)
    if (best == 0 || curves[i].validation_loss < curves[static_cast<std::size_t>(best - 1)].validation_loss)
      best = static_cast<int64_t>(i) + 1;
  return best;
}

std::string new_network_of(const TrainingPlan& p) {
  std::string words = p.network;
  if (const net::Architecture* network = net::find_architecture(p.network))
    for (const net::Setting& s : network->settings)
      if (s.field) words += " " + std::string(s.name) + "=" + std::to_string(chosen_setting(p, s));
  return words;
}

std::map<std::string, std::string> words_of_plan(const TrainingPlan& p) {
  std::map<std::string, std::string> words = {{"network", new_network_of(p)},
                                              {"planes", word_of(p.planes)},
                                              {"prior", "classes"},
                                              {"epochs", std::to_string(p.epochs)},
                                              {"steps", std::to_string(p.steps)},
                                              {"batch", std::to_string(p.batch)},
                                              {"rate", plan_number(p.rate)},
                                              {"patience", std::to_string(p.patience)},
                                              {"share", plan_number(p.share)},
                                              {"gap", std::to_string(p.gap)},
                                              {"seed", std::to_string(p.seed)}};
  if (p.patch > 0) words["patch"] = std::to_string(p.patch);
  if (!p.weights.empty()) words["weights"] = p.weights.string();
  return words;
}

bool can_resume_as(const TrainingPlan& a, const TrainingPlan& b) {
  TrainingPlan same = a;
  same.epochs = b.epochs;
  same.patience = b.patience;
  same.settings = b.settings;  // one plan may state a setting that the other leaves at its proposed value
  return same == b && new_network_of(a) == new_network_of(b);
}

std::string to_json_text(const TrainingPlan& p) {
  const PlanJson json{{"weights", p.weights.string()},
                      {"network", p.network},
                      {"settings", p.settings},
                      {"planes", word_of(p.planes)},
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
    // Checkpoints of 0.1.0 state neither network nor batch, and two settings by themselves.
    p.network = json.value("network", p.network);
    p.settings = json.value("settings", p.settings);
    for (const char* name : {"depth", "features"})
      if (json.contains(name)) p.settings[name] = json.at(name).get<int64_t>();
    p.batch = json.value("batch", p.batch);
    const auto* planes = choice_with_name(choices_of<Planes>(), json.at("planes").get<std::string>());
    if (planes == nullptr) return refused;
    p.planes = planes->value;
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
