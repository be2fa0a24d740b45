// Forecast: time and memory of a whole run before it starts, from its plan and the rates of its nodes.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/live/notification.h"
#include "core/live/rates.h"

namespace tl::live {

// Forecast for the outputs of a graph.
Forecast make_forecast(Executor& executor, const Registry& registry, const Graph& graph,
                       const std::map<std::string, NodeInspection>& looks, const Rates& rates);
// Forecast for another graph; nodes that `drawn` does not have and that were never timed are listed as unmeasured.
Forecast make_forecast_of(std::shared_ptr<const Graph> graph, Executor& executor, const Registry& registry,
                          const Graph& drawn, const Rates& rates);

}  // namespace tl::live
