// Executor: computes a requested region of a graph's output (a slice on screen, a file, a loss) and nothing else.
//
// It walks upstream from the requested region, asks every node which input regions it needs, and runs the nodes on
// exactly those. Values found from the data (a measured axis, a driven parameter) end a phase: the nodes that produce
// them run first, then the rest is planned. Work that exceeds the memory budget is cut into blocks; where the axis of
// cutting changes (views before, rows after), a section ends and its result is stored in memory or in a scratch file.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/io/output/output_rules.h"
#include "core/node/node_run.h"
#include "core/run/common/cache.h"
#include "core/run/common/external_values.h"
#include "core/run/common/plan.h"
#include "core/run/common/run_options.h"
#include "core/run/common/run_report.h"
#include "core/run/node_inspection.h"

namespace tl {

class RunResources;

// One thread at a time. Returned tensors share memory with the cache: do not write into them.
class Executor {
 public:
  Executor(const Registry& registry, RunOptions options);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // Checks without reading pixels: problems(), then check() and infos() of every node with what is known before any
  // measurement. Returns the infos of every node's outputs.
  Result<std::map<std::string, Infos>> check(const Graph& graph);

  // Checks node by node: an error in one part of the graph does not hide the state of the other parts.
  std::map<std::string, NodeInspection> look(const Graph& graph);

  // The value of an output port on a region (the whole by default), in host memory.
  Result<Value> pull(const Graph& graph, const std::string& node, const std::string& port,
                     const std::optional<Region>& region = {}, const ParameterTensors& parameters = {}) {
    return pull(graph, node, port, region, ExternalValues{parameters, {}});
  }
  Result<Value> pull(const Graph& graph, const std::string& node, const std::string& port,
                     const std::optional<Region>& region, const ExternalValues& outside);
  // From now on these outputs, each with a key, replace the computed outputs of their nodes, in all calls until the
  // next give(); {} ends this. Cached results downstream of the previous ones are dropped, except measurements and,
  // unless {} is given, results for single views that were used since the last call (view_memo()).
  void give(GivenOutputs outputs);
  // A quick approximation of a region: the node runs on a subset of the views of its inputs, unless they are few or
  // cached already. Each node decides how it uses fewer views; the result should resemble the exact one.
  Result<Value> pull_first_look(const Graph& graph, const std::string& node, const std::string& port,
                                const Region& region, const FirstLookLimits& how);
  // The backward pass from a number returned by pull(). Errors: device, if the GPU fails; with DeviceFallback::allow it
  // is then no longer used (see options().device), and a repetition on the CPU may succeed. Throws like autograd.
  Result<void> backward(const at::Tensor& value);
  // The regions of the outputs `of` on which the whole of an output port depends; outputs on which it does not depend
  // are left out.
  Result<std::map<OutputId, Region>> needed(const Graph& graph, const std::string& node, const std::string& port,
                                            const std::vector<OutputId>& of);
  // The value if it is cached, on its own or as part of a larger region; else nothing.
  Result<std::optional<Value>> known(const Graph& graph, const std::string& node, const std::string& port,
                                     const Region& region);
  // The infos of a node's outputs, after the measurements that they depend on have run.
  Result<Infos> infos(const Graph& graph, const std::string& node);
  // The infos of a node's inputs, by input port; ports without a link are left out.
  Result<Infos> input_infos(const Graph& graph, const std::string& node);

  // Peak bytes of host memory while a region is computed, everything upstream included.
  Result<int64_t> peak(const Graph& graph, const std::string& node, const std::string& port, const Region& region);
  // The plan that run() would follow; runs upstream measurements, because the plan depends on them.
  Result<Plan> plan(const Graph& graph);
  // The plan without reading pixels, with the work of its nodes. Measurements that are not cached are sections, and
  // nodes that depend on them are planned with the infos known before. An error if the budget is too small.
  Result<Plan> forecast(const Graph& graph);
  // By node, the work of computing a region of an output; cached results and measurements are left out.
  Result<std::map<std::string, NodeWork>> work(const Graph& graph, const std::string& node, const std::string& port,
                                               const Region& region);
  // Runs every output node (or the given ones) block by block. If the GPU runs out of memory, blocks are halved up to
  // three times. If that fails, or the smallest block does not fit: an error (device), or with DeviceFallback::allow a
  // warning and a run on the CPU. All outputs and their records appear together when they are complete, or none does.
  Result<RunReport> run(const Graph& graph, std::vector<std::string> outputs = {});
  // Which files the outputs may replace: none that the graph reads, and existing ones only if the options allow it.
  [[nodiscard]] io::OutputRules rules_for(const Graph& graph) const;

  [[nodiscard]] const std::map<std::string, NodeStats>& stats() const;  // since construction
  [[nodiscard]] Cache& cache();
  void free_cache();  // also checks the input files for changes again
  // Drops the cached values of one node, in host and GPU memory. Values of a pinned node are not evicted to make room
  // for others.
  void free_cache(const std::string& node);
  // Drops the cached values, except results for single views that were used since the last call (view_memo()).
  void free_stale(const std::string& node);
  void pin(const std::string& node);
  void unpin(const std::string& node);
  [[nodiscard]] std::map<std::string, int64_t> cache_by_node() const;  // bytes per node, for nodes that have any
  // Sets the options of the following calls and returns the previous ones. Calls may be nested (one from an event of
  // another).
  CallOptions use(CallOptions next);
  [[nodiscard]] const RunOptions& options() const;  // `memory` is the budget of the blocks, without the cache

 private:
  Result<Value> pull_once(const Graph& graph, const std::string& node, const std::string& port,
                          const std::optional<Region>& region, const ExternalValues& outside);
  std::unique_ptr<RunResources> resources_;
};

}  // namespace tl
