// Caches of Kernel Tuner: one entry per configuration, written while it tunes; schema versions 1.0.0 to 1.1.0 and those
// before there were versions.
#include <algorithm>
#include <array>
#include <unordered_set>

#include "core/tune/formats/format.h"

namespace tl::tune {
namespace {

// What a cache writes as the time of a configuration that failed, where it does not name the cause.
constexpr double failed_time = 1e20;
constexpr std::array<const char*, 3> versions = {"1.0.0", "1.0.1", "1.1.0"};
// What every entry of schema 1.1.0 has.
constexpr std::array<const char*, 5> times_of_entry = {"compile_time", "verification_time", "benchmark_time",
                                                       "strategy_time", "framework_time"};

struct CauseName {
  FailureCause cause;
  const char* name;
};
constexpr std::array<CauseName, 3> cause_names = {{{FailureCause::constraints, "InvalidConfig"},
                                                   {FailureCause::compile, "CompilationFailedConfig"},
                                                   {FailureCause::runtime, "RuntimeFailedConfig"}}};

FailureCause cause_of(const std::string& class_name) {
  for (const CauseName& row : cause_names)
    if (class_name == row.name) return row.cause;
  return FailureCause::unknown;
}

Json json_of_failure(FailureCause cause) {
  for (const CauseName& row : cause_names)
    if (cause == row.cause) return row.name;
  if (cause == FailureCause::unknown) return failed_time;
  return "RuntimeFailedConfig";  // it ran, too long or with wrong results
}

Result<std::vector<Parameter>> read_parameters(const JsonText& text) {
  TL_TRY(const Json* const keys, member(text, text.root(), "", "tune_params_keys"));
  TL_TRY(const Json* const lists, member(text, text.root(), "", "tune_params"));
  if (!keys->is_array()) return text.bad("not a list", "/tune_params_keys", "Give the names of the parameters");
  std::vector<Parameter> parameters;
  for (std::size_t i = 0; i < keys->size(); ++i) {
    const std::string here = json::child("/tune_params_keys", i);
    if (!(*keys)[i].is_string()) return text.bad("not a text", here, "Give the name of a parameter");
    Parameter p{(*keys)[i].get<std::string>(), {}};
    if (std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& o) { return o.name == p.name; }))
      return text.bad("the parameter " + p.name + " occurs twice", here, "Remove one");
    TL_TRY(const Json* const list, member(text, *lists, "/tune_params", p.name.c_str()));
    const std::string at = json::child("/tune_params", p.name);
    if (!list->is_array()) return text.bad("not a list", at, "Give the values of the parameter");
    if (static_cast<int64_t>(list->size()) > most_configurations)
      return text.bad("more values than a space may have configurations", at, "Leave some out");
    std::unordered_set<std::string> seen;
    for (std::size_t k = 0; k < list->size(); ++k) {
      TL_TRY(ParameterValue value, value_at(text, (*list)[k], json::child(at, k)));
      if (!seen.insert(value_key(value)).second)
        return text.bad("the value " + value_text(value) + " occurs twice", json::child(at, k), "Remove one");
      p.values.push_back(std::move(value));
    }
    parameters.push_back(std::move(p));
  }
  if (lists->size() != parameters.size())
    return text.bad("\"tune_params\" has parameters that \"tune_params_keys\" does not name", "/tune_params",
                    "Name them, or remove them");
  TL_TRY(check_size(parameters, text.where("/tune_params")));
  return parameters;
}

Result<int64_t> read_cell(const JsonText& text, const Space& space, const Json& entry, const std::string& here) {
  std::vector<int64_t> indices;
  for (const Parameter& p : space.parameters) {
    TL_TRY(const Json* const found, member(text, entry, here, p.name.c_str()));
    const std::string at = json::child(here, p.name);
    TL_TRY(const ParameterValue value, value_at(text, *found, at));
    const auto index = p.index_of(value);
    if (!index)
      return text.bad("the value " + value_text(value) + " is not in the list of " + p.name, at,
                      "Add it to \"tune_params\", or correct it");
    indices.push_back(*index);
  }
  return space.cell_of(indices);
}

// The objective: a number, or the name of a class that says why there is none.
Result<void> read_score(const JsonText& text, const Space& space, const Json& entry, const std::string& here,
                        Measurement& m) {
  if (const auto error = entry.find("__error__"); error != entry.end()) {
    if (!error->is_string()) return text.bad("not a text", json::child(here, "__error__"), "Give the class");
    m.failure = cause_of(error->get<std::string>());
    return ok();
  }
  TL_TRY(const Json* const found, member(text, entry, here, space.objective.c_str()));
  const std::string at = json::child(here, space.objective);
  if (found->is_string()) {
    const auto name = found->get<std::string>();
    if (!name.ends_with("Config"))
      return text.bad("neither a number nor a class of failures", at, "Failures are named like RuntimeFailedConfig");
    m.failure = cause_of(name);
    return ok();
  }
  TL_TRY(m.score, number_at(text, *found, at));
  if (m.score < failed_time) return ok();
  m.score = failed_score;
  m.failure = FailureCause::unknown;
  return ok();
}

Result<Measurement> read_entry(const JsonText& text, const Space& space, const Json& entry, const std::string& here) {
  Measurement m;
  TL_TRY(m.cell, read_cell(text, space, entry, here));
  TL_TRY(read_score(text, space, entry, here, m));
  for (const auto& [key, value] : entry.items()) {
    if (key == space.objective || key == "__error__") continue;
    const std::string at = json::child(here, key);
    if (key == "times") {
      TL_TRY(m.timings, numbers_at(text, value, at));
    } else if (key == "timestamp" && value.is_string()) {
      m.timestamp = value.get<std::string>();
    } else if (value.is_number() && std::none_of(space.parameters.begin(), space.parameters.end(),
                                                 [&](const Parameter& p) { return p.name == key; })) {
      TL_TRY(const double number, number_at(text, value, at));
      m.others.emplace_back(key, number);
    }
  }
  return m;
}

Result<Space> read(const JsonText& text) {
  const Json& root = text.root();
  Space space;
  if (const auto version = root.find("schema_version"); version != root.end()) {
    const bool known = version->is_string() &&
                       std::find(versions.begin(), versions.end(), version->get<std::string>()) != versions.end();
    if (!known)
      return text.bad("caches of schema version " + version->dump() + " are not known", "/schema_version",
                      "There are 1.0.0, 1.0.1 and 1.1.0");
  }
  TL_TRY(space.device, text_member(text, root, "", "device_name"));
  TL_TRY(space.kernel, text_member(text, root, "", "kernel_name"));
  if (root.contains("objective")) {
    TL_TRY(space.objective, text_member(text, root, "", "objective"));
  }
  if (const auto size = root.find("problem_size"); size != root.end() && size->is_array())
    for (const Json& n : *size)
      if (n.is_number_integer()) space.problem_size.push_back(n.get<int64_t>());
  TL_TRY(space.parameters, read_parameters(text));
  TL_TRY(const Json* const entries, member(text, root, "", "cache"));
  if (!entries->is_object()) return text.bad("not an object", "/cache", "Give the measured configurations");
  std::unordered_set<int64_t> seen;
  for (const auto& [key, entry] : entries->items()) {
    const std::string here = json::child("/cache", key);
    TL_TRY(Measurement m, read_entry(text, space, entry, here));
    if (!seen.insert(m.cell).second)
      return text.bad("the configuration " + space.key_of(m.cell) + " was measured twice", here, "Remove one entry");
    space.measurements.push_back(std::move(m));
  }
  return space;
}

// Whether all entries have what the schema asks for; otherwise the cache is written as one of the time before versions.
bool fits_schema(const Space& space) {
  return std::all_of(space.measurements.begin(), space.measurements.end(), [](const Measurement& m) {
    return !m.timestamp.empty() && std::all_of(times_of_entry.begin(), times_of_entry.end(),
                                               [&](const char* name) { return m.other(name).has_value(); });
  });
}

Json json_of_entry(const Space& space, const Measurement& m) {
  Json entry;
  const std::vector<int64_t> indices = space.indices_of(m.cell);
  for (std::size_t i = 0; i < indices.size(); ++i)
    entry[space.parameters[i].name] = json_of(space.parameters[i].values[static_cast<std::size_t>(indices[i])]);
  entry[space.objective] = m.failure == FailureCause::none ? Json(m.score) : json_of_failure(m.failure);
  if (!m.timings.empty()) entry["times"] = m.timings;
  for (const auto& [name, value] : m.others) entry[name] = value;
  if (!m.timestamp.empty()) entry["timestamp"] = m.timestamp;
  return entry;
}

std::string write(const Space& space) {
  Json head;
  if (fits_schema(space)) head["schema_version"] = versions.back();
  head["device_name"] = space.device;
  head["kernel_name"] = space.kernel;
  head["problem_size"] = space.problem_size;
  for (const Parameter& p : space.parameters) {
    head["tune_params_keys"].push_back(p.name);
    Json& list = head["tune_params"][p.name];
    for (const ParameterValue& value : p.values) list.push_back(json_of(value));
  }
  head["objective"] = space.objective;
  // One entry a line, as Kernel Tuner writes and appends them.
  std::string text = head.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.pop_back();
  text += ",\n\"cache\": {";
  const char* separator = "\n";
  for (const Measurement& m : space.measurements) {
    text += separator + Json(space.key_of(m.cell)).dump() + ": " +
            json_of_entry(space, m).dump(-1, ' ', false, Json::error_handler_t::replace);
    separator = ",\n";
  }
  return text + "}\n}\n";
}

}  // namespace

SpaceFormat space_format_cache() {
  return {"cache", "Kernel Tuner cache",
          [](const Json& root) { return root.contains("tune_params") || root.contains("cache"); }, read, write};
}

}  // namespace tl::tune
