// Remembers learning runs in a pipeline: converts records of runs to JSON and back.
#include "core/learn/history.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>

#include "core/graph/json_document.h"
#include "core/learn/learning.h"

namespace tl::learn {
namespace {

using json::Json;

constexpr std::array trusts{Trust::none,      Trust::resolved, Trust::railed,
                            Trust::ambiguous, Trust::flat,     Trust::not_identifiable};
constexpr std::array reasons{StopReason::none, StopReason::converged, StopReason::plateau, StopReason::iterations,
                             StopReason::time, StopReason::stopped,   StopReason::bound,   StopReason::flat};
constexpr std::array decisions{Decision::undecided, Decision::accepted, Decision::rejected};
constexpr std::array derivatives{Derivative::forward, Derivative::backward, Derivative::differences};
constexpr std::size_t max_points = 300;
// Relative difference up to which two values count as the same number after conversion to text and units.
constexpr double same_number = 1e-9;

template <class T, std::size_t n>
T of_word(const std::array<T, n>& all, const std::string& word) {
  for (const T value : all)
    if (to_string(value) == word) return value;
  return all.front();
}

// Every k-th point and the last.
Curve thinned(const Curve& curve) {
  const std::size_t count = curve.value.size(), step = (count + max_points - 1) / max_points;
  if (step <= 1) return curve;
  Curve thin;
  for (std::size_t i = 0; i < count; ++i)
    if (i % step == 0 || i + 1 == count) {
      thin.iteration.push_back(curve.iteration[i]);
      thin.value.push_back(curve.value[i]);
    }
  return thin;
}

using json::finite_or_null;

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double v : values) list.push_back(finite_or_null(v));
  return list;
}
double number_of(const Json& json) { return json.is_number() ? json.get<double>() : std::nan(""); }
std::vector<double> numbers_of(const Json& object, const char* key) {
  std::vector<double> values;
  if (const auto list = object.find(key); list != object.end() && list->is_array())
    for (const Json& v : *list) values.push_back(number_of(v));
  return values;
}
std::string text_member(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}
double number_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? 0 : number_of(*found);
}

int64_t count_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}

Json curve_json(const Curve& curve) {
  return Json{{"iteration", numbers(curve.iteration)}, {"value", numbers(curve.value)}};
}
Curve curve_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_object()) return {};
  Curve curve{numbers_of(*found, "iteration"), numbers_of(*found, "value")};
  if (curve.iteration.size() != curve.value.size()) return {};
  return curve;
}

// For an array only its shape and the size of its uncertainty: a pipeline that accepted the result contains its
// numbers.
Json found_json(const Found& f, const Curve& curve) {
  const bool array = !f.shape.empty();
  Json json{{"node", f.node}, {"parameter", f.name}, {"unit", std::string(symbol(f.unit))}};
  if (array) json["shape"] = f.shape;
  const bool sized = array && !f.uncertainty.empty();
  json.update(Json{{"start", array ? Json::array() : numbers(f.start)},
                   {"value", array ? Json::array() : numbers(f.value)},
                   {"uncertainty", numbers(sized ? std::vector{root_mean_square(f.uncertainty)} : f.uncertainty)},
                   {"verdict", std::string(to_string(f.trust))},
                   {"derivative", std::string(to_string(f.derivative))},
                   {"explanation", f.explanation},
                   {"course", curve_json(curve)}});
  return json;
}
Result<Found> found_from_json(const Json& json) {
  Found f;
  f.node = text_member(json, "node");
  f.name = text_member(json, "parameter");
  TL_TRY(f.unit, parse_unit(text_member(json, "unit")));
  f.start = numbers_of(json, "start");
  f.value = numbers_of(json, "value");
  for (const double n : numbers_of(json, "shape")) f.shape.push_back(n >= 0 && n < 1e9 ? static_cast<int64_t>(n) : 0);
  f.uncertainty = numbers_of(json, "uncertainty");
  f.trust = of_word(trusts, text_member(json, "verdict"));
  f.derivative = of_word(derivatives, text_member(json, "derivative"));
  f.explanation = text_member(json, "explanation");
  if (f.node.empty() || f.name.empty() || (f.value.empty() && f.shape.empty()))
    return invalid("a run names no value", "learning.runs");
  return f;
}

}  // namespace

std::string_view to_string(Decision decision) {
  switch (decision) {
    case Decision::undecided: return "undecided";
    case Decision::accepted: return "accepted";
    case Decision::rejected: return "rejected";
  }
  return "undecided";
}

RunRecord record_of(const Settings& settings, const Learned& learned, Decision decision, std::string when) {
  RunRecord record{std::move(when), decision, settings, learned, {}, {}, {}};
  record.learned.history.clear();
  record.parameters.resize(learned.found.size());
  // The descent with the smallest loss is the result.
  const auto best = std::min_element(learned.history.begin(), learned.history.end(),
                                     [](const Progress& a, const Progress& b) { return a.best < b.best; });
  for (const Progress& p : learned.history) {
    if (p.phase != Progress::Phase::descent || p.descent != best->descent) continue;
    const auto at = static_cast<double>(p.iteration);
    record.loss.iteration.push_back(at);
    record.loss.value.push_back(p.loss);
    if (p.held_out) {
      record.held_out.iteration.push_back(at);
      record.held_out.value.push_back(*p.held_out);
    }
    for (std::size_t i = 0; i < learned.found.size(); ++i)
      for (const TargetValue& s : p.values)
        if (s.node == learned.found[i].node && s.name == learned.found[i].name &&
            (s.value.size() == 1 || !s.shape.empty())) {
          record.parameters[i].iteration.push_back(at);
          record.parameters[i].value.push_back(s.shape.empty() ? s.value[0] : s.size);
        }
  }
  record.loss = thinned(record.loss);
  record.held_out = thinned(record.held_out);
  for (Curve& curve : record.parameters) curve = thinned(curve);
  return record;
}

std::string to_json(const RunRecord& record) {
  Json found = Json::array();
  for (std::size_t i = 0; i < record.learned.found.size(); ++i)
    found.push_back(found_json(record.learned.found[i], i < record.parameters.size() ? record.parameters[i] : Curve{}));
  const Learned& l = record.learned;
  Json json{{"when", record.when},
            {"outcome", std::string(to_string(record.decision))},
            {"settings", Json::parse(to_json(record.settings))},
            {"found", std::move(found)},
            {"first_loss", finite_or_null(l.first_loss)},
            {"loss", finite_or_null(l.loss)},
            {"condition", finite_or_null(l.condition)},
            {"reason", std::string(to_string(l.reason))},
            {"iterations", l.iterations},
            {"evaluations", l.evaluations},
            {"seconds", finite_or_null(l.seconds)},
            {"course", curve_json(record.loss)}};
  if (l.held_out) {
    json["held_out"] = finite_or_null(*l.held_out);
    json["held_out_course"] = curve_json(record.held_out);
  }
  return json.dump();
}

Result<RunRecord> run_from_json(std::string_view text) {
  TL_TRY(const json::Document document, json::read_document(text, "run"));
  const Json& root = document.root;
  if (!root.is_object() || !root.contains("settings") || !root.contains("found") || !root["found"].is_array())
    return invalid("this is not a record of a learning run", "learning.runs");
  RunRecord record;
  record.when = text_member(root, "when");
  record.decision = of_word(decisions, text_member(root, "outcome"));
  TL_TRY(record.settings, settings_from_json(root["settings"].dump()));
  for (const Json& f : root["found"]) {
    if (!f.is_object()) return invalid("a found value is an object", "learning.runs");
    TL_TRY(Found found, found_from_json(f));
    record.learned.found.push_back(std::move(found));
    record.parameters.push_back(curve_of(f, "course"));
  }
  record.learned.first_loss = number_of(root, "first_loss");
  record.learned.loss = number_of(root, "loss");
  record.learned.condition = number_of(root, "condition");
  record.learned.reason = of_word(reasons, text_member(root, "reason"));
  record.learned.iterations = count_of(root, "iterations");
  record.learned.evaluations = count_of(root, "evaluations");
  record.learned.seconds = number_of(root, "seconds");
  record.loss = curve_of(root, "course");
  if (root.contains("held_out")) record.learned.held_out = number_of(root, "held_out");
  record.held_out = curve_of(root, "held_out_course");
  return record;
}

std::vector<RunRecord> records_of(const Graph& graph) {
  std::vector<RunRecord> records;
  for (const std::string& run : runs_of(graph))
    if (auto record = run_from_json(run); record.ok()) records.push_back(std::move(record).value());
  return records;
}

std::optional<Found> found_of(const std::vector<RunRecord>& records, const Graph& graph, const std::string& node,
                              const std::string& name) {
  const auto in_graph = graph.nodes.find(node);
  if (in_graph == graph.nodes.end()) return std::nullopt;
  const auto param = in_graph->second.params.find(name);
  const Number* now = param == in_graph->second.params.end() ? nullptr : std::get_if<Number>(&param->second);
  if (now == nullptr) return std::nullopt;
  for (const RunRecord& record : std::views::reverse(records)) {
    if (record.decision != Decision::accepted) continue;
    for (const Found& f : record.learned.found) {
      if (f.node != node || f.name != name || f.value.size() != 1) continue;
      if (dimension(f.unit) != dimension(now->unit)) continue;
      const double found = to_stored(f.value[0], f.unit), stands = to_stored(now->value, now->unit);
      if (std::abs(found - stands) > same_number * std::max(1.0, std::abs(found))) return std::nullopt;
      return f;
    }
  }
  return std::nullopt;
}

}  // namespace tl::learn
