// Forecast of a run in an executor of its own: memory, size of the outputs, and time by the rates of earlier work.
#pragma once

#include <map>
#include <string>

#include "core/live/rates.h"

namespace tl::live {

struct RunForecast {
  int64_t peak = 0;          // bytes of memory
  int64_t output_bytes = 0;  // of the files that it writes, before any compression
  int64_t input_bytes = 0;   // of the projections that it reads, as float32
  double seconds = -1;       // below 0: not known, some type of node has not computed anything yet
};

// some_slices: where a rate is not known, four slices of each volume are computed first, to measure it.
enum class Probe { none, some_slices };

// Adds what it measures to the rates. Errors: what keeps the graph from running, such as a scan that its nodes do not
// fit (with the node), or a memory limit that cannot be met.
Result<RunForecast> forecast_run(const Registry& registry, const Graph& drawn, const RunOptions& options, Rates& rates,
                                 Probe probe);

// Bytes that the output nodes of a graph write, by the types of numbers that they are set to.
int64_t output_bytes(const Graph& graph, const Registry& registry, const std::map<std::string, Infos>& infos);

}  // namespace tl::live
