// ResolvedNode: a node with its parameters filled in and its input infos known.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/node/node_run.h"
#include "core/node/node_type.h"
#include "core/run/common/run_report.h"
#include "core/values/hash.h"

namespace tl {

struct ResolvedNode {
  const NodeType* type = nullptr;
  std::shared_ptr<void> params;
  std::shared_ptr<void> planned;  // the parameters without tensors from outside: for checks, shapes and regions
  Infos inputs, outputs;
  Hash key;
  // Unchanged while only the keys of given outputs change, not GivenOutput::lasting: measurements stay valid for it.
  Hash lasting;
  bool is_given = false;        // an output is given from outside the graph: the node is not run, and needs no input
  bool hangs_on_given = false;  // an output of this node or upstream is given with a key
  std::map<std::string, Hash> input_keys;  // by linked port: key of the output that feeds it
  bool learning = false;                   // a parameter of this node or upstream is a tensor from outside
  std::string fingerprint;                 // fingerprint of an input node's files
  std::optional<Findings> findings;        // of measure()
  bool complete = true;                    // all measurements on which this node depends are available
  std::string device = "cpu";              // the device it runs on
  std::string why;                         // why it runs on the CPU in a run that uses a GPU
  std::vector<UsedParameter> used;         // its own parameters
};

// How values found from the data are obtained: measured = run measurements now; kept = use only cached ones;
// before_pixels = use none.
enum class MeasurementUse { measured, kept, before_pixels };

// The region of its first input that a reducing node reads.
Result<Region> region_reduced(const ResolvedNode& r);
// The regions of its inputs that a reducing node needs for a block of its first input.
Result<Regions> regions_of_block(const ResolvedNode& r, const Region& block);

}  // namespace tl
