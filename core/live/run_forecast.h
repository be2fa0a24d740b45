// Forecast of a run in an executor of its own: memory, size of the outputs, and time from the rates of earlier work.
#pragma once

#include <map>
#include <string>

#include "core/live/rates.h"

namespace tl::live {

struct RunForecast {
  int64_t peak = 0;          // bytes of memory
  int64_t output_bytes = 0;  // size of the files that it writes, before any compression
  int64_t input_bytes = 0;   // size of the projections that it reads, as float32
  double seconds = -1;       // below 0: not known, because a node type has not computed anything yet
};

// some_slices: if a rate is not known, four slices of each volume are computed first, to measure it.
enum class Probe { none, some_slices };

// Adds its measurements to the rates. Errors: problems that prevent the run, such as a scan that does not fit a node
// (with the node), or a memory limit that is too low.
Result<RunForecast> forecast_run(const Registry& registry, const Graph& drawn, const RunOptions& options, Rates& rates,
                                 Probe probe);

// Bytes that the output nodes of a graph write, for the number types in their settings.
int64_t output_bytes(const Graph& graph, const Registry& registry, const std::map<std::string, Infos>& infos);

}  // namespace tl::live
