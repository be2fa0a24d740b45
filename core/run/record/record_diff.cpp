// Compares two records member by member.
#include "core/run/record/record_diff.h"

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/measured.h"
#include "core/graph/graph_json.h"
#include "core/graph/json_document.h"

namespace tl {
namespace {

using json::Json;

const Json& member(const Json& object, const char* name) {
  static const Json none = Json::object();
  const auto found = object.is_object() ? object.find(name) : object.end();
  return object.is_object() && found != object.end() ? *found : none;
}

std::string json_text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

// Values of both sides, sorted by name; equal ones are left out.
using Texts = std::map<std::string, std::string>;
std::vector<Difference> differences(const Texts& first, const Texts& second) {
  Texts all = first;
  all.insert(second.begin(), second.end());
  std::vector<Difference> found;
  for (const auto& [what, ignored] : all) {
    const auto a = first.find(what), b = second.find(what);
    const std::string left = a == first.end() ? "" : a->second, right = b == second.end() ? "" : b->second;
    if (left != right) found.push_back({what, left, right});
  }
  return found;
}

Texts pipeline_texts(const Json& record) {
  Texts texts;
  const Json& pipeline = member(record, "pipeline");
  for (const auto& [id, node] : member(pipeline, "nodes").items()) {
    const std::string use = member(node, "use").is_string() ? " (" + json_text(member(node, "use")) + ")" : "";
    texts["node " + id] = json_text(member(node, "type")) + " version " + json_text(member(node, "version")) + use;
  }
  const Json& links = member(pipeline, "links");
  if (links.is_array())
    for (const Json& link : links)
      texts["link " + json_text(member(link, "from")) + " to " + json_text(member(link, "to"))] = "linked";
  return texts;
}

// A value of a record, with unit and uncertainty.
struct UsedValue {
  std::string exact;
  std::optional<double> value, sigma;
  std::string unit, verdict;

  [[nodiscard]] std::string text() const {
    std::string text = value && sigma ? measured_text(*value, *sigma) : exact;
    if (!unit.empty()) text += " " + unit;
    return verdict.empty() ? text : text + ", " + verdict;
  }
};

// Whether "node.parameter" names a file.
bool is_file_name(const Json& record, const Registry& registry, const std::string& parameter) {
  const auto dot = parameter.rfind('.');
  const std::string node = parameter.substr(0, dot), name = parameter.substr(dot + 1);
  const Json& drawn = member(member(member(record, "pipeline"), "nodes"), node.c_str());
  const NodeType* type = registry.find(json_text(member(drawn, "type")));
  const ParamDecl* decl = type == nullptr ? nullptr : type->param(name);
  return decl != nullptr && decl->path != PathRole::none;
}

// By "node.parameter". A node may both find and use a value of one name: the found value, which comes first, is stored
// next to the used one.
std::map<std::string, UsedValue> used_values(const Json& record) {
  std::map<std::string, UsedValue> values;
  for (const Json& entry : member(record, "parameters")) {
    const std::string node = json_text(member(entry, "node")), name = json_text(member(entry, "name"));
    const Json& value = member(entry, "value");
    UsedValue used{json_text(value), {}, {}, {}, {}};
    if (value.is_number()) used.value = value.get<double>();
    if (member(entry, "uncertainty").is_number()) used.sigma = member(entry, "uncertainty").get<double>();
    if (member(entry, "unit").is_string()) used.unit = json_text(member(entry, "unit"));
    if (member(entry, "verdict").is_string()) used.verdict = json_text(member(entry, "verdict"));
    std::string key = node + "." + name;
    if (values.count(key) != 0) key += " (setting)";
    values[std::move(key)] = std::move(used);
  }
  return values;
}

// The parameters set in a pipeline, for results without a list of used parameters.
std::map<std::string, UsedValue> set_values(const Json& record) {
  std::map<std::string, UsedValue> values;
  for (const auto& [id, node] : member(member(record, "pipeline"), "nodes").items())
    for (const auto& [name, value] : member(node, "parameters").items())
      values[id + "." + name] = {json_text(value), {}, {}, {}, {}};
  return values;
}

std::vector<Difference> value_differences(const Json& first, const Json& second, const Registry& registry) {
  const bool listed = member(first, "parameters").is_array() && member(second, "parameters").is_array();
  const auto before = listed ? used_values(first) : set_values(first);
  const auto after = listed ? used_values(second) : set_values(second);
  Texts left, right;
  // Exact numbers decide whether values differ, rounded ones are shown.
  const auto exact = [](const UsedValue& v) { return v.exact + " " + v.unit + " " + v.verdict; };
  for (const auto& [key, value] : before) left[key] = exact(value);
  for (const auto& [key, value] : after) right[key] = exact(value);
  std::vector<Difference> found = differences(left, right);
  std::erase_if(found, [&](const Difference& d) {
    return is_file_name(first, registry, d.what) || is_file_name(second, registry, d.what);
  });
  for (Difference& d : found) {
    const auto a = before.find(d.what), b = after.find(d.what);
    d.first = a == before.end() ? "" : a->second.text();
    d.second = b == after.end() ? "" : b->second.text();
    if (a == before.end() || b == after.end()) continue;
    // After rounding to their uncertainty, or to seven digits, they may look equal.
    if (d.first == d.second) {
      d.first = a->second.exact;
      d.second = b->second.exact;
    }
    const UsedValue &x = a->second, &y = b->second;
    if (!x.value || !y.value || !x.sigma || !y.sigma || x.unit != y.unit) continue;
    const double sigma = std::hypot(*x.sigma, *y.sigma);
    if (sigma > 0) d.sigmas = std::abs(*x.value - *y.value) / sigma;
  }
  return found;
}

// The run of a record ("run") or of the text embedded in a result ("provenance").
const Json& run_of(const Json& record) {
  const Json& run = member(record, "run");
  return run.empty() ? member(record, "provenance") : run;
}

Texts input_texts(const Json& record) {
  Texts texts;
  for (const auto& [node, print] : member(run_of(record), "inputs").items()) texts[node] = json_text(print);
  return texts;
}

Texts version_texts(const Json& record) {
  Texts texts;
  const Json& run = run_of(record);
  for (const auto& [name, version] : member(run, "versions").items()) texts[name] = json_text(version);
  for (const char* name : {"name", "threads"})
    if (const Json& value = member(member(run, "device"), name); !value.is_object())
      texts[std::string("device ") + name] = json_text(value);
  if (const Json& dtype = member(run, "dtype"); dtype.is_string()) texts["number type"] = json_text(dtype);
  return texts;
}

Result<Json> read_object(std::string_view text, const std::string& name) {
  TL_TRY(json::Document document, json::read_document(text, name));
  if (!document.root.is_object())
    return invalid("this is not a record of a result", name, "Give a result, or the NAME.json next to it");
  return std::move(document.root);
}

}  // namespace

Result<std::string> record_of(const std::string& path) {
  std::error_code ignored;
  const std::string record_path = path + ".json";
  if (std::filesystem::is_regular_file(record_path, ignored)) return text_of_result(record_path);
  return text_of_result(path);
}

Result<RecordDiff> compare_records(const NamedRecord& first, const NamedRecord& second, const Registry& registry) {
  TL_TRY(const Json a, read_object(first.text, first.name));
  TL_TRY(const Json b, read_object(second.text, second.name));
  return RecordDiff{differences(pipeline_texts(a), pipeline_texts(b)), value_differences(a, b, registry),
                    differences(input_texts(a), input_texts(b)), differences(version_texts(a), version_texts(b))};
}

}  // namespace tl
