// The file that a learning run writes: a record with the pipeline, the parameters and everything on which the result
// depends.
#pragma once

#include <filesystem>
#include <string>

#include "core/learn/learning_types.h"
#include "core/run/executor.h"

namespace tl::learn {

// "parameters" as in the record of every run, the learned ones first; the pipeline contains them too, so the file opens
// as a pipeline. Contains no times: the same run writes the same text. Names of input files are relative to `folder`.
Result<std::string> record_of(const Graph& graph, const Registry& registry, const Settings& settings,
                              const Learned& learned, const RunOptions& options, const std::filesystem::path& folder);

}  // namespace tl::learn
