// Writes learned parameters as JSON: the list "parameters" of every record, with uncertainties and verdicts.

#include "core/graph/array_json.h"
#include "core/learn/learning.h"

namespace tl::learn {
namespace {

using json::finite_or_null;
using json::Json;

Json one_or_list(const std::vector<double>& list) {
  if (list.size() == 1) return finite_or_null(list.front());
  Json all = Json::array();
  for (const double v : list) all.push_back(finite_or_null(v));
  return all;
}

// An array is written as in a pipeline.
Json value_json(const Found& f, const std::vector<double>& values) {
  if (f.shape.empty()) return one_or_list(values);
  const auto array = NumberArray::make(f.shape, {values.begin(), values.end()}, f.unit);
  return array.ok() ? json::array_json(array.value()) : Json();
}

Json found_json(const Found& f) {
  return {{"node", f.node},
          {"name", f.name},
          {"value", value_json(f, f.value)},
          {"unit", std::string(symbol(f.unit))},
          {"uncertainty", f.uncertainty.empty() ? Json() : value_json(f, f.uncertainty)},
          {"verdict", f.trust == Trust::none ? Json() : Json(std::string(to_string(f.trust)))},
          {"explanation", f.explanation},
          {"derivative", std::string(to_string(f.derivative))},
          {"start", value_json(f, f.start)}};
}

Json combination_json(const Combination& c, const Learned& learned) {
  Json terms = Json::array();
  for (const auto& t : c.terms) {
    terms.push_back({{"node", learned.found[t.found].node},
                     {"name", learned.found[t.found].name},
                     {"entry", t.entry},
                     {"weight", finite_or_null(t.weight)}});
    if (t.logarithm) terms.back()["of"] = "logarithm";
  }
  return {{"text", c.text},
          {"known", c.known},
          {"uncertainty", finite_or_null(c.uncertainty)},
          {"terms", std::move(terms)}};
}

// Without times, so that a resumed run gives the same text.
Json step_json(const Progress& p) {
  Json now = Json::object();
  for (const TargetValue& s : p.values)
    now[s.node + "." + s.name] = s.shape.empty() ? one_or_list(s.value) : finite_or_null(s.size);
  Json step{{"descent", p.descent},
            {"iteration", p.iteration},
            {"loss", finite_or_null(p.loss)},
            {"parameters", std::move(now)}};
  if (p.held_out) step["held_out"] = finite_or_null(*p.held_out);
  return step;
}

}  // namespace

std::string to_json(const Learned& learned, const Settings& settings) {
  Json parameters = Json::array(), combinations = Json::array(), history = Json::array();
  for (const Found& f : learned.found) parameters.push_back(found_json(f));
  for (const Combination& c : learned.combinations) combinations.push_back(combination_json(c, learned));
  for (const Progress& p : learned.history) history.push_back(step_json(p));
  Json all{{"parameters", std::move(parameters)},
           {"combinations", std::move(combinations)},
           {"verdict", std::string(to_string(learned.trust()))},
           {"reason", std::string(to_string(learned.reason))},
           {"objective", learned.objective.node + "." + learned.objective.port},
           {"first_loss", finite_or_null(learned.first_loss)},
           {"loss", finite_or_null(learned.loss)},
           {"condition", learned.condition > 0 ? finite_or_null(learned.condition) : Json()},
           {"iterations", learned.iterations},
           {"evaluations", learned.evaluations},
           {"seed", settings.seed},
           {"history", std::move(history)}};
  if (learned.held_out) all["held_out"] = finite_or_null(*learned.held_out);
  return all.dump(2);
}

}  // namespace tl::learn
