// Forecast: time and memory of a whole run before it starts, from its plan and the rates of its nodes.
#pragma once

#include <map>
#include <string>

#include "core/live/notification.h"
#include "core/live/rates.h"

namespace tl::live {

Forecast make_forecast(Executor& executor, const Registry& registry, const Graph& graph,
                       const std::map<std::string, NodeInspection>& looks, const Rates& rates);

}  // namespace tl::live
