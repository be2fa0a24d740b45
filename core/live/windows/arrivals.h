// Arrivals: makes of the windows of a stream what an executor is given in place of the node that loads a scan.
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
  // Every leading node gets its output, for pictures of it; else the last one alone.
  bool gives_all = false;
};

// On the compute thread. The nodes behind the load node that make each view from that view alone, and measure nothing,
// run once for each view: on those that are new in a window, and after a change of their settings on all of them. The
// views of a window are a part of the memory in which their results are kept (ViewRing), and have digests, by which
// what is made of a view further on is found again (Projections::contents). For each window:
//
//   TL_TRY(GivenOutputs given, arrivals.outputs(executor, graph, window));
//   executor.give(std::move(given));
//   executor.pull(...), executor.run(...)   // as of a scan on disk, cached in the same way
class Arrivals {
 public:
  explicit Arrivals(ArrivalOptions options = {});
  ~Arrivals();
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  // The node of a graph that the frames replace. Errors: invalid (no node loads a scan, or several do).
  static Result<std::string> load_node(const Graph& graph, const Registry& registry);
  // Whether a node divides by flats, so that windows have to wait for them.
  static bool needs_flats(const Graph& graph, const Registry& registry);
  // The nodes that correct a view also by flats after it. A window has those that have come so far: a record of the
  // stream, which has all, may be corrected differently.
  static std::vector<std::string> using_later_flats(const Graph& graph, const Registry& registry);

  // The nodes that train a model on a window: it holds for those that follow, so that a run over a record, which trains
  // on each window, may differ.
  static std::vector<std::string> training(const Graph& graph, const Registry& registry);

  // Changes what the executor is given. Errors: those of load_node() and of the nodes; invalid for settings of the load
  // node that have no meaning for a stream.
  Result<GivenOutputs> outputs(Executor& executor, const Graph& graph, const stream::Window& window);
  // What nodes have measured holds for all windows of the same number of views, until this is called, if they can be
  // given it as parameters (NodeType::keep_found); others measure in each window.
  void measure_again() { ++asked_; }

  // Nodes whose parameters are learned are not leading nodes, nor are those behind them: what is given could not follow
  // the values that learning tries. From the next outputs() on.
  void set_learned(std::set<std::string> nodes) { learned_ = std::move(nodes); }

  // How often the leading nodes have made a view.
  [[nodiscard]] int64_t views_made() const { return views_made_; }
  // The load node and the nodes that run once for each view, in order.
  [[nodiscard]] const std::vector<std::string>& leading() const { return leading_; }

 private:
  class BlockHost;
  struct Work;
  struct Kept;
  Result<void> find_leading(Work& work);
  Result<void> make_views(Work& work);
  // Those of the leading nodes whose views are kept, in order.
  [[nodiscard]] std::vector<std::string> kept_nodes() const;
  [[nodiscard]] Result<GivenOutputs> join(Work& work) const;

  const ArrivalOptions options_;
  std::vector<std::string> leading_;
  std::set<std::string> learned_;
  std::unique_ptr<Kept> kept_;
  int64_t asked_ = 0, views_made_ = 0;
};

}  // namespace tl
