// Arrivals: from the windows of a stream, makes outputs that an executor uses in place of the node that loads a scan.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.h"
#include "core/run/common/external_values.h"
#include "core/stream/windows.h"

namespace tl {

class Executor;

struct ArrivalOptions {
  // Every leading node's output is given, so that images of it can be shown; else only the last one's.
  bool gives_all = false;
};

// On the compute thread. The nodes after the load node that compute each view from that view alone, and measure
// nothing, run once per view: for the new views of a window, and after a change of their settings for all. The views of
// a window are a part of the memory in which their results are kept (ViewRing), and have digests, by which later nodes
// find their own results for a view again (Projections::contents). For each window:
//
//   TL_TRY(GivenOutputs given, arrivals.outputs(executor, graph, window));
//   executor.give(std::move(given));
//   executor.pull(...), executor.run(...)   // as for a scan on disk, cached in the same way
class Arrivals {
 public:
  explicit Arrivals(ArrivalOptions options = {});
  ~Arrivals();
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  // The node of a graph whose output the frames replace. Errors: invalid (no node loads a scan, or several do).
  static Result<std::string> load_node(const Graph& graph, const Registry& registry);
  // Whether a node divides by flats, so that windows have to wait until flats have arrived.
  static bool needs_flats(const Graph& graph, const Registry& registry);
  // The nodes that correct a view also by flats taken after it. A window uses the flats that have arrived so far: a run
  // over the record, which has all, may give different results.
  static std::vector<std::string> using_later_flats(const Graph& graph, const Registry& registry);

  // The nodes that train a model on a window and use it for later windows; a run over the record trains on each window,
  // and may differ.
  static std::vector<std::string> training(const Graph& graph, const Registry& registry);

  // Changes the outputs that replace those of nodes in the executor. Errors: those of load_node() and of the nodes;
  // invalid for settings of the load node that have no meaning for a stream.
  Result<GivenOutputs> outputs(Executor& executor, const Graph& graph, const stream::Window& window);
  // Measured values are used for all windows of the same number of views, until this is called, if the nodes accept
  // them as parameters (NodeType::keep_found); other nodes measure in each window.
  void measure_again() { ++asked_; }

  // Nodes whose parameters are learned, and nodes after them, are not leading nodes: their kept output would not follow
  // the values that learning tries. Takes effect at the next outputs().
  void set_learned(std::set<std::string> nodes) { learned_ = std::move(nodes); }

  // How many views the leading nodes have computed so far.
  [[nodiscard]] int64_t views_made() const { return views_made_; }
  // The load node and the nodes that run once per view, in order.
  [[nodiscard]] const std::vector<std::string>& leading() const { return leading_; }

 private:
  class BlockHost;
  struct Work;
  struct Kept;
  Result<void> find_leading(Work& work);
  Result<void> make_views(Work& work);
  // The leading nodes whose views are kept, in order.
  [[nodiscard]] std::vector<std::string> kept_nodes() const;
  [[nodiscard]] Result<GivenOutputs> join(Work& work) const;

  const ArrivalOptions options_;
  std::vector<std::string> leading_;
  std::set<std::string> learned_;
  std::unique_ptr<Kept> kept_;
  int64_t asked_ = 0, views_made_ = 0;
};

}  // namespace tl
