// T4 results, version 1.0.0: measured configurations as programs that tune exchange them.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_set>

#include "core/tune/formats/format.h"

namespace tl::tune {
namespace {

constexpr const char* version = "1.0.0";

struct CauseName {
  FailureCause cause;
  const char* name;
};
constexpr std::array<CauseName, 6> cause_names = {{{FailureCause::none, "correct"},
                                                   {FailureCause::constraints, "constraints"},
                                                   {FailureCause::compile, "compile"},
                                                   {FailureCause::runtime, "runtime"},
                                                   {FailureCause::timeout, "timeout"},
                                                   {FailureCause::correctness, "correctness"}}};
// Their names in T4, and those that caches give them.
constexpr std::array<std::pair<const char*, const char*>, 4> time_names = {{{"compilation_time", "compile_time"},
                                                                            {"framework", "framework_time"},
                                                                            {"search_algorithm", "strategy_time"},
                                                                            {"validation", "verification_time"}}};

bool less(const ParameterValue& a, const ParameterValue& b) {
  const auto number = [](const ParameterValue& v) {
    const auto* integer = std::get_if<int64_t>(&v);
    return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(v);
  };
  const auto is_number = [](const ParameterValue& v) {
    return std::holds_alternative<int64_t>(v) || std::holds_alternative<double>(v);
  };
  if (is_number(a) && is_number(b)) return number(a) < number(b);
  if (is_number(a) != is_number(b)) return is_number(a);
  return a < b;
}

// The lists of values that the configurations show, in rising order: T4 itself has none.
Result<std::vector<Parameter>> read_parameters(const JsonText& text, const Json& results) {
  std::vector<Parameter> parameters;
  std::vector<std::map<ParameterValue, bool, bool (*)(const ParameterValue&, const ParameterValue&)>> values;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string here = json::child("/results", i);
    TL_TRY(const Json* const configuration, member(text, results[i], here, "configuration"));
    const std::string at = json::child(here, "configuration");
    if (!configuration->is_object()) return text.bad("not an object", at, "Give the values of the parameters");
    if (i == 0)
      for (const auto& [name, value] : configuration->items()) {
        parameters.push_back({name, {}});
        values.emplace_back(less);
      }
    if (configuration->size() != parameters.size())
      return text.bad("other parameters than the first configuration has", at, "Give the same ones everywhere");
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      TL_TRY(const Json* const found, member(text, *configuration, at, parameters[k].name.c_str()));
      TL_TRY(const ParameterValue value, value_at(text, *found, json::child(at, parameters[k].name)));
      values[k].emplace(value, true);
    }
  }
  for (std::size_t k = 0; k < parameters.size(); ++k)
    for (const auto& [value, there] : values[k]) parameters[k].values.push_back(value);
  TL_TRY(check_size(parameters, text.where("/results")));
  return parameters;
}

Result<void> read_measurements(const JsonText& text, const Space& space, const Json& result, const std::string& here,
                               Measurement& m) {
  bool found = false;
  if (const auto list = result.find("measurements"); list != result.end()) {
    const std::string at = json::child(here, "measurements");
    if (!list->is_array()) return text.bad("not a list", at, "Give a list of measurements");
    for (std::size_t i = 0; i < list->size(); ++i) {
      const std::string one = json::child(at, i);
      TL_TRY(const std::string name, text_member(text, (*list)[i], one, "name"));
      TL_TRY(const Json* const value, member(text, (*list)[i], one, "value"));
      if (name == space.objective && m.failure == FailureCause::none) {
        TL_TRY(m.score, number_at(text, *value, json::child(one, "value")));
        found = true;
      } else if (value->is_number() && name != space.objective) {
        TL_TRY(const double number, number_at(text, *value, json::child(one, "value")));
        m.others.emplace_back(name, number);
      }
    }
  }
  if (!found && m.failure == FailureCause::none)
    return text.bad("no measurement is named " + space.objective, here, "Add the objective to \"measurements\"");
  return ok();
}

Result<Measurement> read_result(const JsonText& text, const Space& space, const Json& result, const std::string& here) {
  Measurement m;
  std::vector<int64_t> indices;
  for (const Parameter& p : space.parameters) {
    TL_TRY(const ParameterValue value, value_at(text, result.at("configuration").at(p.name), here));
    indices.push_back(p.index_of(value).value_or(0));  // the lists were made of these values
  }
  m.cell = space.cell_of(indices);
  TL_TRY(const std::string invalidity, text_member(text, result, here, "invalidity"));
  const auto* const row =
      std::find_if(cause_names.begin(), cause_names.end(), [&](const CauseName& r) { return invalidity == r.name; });
  if (row == cause_names.end())
    return text.bad("the invalidity \"" + invalidity.substr(0, 40) + "\" is not known", json::child(here, "invalidity"),
                    "There are timeout, compile, runtime, correctness, constraints, correct");
  m.failure = row->cause;
  TL_TRY(const Json* const correctness, member(text, result, here, "correctness"));
  TL_TRY(number_at(text, *correctness, json::child(here, "correctness")));
  TL_TRY(const Json* const times, member(text, result, here, "times"));
  const std::string at = json::child(here, "times");
  if (!times->is_object()) return text.bad("not an object", at, "Give the times of the configuration");
  if (const auto runs = times->find("runtimes"); runs != times->end()) {
    TL_TRY(m.timings, numbers_at(text, *runs, json::child(at, "runtimes")));
  }
  for (const auto& [name, own_name] : time_names)
    if (const auto time = times->find(name); time != times->end()) {
      TL_TRY(const double number, number_at(text, *time, json::child(at, name)));
      m.others.emplace_back(own_name, number);
    }
  if (const auto stamp = result.find("timestamp"); stamp != result.end() && stamp->is_string())
    m.timestamp = stamp->get<std::string>();
  TL_TRY(read_measurements(text, space, result, here, m));
  return m;
}

Result<Space> read(const JsonText& text) {
  Space space;
  TL_TRY(const std::string found, text_member(text, text.root(), "", "schema_version"));
  if (found != version)
    return text.bad("T4 results of version " + found.substr(0, 40) + " are not known", "/schema_version",
                    "There is 1.0.0");
  TL_TRY(const Json* const results, member(text, text.root(), "", "results"));
  if (!results->is_array() || results->empty())
    return text.bad("not a list with results", "/results", "Give some results");
  if (const auto objectives = (*results)[0].find("objectives"); objectives != (*results)[0].end() &&
                                                                objectives->is_array() && !objectives->empty() &&
                                                                objectives->front().is_string())
    space.objective = objectives->front().get<std::string>();
  TL_TRY(space.parameters, read_parameters(text, *results));
  std::unordered_set<int64_t> seen;
  for (std::size_t i = 0; i < results->size(); ++i) {
    const std::string here = json::child("/results", i);
    TL_TRY(Measurement m, read_result(text, space, (*results)[i], here));
    if (!seen.insert(m.cell).second)
      return text.bad("the configuration " + space.key_of(m.cell) + " was measured twice", here, "Remove one result");
    space.measurements.push_back(std::move(m));
  }
  return space;
}

Json json_of_result(const Space& space, const Measurement& m) {
  Json result, times = Json::object(), measurements = Json::array();
  if (!m.timestamp.empty()) result["timestamp"] = m.timestamp;
  const std::vector<int64_t> indices = space.indices_of(m.cell);
  for (std::size_t i = 0; i < indices.size(); ++i)
    result["configuration"][space.parameters[i].name] =
        json_of(space.parameters[i].values[static_cast<std::size_t>(indices[i])]);
  if (m.failure == FailureCause::none)
    measurements.push_back({{"name", space.objective}, {"value", m.score}, {"unit", ""}});
  for (const auto& [name, value] : m.others) {
    const auto* const row =
        std::find_if(time_names.begin(), time_names.end(), [&, &own = name](const auto& r) { return own == r.second; });
    if (row != time_names.end()) {
      times[row->first] = value;
    } else {
      measurements.push_back({{"name", name}, {"value", value}, {"unit", ""}});
    }
  }
  times["runtimes"] = m.timings;
  const FailureCause cause = m.failure == FailureCause::unknown ? FailureCause::runtime : m.failure;
  result["times"] = std::move(times);
  for (const CauseName& row : cause_names)
    if (row.cause == cause) result["invalidity"] = row.name;
  result["correctness"] = cause == FailureCause::none ? 1 : 0;
  result["measurements"] = std::move(measurements);
  result["objectives"] = Json::array({space.objective});
  return result;
}

std::string write(const Space& space) {
  std::string text = "{\"schema_version\": \"" + std::string(version) + "\",\n\"results\": [";
  const char* separator = "\n";
  for (const Measurement& m : space.measurements) {
    text += separator + json_of_result(space, m).dump(-1, ' ', false, Json::error_handler_t::replace);
    separator = ",\n";
  }
  return text + "\n]}\n";
}

}  // namespace

SpaceFormat space_format_t4() {
  return {"t4", "T4 results", [](const Json& root) { return root.contains("results"); }, read, write};
}

}  // namespace tl::tune
