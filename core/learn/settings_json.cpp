// Reads and writes learning settings as JSON, the block "learning" of a pipeline file.
#include "core/learn/settings_json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/base/wording.h"
#include "core/graph/json_object_reader.h"
#include "core/graph/learning_block.h"
#include "core/learn/learning.h"
#include "core/node/nearest.h"

namespace tl::learn {
namespace {

using json::child;
using json::Json;

constexpr std::array scales{Scale::linear, Scale::logarithmic};
constexpr std::array methods{Method::automatic, Method::newton, Method::sgd,
                             Method::nesterov,  Method::adam,   Method::lbfgs};
constexpr std::array surveys{Survey::coarse, Survey::none};
constexpr std::array all_errors{Errors::sandwich, Errors::none};

std::string_view word(Survey s) { return s == Survey::coarse ? "coarse" : "none"; }
std::string_view word(Errors e) { return e == Errors::sandwich ? "sandwich" : "none"; }
std::string_view word(Scale s) { return to_string(s); }
std::string_view word(Method m) { return to_string(m); }

Json quantity(const Number& n) { return n.unit == Unit::none ? Json(n.value) : Json(format_quantity(n.value, n.unit)); }

class Reader : private json::JsonObjectReader {
 public:
  using JsonObjectReader::JsonObjectReader;

  Result<Settings> read(const Json& block, const std::string& at) const {
    TL_TRY(expect(block, block.is_object(), "an object", at));
    TL_TRY(only_keys(block, at,
                     {"targets", "objective", "otherwise", "method", "rate", "stop", "subsets", "held_out", "restarts",
                      "survey", "errors", "seed", "runs"}));
    Settings s;
    const Json* targets = find(block, "targets");
    if (targets == nullptr) return wrong("the key \"targets\" is missing", at, "List the parameters to learn");
    TL_TRY(expect(*targets, targets->is_array(), "a list", child(at, "targets")));
    for (std::size_t i = 0; i < targets->size(); ++i) {
      TL_TRY(Target target, read_target((*targets)[i], child(child(at, "targets"), i)));
      s.targets.push_back(std::move(target));
    }
    // A draft may name parameters before an objective; check() requires one.
    if (const Json* objective = find(block, "objective")) {
      TL_TRY(const std::string end, text(*objective, child(at, "objective")));
      TL_TRY(s.objective, port_of(end, child(at, "objective")));
    }
    if (const Json* others = find(block, "otherwise")) {
      const std::string here = child(at, "otherwise");
      TL_TRY(expect(*others, others->is_array(), "a list", here));
      for (std::size_t i = 0; i < others->size(); ++i) {
        TL_TRY(const std::string other, text((*others)[i], child(here, i)));
        TL_TRY(ObjectivePort port, port_of(other, child(here, i)));
        s.fallback_objectives.push_back(std::move(port));
      }
    }
    TL_TRY(one_of(block, "method", at, methods, s.method));
    TL_TRY(number(block, "rate", at, 1e-9, 1e9, s.rate));
    TL_TRY(read_stop(block, at, s.stop));
    TL_TRY(read_subsets(block, at, s.subsets));
    TL_TRY(read_held_out(block, at, s.held_out));
    TL_TRY(whole(block, "restarts", at, 0, 1000, s.restarts));
    TL_TRY(one_of(block, "survey", at, surveys, s.survey));
    TL_TRY(one_of(block, "errors", at, all_errors, s.errors));
    if (const Json* seed = find(block, "seed")) {
      TL_TRY(expect(*seed, seed->is_number_unsigned(), "an integer from 0", child(at, "seed")));
      s.seed = seed->get<uint64_t>();
    }
    if (const Json* runs = find(block, "runs")) {
      TL_TRY(expect(*runs, runs->is_array(), "a list", child(at, "runs")));
      for (std::size_t i = 0; i < runs->size(); ++i)
        TL_TRY(expect((*runs)[i], (*runs)[i].is_object(), "an object", child(child(at, "runs"), i)));
    }
    return s;
  }

 private:
  template <class T, std::size_t n>
  Result<void> one_of(const Json& object, const char* key, const std::string& at, const std::array<T, n>& all,
                      T& value) const {
    const Json* json = find(object, key);
    if (json == nullptr) return ok();
    TL_TRY(const std::string written, text(*json, child(at, key)));
    std::vector<std::string> known;
    for (const T v : all) {
      known.emplace_back(word(v));
      if (written == known.back()) {
        value = v;
        return ok();
      }
    }
    return wrong("\"" + std::string(key) + "\" cannot be " + json::in_quotes(written), child(at, key),
                 suggest(written, known));
  }
  Result<void> number(const Json& object, const char* key, const std::string& at, double low, double high,
                      double& value) const {
    const Json* json = find(object, key);
    if (json == nullptr) return ok();
    TL_TRY(expect(*json, json->is_number(), "a number", child(at, key)));
    value = json->get<double>();
    if (value >= low && value <= high) return ok();
    return wrong("\"" + std::string(key) + "\" is out of range", child(at, key),
                 "Give a number from " + format_quantity(low, Unit::none) + " to " + format_quantity(high, Unit::none));
  }
  Result<void> whole(const Json& object, const char* key, const std::string& at, int64_t low, int64_t high,
                     int64_t& value) const {
    const Json* json = find(object, key);
    if (json == nullptr) return ok();
    TL_TRY(expect(*json, json->is_number_integer(), "an integer", child(at, key)));
    double given = 0;
    TL_TRY(number(object, key, at, static_cast<double>(low), static_cast<double>(high), given));
    value = json->get<int64_t>();
    return ok();
  }

  // "3 px", or 3 if there is no unit.
  Result<void> maybe_quantity(const Json& object, const char* key, const std::string& at,
                              std::optional<Number>& value) const {
    const Json* json = find(object, key);
    if (json == nullptr) return ok();
    const std::string here = child(at, key);
    if (json->is_number()) {
      value = Number{json->get<double>(), Unit::none};
      return ok();
    }
    TL_TRY(expect(*json, json->is_string(), "a number, with its unit in quotes", here));
    const auto written = json->get<std::string>();
    Number n;
    const char* end = std::from_chars(written.data(), written.data() + written.size(), n.value).ptr;
    const auto rest = written.find_first_not_of(' ', static_cast<std::size_t>(end - written.data()));
    if (end == written.data() || !std::isfinite(n.value) || rest == std::string::npos)
      return wrong(json::in_quotes(written) + " is not a number with a unit", here, "Write it as \"1.5 px\"");
    auto unit = parse_unit(written.substr(rest));
    if (!unit.ok()) return placed(unit.error(), here);
    n.unit = unit.value();
    value = n;
    return ok();
  }

  Result<Target> read_target(const Json& json, const std::string& at) const {
    TL_TRY(expect(json, json.is_object(), "an object", at));
    TL_TRY(only_keys(json, at, {"node", "parameter", "scale", "start", "low", "high", "reach", "step"}));
    Target t;
    TL_TRY(t.node, required_text(json, "node", at));
    TL_TRY(t.name, required_text(json, "parameter", at));
    TL_TRY(one_of(json, "scale", at, scales, t.scale));
    TL_TRY(maybe_quantity(json, "start", at, t.start));
    TL_TRY(maybe_quantity(json, "low", at, t.low));
    TL_TRY(maybe_quantity(json, "high", at, t.high));
    TL_TRY(maybe_quantity(json, "reach", at, t.reach));
    TL_TRY(maybe_quantity(json, "step", at, t.step));
    if (t.step && !(t.step->value > 0)) return wrong("a step is above 0", child(at, "step"), "Give a number above 0");
    return t;
  }
  Result<ObjectivePort> port_of(const std::string& end, const std::string& at) const {
    const auto dot = end.find('.');
    if (dot == std::string::npos || dot == 0 || dot + 1 == end.size())
      return wrong("an objective cannot be " + json::in_quotes(end), at, "Write it as \"node.port\"");
    return ObjectivePort{end.substr(0, dot), end.substr(dot + 1)};
  }
  Result<void> read_stop(const Json& block, const std::string& at, StopRules& stop) const {
    const Json* json = find(block, "stop");
    if (json == nullptr) return ok();
    const std::string here = child(at, "stop");
    TL_TRY(expect(*json, json->is_object(), "an object", here));
    TL_TRY(only_keys(*json, here, {"iterations", "patience", "tolerance", "seconds"}));
    TL_TRY(whole(*json, "iterations", here, 1, 1'000'000, stop.iterations));
    TL_TRY(whole(*json, "patience", here, 1, 1'000'000, stop.patience));
    TL_TRY(number(*json, "tolerance", here, 1e-12, 1, stop.tolerance));
    return number(*json, "seconds", here, 0, 1e9, stop.seconds);
  }
  Result<void> read_subsets(const Json& block, const std::string& at, Subsets& subsets) const {
    const Json* json = find(block, "subsets");
    if (json == nullptr) return ok();
    const std::string here = child(at, "subsets");
    TL_TRY(expect(*json, json->is_object(), "an object", here));
    TL_TRY(only_keys(*json, here, {"views", "rows"}));
    TL_TRY(number(*json, "views", here, 1e-6, 1, subsets.views));
    return number(*json, "rows", here, 1e-6, 1, subsets.rows);
  }
  Result<void> read_held_out(const Json& block, const std::string& at, HeldOut& held_out) const {
    const Json* json = find(block, "held_out");
    if (json == nullptr) return ok();
    const std::string here = child(at, "held_out");
    TL_TRY(expect(*json, json->is_object(), "an object", here));
    TL_TRY(only_keys(*json, here, {"first", "rows", "every"}));
    TL_TRY(whole(*json, "first", here, 0, int64_t{1} << 40, held_out.first));
    TL_TRY(whole(*json, "rows", here, 0, int64_t{1} << 40, held_out.rows));
    return whole(*json, "every", here, 0, 1'000'000, held_out.every);
  }
};

Json target_json(const Target& t) {
  Json json{{"node", t.node}, {"parameter", t.name}, {"scale", std::string(to_string(t.scale))}};
  if (t.start) json["start"] = quantity(*t.start);
  if (t.low) json["low"] = quantity(*t.low);
  if (t.high) json["high"] = quantity(*t.high);
  if (t.reach) json["reach"] = quantity(*t.reach);
  if (t.step) json["step"] = quantity(*t.step);
  return json;
}

Json settings_json(const Settings& s) {
  Json targets = Json::array();
  for (const Target& t : s.targets) targets.push_back(target_json(t));
  Json others = Json::array();
  for (const ObjectivePort& o : s.fallback_objectives) others.push_back(o.node + "." + o.port);
  Json json{{"targets", std::move(targets)}};
  if (!s.objective.node.empty()) json["objective"] = s.objective.node + "." + s.objective.port;
  json.update(Json{{"otherwise", std::move(others)},
                   {"method", std::string(to_string(s.method))},
                   {"rate", s.rate},
                   {"stop",
                    {{"iterations", s.stop.iterations},
                     {"patience", s.stop.patience},
                     {"tolerance", s.stop.tolerance},
                     {"seconds", s.stop.seconds}}},
                   {"subsets", {{"views", s.subsets.views}, {"rows", s.subsets.rows}}},
                   {"restarts", s.restarts},
                   {"survey", std::string(word(s.survey))},
                   {"errors", std::string(word(s.errors))},
                   {"seed", s.seed}});
  if (s.held_out.rows > 0)
    json["held_out"] = {{"first", s.held_out.first}, {"rows", s.held_out.rows}, {"every", s.held_out.every}};
  return json;
}

// The learning block of a graph, {} if there is none.
Json learning_block(const Graph& graph) {
  if (graph.learning.empty()) return Json::object();
  auto document = json::read_document(graph.learning, "learning");
  TL_CHECK(document.ok() && document.value().root.is_object(), "the learning block of a graph is not a JSON object");
  return std::move(document).value().root;
}

}  // namespace

Result<Settings> read_settings(const Json& block, const json::JsonLineNumbers& lines, const std::string& at) {
  return Reader(lines).read(block, at);
}

std::string to_json(const Settings& settings) { return settings_json(settings).dump(2); }

Result<Settings> settings_from_json(std::string_view text) {
  TL_TRY(const json::Document document, json::read_document(text, "learning settings"));
  return read_settings(document.root, document.lines, "");
}

Result<Settings> settings_of(const Graph& graph) {
  if (graph.learning.empty())
    return invalid(
        "the pipeline has no parameters marked to be learned", "learning",
        two_wordings("Name parameters and an objective, for example --learn axis.axis --objective variance.loss",
                     "Mark parameters with the nabla of their field, and choose an objective in Learning"));
  return settings_from_json(graph.learning);
}

Graph with_settings(Graph graph, const Settings& settings) {
  Json block = settings_json(settings);
  const Json before = learning_block(graph);
  if (before.contains("runs")) block["runs"] = before["runs"];
  graph.learning = block.dump();
  return graph;
}

std::vector<std::string> runs_of(const Graph& graph) {
  std::vector<std::string> runs;
  const Json block = learning_block(graph);
  if (block.contains("runs"))
    for (const Json& run : block["runs"]) runs.push_back(run.dump());
  return runs;
}

Graph with_run(Graph graph, const std::string& run) {
  Json block = learning_block(graph);
  auto document = json::read_document(run, "run");
  TL_CHECK(document.ok() && document.value().root.is_object(), "a run is not a JSON object");
  block["runs"].push_back(std::move(document).value().root);
  graph.learning = block.dump();
  return graph;
}

}  // namespace tl::learn

namespace tl {

Result<void> check_learning_block(const json::Json& block, const json::JsonLineNumbers& lines, const std::string& at) {
  TL_TRY(learn::read_settings(block, lines, at));
  return ok();
}

}  // namespace tl
