// The result of a search as JSON.
#include <nlohmann/json.hpp>

#include "core/graph/json_document.h"
#include "core/tune/program/program_search.h"

namespace tl::tune {
namespace {

using json::Json;

Json number_or_null(const std::optional<double>& value) { return value ? json::finite_or_null(*value) : Json(); }

Json value_of(const SearchAxis& axis, double coordinate) {
  if (axis.kind == SearchAxis::Kind::list) return axis.items[static_cast<std::size_t>(coordinate)];
  if (axis.kind == SearchAxis::Kind::integer) return static_cast<int64_t>(coordinate);
  return coordinate;
}

Json axis_json(const SearchAxis& axis) {
  switch (axis.kind) {
    case SearchAxis::Kind::list: return {{"name", axis.name}, {"kind", "list"}, {"items", axis.items}};
    case SearchAxis::Kind::integer:
      return {{"name", axis.name},
              {"kind", "integer"},
              {"low", value_of(axis, axis.low)},
              {"high", value_of(axis, axis.high)}};
    case SearchAxis::Kind::real: break;
  }
  return {{"name", axis.name}, {"kind", "real"}, {"low", axis.low}, {"high", axis.high}};
}

Json best_json(const std::vector<SearchAxis>& axes, const SearchEstimate& e) {
  Json values = Json::object(), uncertainty = Json::object();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    values[axes[i].name] = value_of(axes[i], e.best[i]);
    uncertainty[axes[i].name] = number_or_null(e.uncertainty[i]);
  }
  return {{"values", values},
          {"uncertainty", uncertainty},
          {"verdict", to_string(e.verdict)},
          {"why", e.why},
          {"score", json::finite_or_null(e.score)},
          {"score_uncertainty", number_or_null(e.score_uncertainty)},
          {"noise", number_or_null(e.noise)}};
}

Json call_json(const std::vector<SearchAxis>& axes, const JournalCall& call) {
  Json values = Json::object();
  for (std::size_t i = 0; i < axes.size(); ++i) values[axes[i].name] = call.values[i];
  Json line = {{"values", values}, {"score", number_or_null(call.outcome.score)}, {"seconds", call.outcome.seconds}};
  if (!call.outcome.failure.empty()) line["failure"] = call.outcome.failure;
  return line;
}

}  // namespace

std::string search_record(const ProgramSearch& search, const ScoreSource& source, const ProgramSearchResult& result) {
  Json axes = Json::array(), calls = Json::array();
  for (const SearchAxis& axis : search.axes) axes.push_back(axis_json(axis));
  std::size_t failed = 0;
  double seconds = 0;
  for (const JournalCall& call : result.calls) {
    calls.push_back(call_json(search.axes, call));
    failed += call.outcome.score ? 0 : 1;
    seconds += call.outcome.seconds;
  }
  Json measured = call_json(search.axes, result.best_call);
  measured.erase("seconds");
  const Json record = {{"format", "tomoloom-tune"},
                       {"version", 1},
                       {"program", source.identity()},
                       {"over", axes},
                       {"direction", search.direction == Direction::minimise ? "minimise" : "maximise"},
                       {"optimiser", result.optimiser},
                       {"seed", search.seed},
                       {"budget", search.budget},
                       {"best", best_json(search.axes, result.estimate)},
                       {"best_call", measured},
                       {"evaluations", result.calls.size()},
                       {"failed", failed},
                       {"seconds", seconds},
                       {"stopped", result.stopped},
                       {"calls", calls}};
  return record.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tl::tune
