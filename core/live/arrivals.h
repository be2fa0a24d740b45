// Arrivals: makes of the windows of a stream what an executor is given in place of the node that loads a scan.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/run/common/external_values.h"
#include "core/stream/windows.h"

namespace tl {

class Executor;

struct ArrivalOptions {
  std::string load_node;     // empty: the only node that loads a scan
  // Every leading node has its output, for pictures of it; else those that other nodes take.
  bool gives_all = false;
};

// On the compute thread. The nodes behind the load node that make each view by itself run once for each view, on those
// that are new in a window; after a change of their settings, on all of them. Usage, for each window:
//
//   TL_TRY(GivenOutputs given, arrivals.outputs(executor, graph, window));
//   executor.give(std::move(given));
//   executor.pull(...), executor.run(...)   // as of a scan on disk, cached alike
class Arrivals {
 public:
  explicit Arrivals(ArrivalOptions options = {});
  ~Arrivals();

  // Errors: invalid (no node loads a scan, or several do); those of the nodes.
  Result<GivenOutputs> outputs(Executor& executor, const Graph& graph, const stream::Window& window);
  // Whether the leading nodes divide by flats, so that a window has to wait for them.
  static Result<bool> needs_flats(const Registry& registry, const Graph& graph, const std::string& load_node = {});
  // What nodes have measured holds for all windows, until this is called.
  void measure_again() { ++asked_; }

  // Views that the leading nodes have made, each counted as often as it was.
  [[nodiscard]] int64_t views_made() const { return views_made_; }
  // The nodes that run once for each view, in order; the load node is the first.
  [[nodiscard]] const std::vector<std::string>& leading() const { return leading_; }

 private:
  struct Views;
  ArrivalOptions options_;
  std::vector<std::string> leading_;
  std::unique_ptr<Views> views_;
  int64_t asked_ = 0, views_made_ = 0;
};

}  // namespace tl
