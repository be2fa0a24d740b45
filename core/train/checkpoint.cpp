// A checkpoint is a model file: its arrays are "now/NAME", "best/NAME", "first/NAME" and "second/NAME".
#include "core/train/checkpoint.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/io/model/safetensors.h"
#include "core/io/output/output_file.h"
#include "core/train/checkpoint_head.h"

namespace tl::train {
namespace {

using CheckpointJson = nlohmann::ordered_json;
constexpr const char* checkpoint_kind = "training checkpoint";
constexpr int64_t max_steps = int64_t{1} << 50;

CheckpointJson number_json(double value) { return std::isfinite(value) ? CheckpointJson(value) : CheckpointJson(); }
double number_from(const CheckpointJson& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

struct Part {
  const char* prefix;
  net::NamedTensors Checkpoint::*tensors;
};
constexpr Part parts[] = {{"now/", &Checkpoint::now},
                          {"best/", &Checkpoint::best},
                          {"first/", &Checkpoint::first},
                          {"second/", &Checkpoint::second}};

Error no_checkpoint(const std::string& what, const std::filesystem::path& file) {
  return invalid(what, file.string(), "Delete the file, and train from the start");
}

Result<void> take_arrays(Checkpoint& checkpoint, const Model& model, const net::Network& network,
                         const std::filesystem::path& file) {
  TL_TRY(const auto shapes, net::tensor_shapes(network));
  for (const auto& [name, array] : model.arrays) {
    const Part* part = nullptr;
    for (const Part& p : parts)
      if (name.rfind(p.prefix, 0) == 0) part = &p;
    if (part == nullptr) return no_checkpoint("an array \"" + name + "\" does not belong to a checkpoint", file);
    const std::string tensor = name.substr(std::string(part->prefix).size());
    const auto shape = shapes.find(tensor);
    if (shape == shapes.end() || !array.sizes().equals(shape->second) || array.scalar_type() != at::kFloat)
      return no_checkpoint("the tensor \"" + tensor + "\" does not belong to this network", file);
    (checkpoint.*(part->tensors))[tensor] = array.clone();
  }
  for (const auto& [name, shape] : shapes)
    if (checkpoint.now.count(name) == 0 || (checkpoint.best_epoch > 0 && checkpoint.best.count(name) == 0))
      return no_checkpoint("the tensor \"" + name + "\" is missing", file);
  return ok();
}

Checkpoint from_json(const CheckpointJson& json) {
  Checkpoint c;
  c.settings = json.at("settings").get<std::map<std::string, std::string>>();
  c.note = json.value("note", std::string());
  c.step = json.at("step").get<int64_t>();
  if (json.contains("threads")) {  // absent in older files
    c.threads.fewest = json.at("threads").at(0).get<int>();
    c.threads.most = json.at("threads").at(1).get<int>();
  }
  c.loss_sum = number_from(json.at("loss_sum"));
  c.best_epoch = json.at("best_epoch").get<int64_t>();
  for (const CheckpointJson& e : json.at("curves")) {
    EpochScores scores;
    scores.training_loss = number_from(e.at("training_loss"));
    scores.validation_loss = number_from(e.at("validation_loss"));
    scores.macro_f1 = number_from(e.at("macro_f1"));
    for (const CheckpointJson& f : e.at("f1")) scores.f1.push_back(number_from(f));
    c.curves.push_back(std::move(scores));
  }
  return c;
}

// Without its tensors.
Result<Checkpoint> described(const std::string& description, const std::filesystem::path& file) {
  const CheckpointJson json = CheckpointJson::parse(description, nullptr, false);
  if (!json.is_object() || json.value("kind", CheckpointJson()) != checkpoint_kind)
    return no_checkpoint("the file is not the checkpoint of a training", file);
  if (json.value("version", CheckpointJson()) != 1)
    return no_checkpoint("the checkpoint is of another version of Tomoloom", file);
  Checkpoint c;
  try {
    c = from_json(json);
  } catch (const CheckpointJson::exception&) {
    return no_checkpoint("the checkpoint is damaged", file);
  }
  if (c.step < 0 || c.step > max_steps || c.best_epoch < 0 || c.best_epoch > static_cast<int64_t>(c.curves.size()))
    return no_checkpoint("the checkpoint is damaged: numbers that cannot be", file);
  return c;
}

}  // namespace

Result<void> write_checkpoint(const Checkpoint& c, const std::filesystem::path& file) {
  CheckpointJson json{{"kind", checkpoint_kind},
                      {"version", 1},
                      {"settings", c.settings},
                      {"note", c.note},
                      {"step", c.step},
                      {"threads", {c.threads.fewest, c.threads.most}},
                      {"loss_sum", c.loss_sum},
                      {"best_epoch", c.best_epoch},
                      {"curves", CheckpointJson::array()}};
  for (const EpochScores& e : c.curves) {
    CheckpointJson f1 = CheckpointJson::array();
    for (const double f : e.f1) f1.push_back(number_json(f));
    json["curves"].push_back({{"training_loss", number_json(e.training_loss)},
                              {"validation_loss", number_json(e.validation_loss)},
                              {"macro_f1", number_json(e.macro_f1)},
                              {"f1", std::move(f1)}});
  }
  Model model;
  model.description = json.dump(-1, ' ', false, CheckpointJson::error_handler_t::replace);
  for (const Part& p : parts)
    for (const auto& [name, tensor] : c.*(p.tensors)) model.arrays[p.prefix + name] = tensor.detach().contiguous();
  return io::write_text(file, io::to_safetensors(model), io::no_inputs(io::Overwrite::replace));
}

// Writing the file also deletes leftovers of killed writers.
void remove_checkpoint(const std::filesystem::path& file) {
  (void)io::write_text(file, {}, io::no_inputs(io::Overwrite::replace));
  std::error_code error;
  std::filesystem::remove(file, error);
}

Result<CheckpointHead> read_checkpoint_head(const std::filesystem::path& file) {
  TL_TRY(const std::string description, io::read_model_description(file));
  TL_TRY(Checkpoint c, described(description, file));
  return CheckpointHead{std::move(c.note), c.step, std::move(c.curves), c.best_epoch};
}

Result<Checkpoint> read_checkpoint(const std::filesystem::path& file, const net::Network& network) {
  TL_TRY(const Model model, io::read_model(file));
  TL_TRY(Checkpoint c, described(model.description, file));
  TL_TRY(take_arrays(c, model, network, file));
  return c;
}

}  // namespace tl::train
