// ValueSource: supplies the values that driven parameters and measurements depend on.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/node/node_run.h"
#include "core/run/session/resolved.h"

namespace tl {

class ValueSource {
 public:
  virtual ~ValueSource() = default;
  // Computes a region of an output, unless it is cached.
  virtual Result<Value> pull(const std::string& node, const std::string& port, const Region& region) = 0;
  // The value if it is cached; else nothing.
  virtual Result<std::optional<Value>> known(const std::string& node, const std::string& port,
                                             const Region& region) = 0;
  // Pulls regions of a node's inputs into `run`, as floats on its device.
  virtual Result<void> pull_inputs(const std::string& node, const Regions& needed, NodeRun& run) = 0;
  // Pulls one region of an input of node `r` in pieces that fit the budget (a volume in whole slices, upward), and
  // calls `take` with each piece in `run`, whose region is that of the piece.
  virtual Result<void> pull_pieces(const std::string& node, const ResolvedNode& r, const std::string& port,
                                   const Region& region, NodeRun& run, const std::function<Result<void>()>& take) = 0;
};

}  // namespace tl
