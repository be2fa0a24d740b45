// LabelledPipeline: a pipeline with painted labels or examples, and how its volumes are computed. No array type in this
// header.
#pragma once

#include <filesystem>
#include <string>

#include "core/graph/graph.h"

namespace tl::train {

struct LabelledPipeline {
  Graph graph;                 // with painted labels or examples
  std::string pipeline;        // its name, for messages
  std::string device = "cpu";  // on which the volumes are computed; training is on the CPU
  int64_t memory = 0;          // bytes for the computation of the volumes; 0 = 80 % of what is available
  std::filesystem::path input_dir;
};

}  // namespace tl::train
