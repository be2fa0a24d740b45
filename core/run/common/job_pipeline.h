// JobPipeline: a pipeline that a job computes on its own thread, and how. No array type in this header.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/cancel.h"
#include "core/graph/graph.h"

namespace tl {

struct RunOptions;

struct JobPipeline {
  Graph graph;
  std::string pipeline;        // its name, for messages
  std::string device = "cpu";  // device that computes the pipeline; training itself runs on the CPU
  int64_t memory = 0;          // [bytes] for the computation; 0 = 80 % of the available memory
  std::filesystem::path input_dir;
  int threads = 0;  // largest number of threads of loops (gpu/device/threads.h); 0 = as in the process
};

// Options that fall back to the CPU if the device fails.
RunOptions run_options(const JobPipeline& pipeline, const CancelToken& cancel);

}  // namespace tl
