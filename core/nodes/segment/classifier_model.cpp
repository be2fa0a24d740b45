// Turns pixel classifiers into models and back.
#include "core/nodes/segment/classifier_model.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "core/base/text.h"
#include "core/io/volumes/label_table.h"

namespace tl {
namespace {

using ClassifierJson = nlohmann::ordered_json;
constexpr const char* kind_of_model = "pixel classifier";
constexpr std::size_t max_sigmas = 64;

std::string_view span_name(ops::FeatureSpan span) { return span == ops::FeatureSpan::slices ? "slices" : "volume"; }

Error another_kind(const std::string& where) {
  return invalid("this model is not a pixel classifier", where,
                 "Choose a file that Save model wrote after a pixel classifier");
}

template <class T>
at::Tensor tensor_of(const std::vector<T>& values, at::ScalarType type, at::IntArrayRef shape) {
  return at::from_blob(const_cast<T*>(values.data()), shape, type).clone();
}

// An array of the model by name; empty if it is missing or has another type or rank.
template <class T>
std::span<const T> array_of(const Model& model, const char* name, at::ScalarType type, int64_t dimensions) {
  const auto found = model.arrays.find(name);
  if (found == model.arrays.end()) return {};
  const at::Tensor& t = found->second;
  if (t.scalar_type() != type || t.dim() != dimensions || !t.is_contiguous()) return {};
  return {t.const_data_ptr<T>(), static_cast<std::size_t>(t.numel())};
}

Result<ops::FeatureSpec> features_from(const ClassifierJson& json, const std::string& where) {
  ops::FeatureSpec spec;
  const auto is_list = [&](const char* key) { return json.contains(key) && json[key].is_array(); };
  if (!is_list("features") || !is_list("sigmas") || !json.contains("span") || !json["span"].is_string() ||
      json["sigmas"].size() > max_sigmas || json["features"].size() > ops::feature_kinds)
    return another_kind(where);
  spec.kinds.clear();
  spec.sigmas.clear();
  for (const ClassifierJson& name : json["features"]) {
    int kind = 0;
    while (kind < ops::feature_kinds && name != ops::to_string(static_cast<ops::FeatureKind>(kind))) ++kind;
    if (kind == ops::feature_kinds)
      return invalid("the model uses features that this program does not have", where, "Use a newer version");
    spec.kinds.push_back(static_cast<ops::FeatureKind>(kind));
  }
  for (const ClassifierJson& sigma : json["sigmas"]) {
    if (!sigma.is_number()) return another_kind(where);
    spec.sigmas.push_back(sigma.get<double>());
  }
  const auto span = json["span"].get<std::string>();
  if (span != span_name(ops::FeatureSpan::slices) && span != span_name(ops::FeatureSpan::volume))
    return another_kind(where);
  spec.span = span == span_name(ops::FeatureSpan::slices) ? ops::FeatureSpan::slices : ops::FeatureSpan::volume;
  return spec;
}

Result<ops::Forest> forest_from(const Model& model, int64_t features, int64_t classes, const std::string& where) {
  ops::Forest forest;
  forest.features = features;
  forest.classes = classes;
  const auto edges = array_of<float>(model, "edges", at::kFloat, 2),
             leaves = array_of<float>(model, "leaves", at::kFloat, 2);
  const auto roots = array_of<int32_t>(model, "roots", at::kInt, 1),
             leaf = array_of<int32_t>(model, "leaf", at::kInt, 1), next = array_of<int32_t>(model, "next", at::kInt, 1);
  const auto feature = array_of<int16_t>(model, "feature", at::kShort, 1);
  const auto bin = array_of<uint8_t>(model, "bin", at::kByte, 1);
  if (next.empty() || feature.size() != next.size() || bin.size() != next.size())
    return invalid("the model lacks an array of its forest", where, "Copy or save it again");
  forest.edges.assign(edges.begin(), edges.end());
  forest.leaves.assign(leaves.begin(), leaves.end());
  forest.roots.assign(roots.begin(), roots.end());
  forest.leaf.assign(leaf.begin(), leaf.end());
  for (std::size_t i = 0; i < next.size(); ++i)
    forest.nodes.push_back({static_cast<uint16_t>(feature[i]), bin[i], next[i]});
  TL_TRY(forest.validate(where));
  return forest;
}

}  // namespace

std::string feature_text(const ops::FeatureSpec& features) {
  std::string text = "in " + std::string(features.span == ops::FeatureSpan::slices ? "slices" : "the volume") + "; ";
  for (int k = 0; k < ops::feature_kinds; ++k) {
    const auto kind = static_cast<ops::FeatureKind>(k);
    if (std::find(features.kinds.begin(), features.kinds.end(), kind) == features.kinds.end()) continue;
    text += (text.back() == ' ' && text[text.size() - 2] == ';' ? "" : ", ") + std::string(to_string(kind));
  }
  text += ";";
  for (const double sigma : features.sigmas) text += formatted("%s %.9g", text.back() == ';' ? "" : ",", sigma);
  return text + " voxels";
}

Model model_of(const PixelClassifier& c) {
  ClassifierJson json = {{"kind", kind_of_model}, {"version", 1}, {"span", span_name(c.features.span)}};
  json["features"] = ClassifierJson::array();
  for (const ops::FeatureKind kind : c.features.kinds) json["features"].push_back(ops::to_string(kind));
  json["sigmas"] = c.features.sigmas;
  json["labels"] = ClassifierJson::parse(io::to_json_text(LabelTable{c.classes, {}}));
  Model model;
  model.description = json.dump(-1, ' ', false, ClassifierJson::error_handler_t::replace);
  const ops::Forest& f = c.forest;
  std::vector<int16_t> feature;
  std::vector<uint8_t> bin;
  std::vector<int32_t> next;
  for (const ops::ForestNode& n : f.nodes) {
    feature.push_back(static_cast<int16_t>(n.feature));
    bin.push_back(static_cast<uint8_t>(n.bin));
    next.push_back(n.next);
  }
  const auto nodes = static_cast<int64_t>(f.nodes.size());
  model.arrays["edges"] = tensor_of(f.edges, at::kFloat, {f.features, ops::edges_per_feature});
  model.arrays["feature"] = tensor_of(feature, at::kShort, {nodes});
  model.arrays["bin"] = tensor_of(bin, at::kByte, {nodes});
  model.arrays["next"] = tensor_of(next, at::kInt, {nodes});
  model.arrays["leaf"] = tensor_of(f.leaf, at::kInt, {nodes});
  model.arrays["roots"] = tensor_of(f.roots, at::kInt, {f.trees()});
  model.arrays["leaves"] =
      tensor_of(f.leaves, at::kFloat, {static_cast<int64_t>(f.leaves.size()) / f.classes, f.classes});
  return model;
}

Result<PixelClassifier> classifier_of(const Model& model, const std::string& where) {
  constexpr int deepest = 16;
  const ClassifierJson json = ClassifierJson::parse(
      model.description, [](int depth, ClassifierJson::parse_event_t, ClassifierJson&) { return depth <= deepest; },
      false);
  if (!json.is_object() || !json.contains("kind") || json["kind"] != kind_of_model) return another_kind(where);
  if (!json.contains("version") || json["version"] != 1)
    return invalid("the model was written by another version of this program", where, "Use a newer version");
  PixelClassifier c;
  TL_TRY(c.features, features_from(json, where));
  TL_TRY(const LabelTable table,
         io::label_table_from_json(json.contains("labels") ? json["labels"].dump() : "", where));
  c.classes = table.classes;
  TL_TRY(c.forest, forest_from(model, ops::feature_count(c.features), static_cast<int64_t>(c.classes.size()), where));
  return c;
}

}  // namespace tl
