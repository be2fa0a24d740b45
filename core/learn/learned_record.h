// The file that a learning run writes: a record with the pipeline, the parameters and all that the result depends on.
#pragma once

#include <filesystem>
#include <string>

#include "core/learn/learning_types.h"
#include "core/run/executor.h"

namespace tl::learn {

// "parameters" as in the record of every run, the learned ones first; the pipeline contains them too, so the file opens
// as a pipeline. Contains no times: the same run gives the same text. Input files are named relative to `folder`.
Result<std::string> record_of(const Graph& graph, const Registry& registry, const Settings& settings,
                              const Learned& learned, const RunOptions& options, const std::filesystem::path& folder);

}  // namespace tl::learn
