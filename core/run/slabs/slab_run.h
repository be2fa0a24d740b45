// The run that computes one slab of a pipeline's volumes.
#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/io/output/slab.h"

namespace tl {

struct SlabRun {
  Graph graph;                       // its volume nodes write the slab (output.save_volume, part and parts)
  std::vector<std::string> outputs;  // outputs to run: the volumes, and for the first slab all other outputs
};
// Invalid if the pipeline writes no volume.
Result<SlabRun> slab_run(const Graph& graph, const Registry& registry, const io::Slab& slab);

}  // namespace tl
