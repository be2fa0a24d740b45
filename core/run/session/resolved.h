// ResolvedNode: a node whose parameters are filled in and whose input infos are known.
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
  std::shared_ptr<void> planned;  // the same without parameters from outside: for checks, shapes and regions
  Infos inputs, outputs;
  Hash key;
  // The same while only the epochs of given outputs change (GivenOutput::lasting): what was measured holds for it.
  Hash lasting;
  bool is_given = false;        // an output comes from outside of the graph: the node is not run, and needs no input
  bool hangs_on_given = false;  // an output here or upstream is given with a key
  std::map<std::string, Hash> input_keys;  // by linked port: of the output that it takes
  bool learning = false;                   // a parameter here or upstream is a tensor from outside
  std::string fingerprint;                 // of an input node's files
  std::optional<Findings> findings;        // of measure()
  bool complete = true;                    // no measurement that this node depends on is missing
  std::string device = "cpu";              // the device it runs on
  std::string why;                         // why it runs on the CPU although the run uses a GPU
  std::vector<UsedParameter> used;         // its own parameters
};

// How far values found from the data are known: measured = run measurements now; kept = use only cached ones;
// before_pixels = use none.
enum class MeasurementUse { measured, kept, before_pixels };

// The region that a reducing node reads of its first input.
Result<Region> region_reduced(const ResolvedNode& r);
// The regions of its inputs that a reducing node needs for a block of its first input.
Result<Regions> regions_of_block(const ResolvedNode& r, const Region& block);

}  // namespace tl
