// Executor: computes a requested region of a graph's output (a slice on screen, a file, a loss) and nothing else.
//
// It walks upstream from the requested region, asks every node which input regions it needs, and runs the nodes on
// exactly those. Values found from the data (a measured axis, a driven parameter) end a phase: the nodes that produce
// them run first, then the rest is planned. Work that exceeds the memory budget is cut into blocks; where the axis of
// cutting changes (views before, rows after), a section ends and its result is stored in memory or in a scratch file.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/events.h"
#include "core/graph/graph.h"
#include "core/io/output/output_rules.h"
#include "core/node/node_run.h"
#include "core/run/cache.h"
#include "core/run/plan.h"
#include "core/values/hash.h"

namespace tl {

class Session;

// as_told: a failure of the chosen GPU is an error. automatic: the run continues on the CPU.
enum class DeviceFallback { forbid, allow };

struct RunOptions {
  at::ScalarType dtype = at::kFloat;  // float64 for verification
  // From choose_device(). With a GPU, nodes that support it run there, except those that are being learned; all others
  // run on the CPU, which the log and the record state. Values are copied between devices as needed.
  std::string device = "cpu";
  DeviceFallback device_fallback = DeviceFallback::forbid;
  std::string device_reason;  // why this device, for the record
  int64_t gpu_memory = 0;     // bytes on the GPU for blocks and cache; 0 = 90 % of what is free
  int64_t memory = 0;         // budget in bytes; 0 = 80 % of what is available
  int64_t memory_given = 0;   // memory allowed to the whole process, for messages and records; 0 = the budget
  Purpose purpose = Purpose::result;
  std::filesystem::path input_dir;   // base of relative input paths; empty = the working folder
  std::filesystem::path output_dir;  // base of relative output paths
  io::Overwrite overwrite = io::Overwrite::refuse;
  io::ProtectedFiles inputs;  // protected besides the graph's own inputs: the file that the pipeline came from
  CancelToken cancel;
  EventSink* events = nullptr;  // must outlive the executor
};

// Parameters whose values the optimiser supplies: (node, parameter) to a float64 tensor in the stored unit.
using HeldParameters = std::map<std::pair<std::string, std::string>, at::Tensor>;

// An output of a node: (node, port).
using OutputId = std::pair<std::string, std::string>;

// Replaces a computed output: its value on a region, which must cover what is needed of it (Executor::needed), and the
// info of the whole output.
struct GivenOutput {
  Value value;
  Region region;
  Info info;
};
using GivenOutputs = std::map<OutputId, GivenOutput>;

// What one differentiable evaluation takes from outside of the graph. Nodes upstream of given outputs alone are not
// evaluated. Plans, grids and regions follow the graph's own parameters, so they stay the same while held parameters
// change; nothing downstream of a held parameter or a given output is cached.
struct ExternalValues {
  HeldParameters held;
  GivenOutputs given;
};

// Limits of a first look: bytes of a node's input, as long as at least `least_views` views remain.
struct FirstLookLimits {
  int64_t bytes = 0;
  int64_t least_views = 1;
};

struct NodeStats {
  int64_t calls = 0;
  int64_t voxels = 0;  // elements produced
  double seconds = 0;
  std::string device = "cpu";
  std::string why;  // why the node is on the CPU while the run uses a GPU; empty if there is nothing to explain
};

// A parameter as it was used, for the record of a run.
struct UsedParameter {
  std::string node, name;
  ParamValue value;
  PathRole path = PathRole::none;  // role of a file parameter; input paths are absolute here
  double uncertainty = 0;
  Verdict verdict = Verdict::none;
};

// Options that may change between calls while the cache stays.
struct CallOptions {
  CancelToken cancel;
  EventSink* events = nullptr;
  io::Overwrite overwrite = io::Overwrite::refuse;
  io::ProtectedFiles inputs = {};     // protected besides the graph's own inputs
  int64_t memory = 0;                 // bytes for the blocks of this call; 0 = the whole budget less the cache
  Purpose purpose = Purpose::result;  // volumes computed for a picture are cached apart from results
};

// State of a node as far as it is known without computing anything.
struct NodeInspection {
  NodeUse use = NodeUse::active;     // muted also if the node needs the output of a muted one
  std::optional<Error> error;        // error of this node itself
  std::string waits_for;             // an upstream node with an error; this node cannot be checked
  Infos outputs;                     // measured values included if they are still cached
  std::optional<Findings> findings;  // of a measuring or reducing node, if still cached
  bool complete = true;              // false if the outputs depend on a measurement that is still missing
  Hash key;  // of everything that the results depend on; input files by name, size and modification time
};

struct RunReport {
  std::vector<std::filesystem::path> files;  // files written, under their final names
  std::map<std::string, NodeStats> nodes;
  std::map<std::string, std::string> fingerprints;  // of the input nodes
  std::vector<UsedParameter> parameters;
  std::map<std::string, Findings> findings;  // of every measuring or reducing node that ran
  Plan plan;
  double seconds = 0;
};

// One thread at a time. Returned tensors share memory with the cache: do not write into them.
class Executor {
 public:
  Executor(const Registry& registry, RunOptions options);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // Checks without touching pixels: problems(), then check() and infos() of every node with what is known before any
  // measurement. Gives the infos of every node's outputs.
  Result<std::map<std::string, Infos>> check(const Graph& graph);

  // The same node by node: an error in one part of the graph leaves the other parts known.
  std::map<std::string, NodeInspection> look(const Graph& graph);

  // The value of an output port on a region (the whole by default), in host memory.
  Result<Value> pull(const Graph& graph, const std::string& node, const std::string& port,
                     const std::optional<Region>& region = {}, const HeldParameters& held = {});
  Result<Value> pull(const Graph& graph, const std::string& node, const std::string& port,
                     const std::optional<Region>& region, const ExternalValues& outside);
  // A quick approximation of a region: the node runs on a subset of the views of its inputs, unless they are few or
  // cached already. Each node decides what it makes of fewer views; the result should resemble the true one.
  Result<Value> pull_first_look(const Graph& graph, const std::string& node, const std::string& port,
                                const Region& region, const FirstLookLimits& how);
  // The regions of the outputs `of` that the whole of an output port depends on; outputs that it does not depend on are
  // left out.
  Result<std::map<OutputId, Region>> needed(const Graph& graph, const std::string& node, const std::string& port,
                                            const std::vector<OutputId>& of);
  // The value if it is in the cache, on its own or as part of a larger region; else nothing.
  Result<std::optional<Value>> known(const Graph& graph, const std::string& node, const std::string& port,
                                     const Region& region);
  // The infos of a node's outputs, after the measurements that they depend on have run.
  Result<Infos> infos(const Graph& graph, const std::string& node);

  // Peak bytes of host memory while a region is computed, everything upstream included.
  Result<int64_t> peak(const Graph& graph, const std::string& node, const std::string& port, const Region& region);
  // The plan that run() would follow; runs upstream measurements, because the plan depends on them.
  Result<Plan> plan(const Graph& graph);
  // The same without touching pixels; measurements appear among the sections, and what depends on them is planned with
  // the infos known before. An error if the budget cannot be met.
  Result<Plan> forecast(const Graph& graph);
  // Runs every output node (or the given ones) block by block. If the GPU runs out of memory, blocks are halved up to
  // three times. If that fails, or the smallest block does not fit: an error (device), or with DeviceFallback::allow a
  // warning and a run on the CPU. All outputs and their records appear together when they are complete, or none does.
  Result<RunReport> run(const Graph& graph, std::vector<std::string> outputs = {});
  // Which files the outputs may replace: none that the graph reads, and existing ones only if the options allow it.
  [[nodiscard]] io::OutputRules rules_for(const Graph& graph) const;

  [[nodiscard]] const std::map<std::string, NodeStats>& stats() const;  // since construction
  [[nodiscard]] Cache& cache();
  void free_cache();  // and checks the input files anew
  // Drops the cached values of one node, in host and GPU memory. Those of a pinned node are not evicted to make room
  // for others.
  void free_cache(const std::string& node);
  void pin(const std::string& node);
  void unpin(const std::string& node);
  [[nodiscard]] std::map<std::string, int64_t> cache_by_node() const;  // bytes per node, for nodes that have any
  // Sets the options of the following calls and returns the former ones. Calls may be nested (one from an event of
  // another).
  CallOptions use(CallOptions next);
  [[nodiscard]] const RunOptions& options() const;  // `memory` is that of the blocks, without the cache

 private:
  friend class Session;
  struct Impl;
  Result<Plan> plan_all(Session& session);
  Result<Plan> run_output(Session& session, const std::string& node);
  Result<Value> pull_once(const Graph& graph, const std::string& node, const std::string& port,
                          const std::optional<Region>& region, const ExternalValues& outside);
  // For DeviceFallback::allow: choose_device() leaves the GPU if no node of the graph supports it; leave_card() does so
  // after a failure.
  void choose_device(const Graph& graph);
  bool may_fall_back_to_cpu() const;
  void fall_back_to_cpu(const std::string& reason);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tl
