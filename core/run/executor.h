// Executor: computes what is wanted from a graph, and no more: a slice on screen, a file to write, a loss.
//
// It walks back from the wanted region, asks every node which input regions it needs, and runs the nodes on exactly
// those. Values found from the data (a measured axis, a driven parameter) end a phase: their producers run first, then
// the rest is planned. What does not fit the memory budget is cut into blocks, and where the direction of cutting
// changes (views before, rows after) into sections whose result is stored, in memory or in a scratch file.
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

// Whether a run that cannot use its card may go on without it.
enum class DeviceFallback { forbid, allow };

struct RunOptions {
  at::ScalarType dtype = at::kFloat;  // float64 for verification
  // From choose_device(). On a card run the nodes that have a version for it, and nothing that is being learned; all
  // others run on the processor, which the log and the record say. Values are moved where the place changes.
  std::string device = "cpu";
  DeviceFallback device_fallback = DeviceFallback::forbid;
  std::string device_reason;  // why this device, for the record
  int64_t card_memory = 0;    // bytes of the card for blocks and cache; 0 = nine tenths of what is free
  int64_t memory = 0;         // budget in bytes; 0 = 80 % of what is available
  int64_t memory_given = 0;   // what the whole process was allowed, for messages and records; 0 = the budget
  Purpose purpose = Purpose::result;
  std::filesystem::path input_dir;   // relative input files; empty = the working folder
  std::filesystem::path output_dir;  // relative output files
  io::Overwrite overwrite = io::Overwrite::refuse;
  io::ProtectedFiles inputs;  // besides those of the graph: the file that the pipeline came from
  CancelToken cancel;
  EventSink* events = nullptr;  // must outlive the executor
};

// Parameters that the optimiser holds: (node, parameter) to a float64 tensor in the stored unit.
using Held = std::map<std::pair<std::string, std::string>, at::Tensor>;

// An output of a node: (node, port).
using OutputId = std::pair<std::string, std::string>;

// Stands in for an output: its value on a region, which must cover what is needed of it (Executor::needed), and what is
// known of the whole.
struct GivenOutput {
  Value value;
  Region region;
  Info info;
};
using Given = std::map<OutputId, GivenOutput>;

// What one differentiable evaluation takes from outside of the graph. What only given outputs depend on is not looked
// at. Plans, grids and regions follow the graph's own
// parameters, so that they stay the same while held ones move; nothing downstream of either is kept.
struct Outside {
  Held held;
  Given given;
};

// What a first look may take: bytes of a node's input, where that leaves so many views.
struct Thinning {
  int64_t bytes = 0;
  int64_t least_views = 1;
};

struct NodeStats {
  int64_t calls = 0;
  int64_t voxels = 0;  // elements produced
  double seconds = 0;
  std::string device = "cpu";
  std::string why;  // it is on the processor while the run uses a card; empty where nothing needs saying
};

// A parameter as it was used, for the record of a run.
struct UsedParameter {
  std::string node, name;
  ParamValue value;
  PathRole path = PathRole::none;  // of files; input files are absolute here
  double uncertainty = 0;
  Verdict verdict = Verdict::none;
};

// What may differ from call to call while the cache lives on.
struct CallOptions {
  CancelToken cancel;
  EventSink* events = nullptr;
  io::Overwrite overwrite = io::Overwrite::refuse;
  io::ProtectedFiles inputs = {};     // besides those of the graph
  int64_t memory = 0;                 // bytes for the blocks of this call; 0 = all that is left beside the cache
  Purpose purpose = Purpose::result;  // volumes computed for a picture are kept apart from results
};

// What is known of a node without computing anything.
struct NodeLook {
  NodeUse use = NodeUse::active;     // muted also where the node needs a muted one
  std::optional<Error> error;        // of this node itself
  std::string waits_for;             // a node upstream that has an error; this one cannot be judged
  Infos outputs;                     // with what was measured, where that is still known
  std::optional<Findings> findings;  // of a measuring or reducing node, where they are still known
  bool complete = true;              // nothing that the outputs depend on has still to be measured
  Hash key;                          // of everything that the results depend on, input files by name, size and time
};

struct RunReport {
  std::vector<std::filesystem::path> files;  // written, under their final names
  std::map<std::string, NodeStats> nodes;
  std::map<std::string, std::string> fingerprints;  // input nodes
  std::vector<UsedParameter> parameters;
  std::map<std::string, Findings> findings;  // of every measuring or reducing node that ran
  Plan plan;
  double seconds = 0;
};

// One thread at a time; copies of tensors that it hands out are shared with its cache: do not write into them.
class Executor {
 public:
  Executor(const Registry& registry, RunOptions options);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // Checks without touching pixels: problems(), then check() and infos() of every node with what is known before any
  // measurement. Gives the infos of every node's outputs.
  Result<std::map<std::string, Infos>> check(const Graph& graph);

  // The same node by node: a graph that is unsound in one place is known in the others.
  std::map<std::string, NodeLook> look(const Graph& graph);

  // The value of an output port on a region (all of it by default), in the memory of the processor.
  Result<Value> pull(const Graph& graph, const std::string& node, const std::string& port,
                     const std::optional<Region>& region = {}, const Held& held = {});
  Result<Value> pull(const Graph& graph, const std::string& node, const std::string& port,
                     const std::optional<Region>& region, const Outside& outside);
  // A first look at a region whose inputs would take long: from fewer views of what the node takes, unless they are
  // few or known already. What the node makes of them is its own business, a picture that resembles the true one.
  Result<Value> pull_first_look(const Graph& graph, const std::string& node, const std::string& port,
                                const Region& region, const Thinning& how);
  // Which regions of some outputs are needed for an output port as a whole; those that are not needed are left out.
  Result<std::map<OutputId, Region>> needed(const Graph& graph, const std::string& node, const std::string& port,
                                            const std::vector<OutputId>& of);
  // A value if it takes no work: computed before and still in the cache, perhaps as a part of something larger.
  Result<std::optional<Value>> known(const Graph& graph, const std::string& node, const std::string& port,
                                     const Region& region);
  // What is known of a node's outputs, after the measurements that it depends on.
  Result<Infos> infos(const Graph& graph, const std::string& node);

  // Bytes on the processor's side that a region takes while it is computed, everything upstream included.
  Result<int64_t> peak(const Graph& graph, const std::string& node, const std::string& port, const Region& region);
  // How run() would go about it; measurements upstream are run, because the plan depends on them.
  Result<Plan> plan(const Graph& graph);
  // The same without touching pixels, measurements among the sections: what waits for them is planned with what is
  // known before. An error when the budget cannot be met.
  Result<Plan> forecast(const Graph& graph);
  // Runs every output node (or the given ones) block by block. Where the card refuses memory, its blocks are halved
  // some times; after that, or where not even the smallest block fits: an error (device), or with DeviceFallback::allow
  // the processor, with a warning.
  // Outputs and their records appear together when all are whole, or none does.
  Result<RunReport> run(const Graph& graph, std::vector<std::string> outputs = {});
  // What its outputs may replace: nothing that the graph reads, and what exists only where the options allow it.
  [[nodiscard]] io::OutputRules rules_for(const Graph& graph) const;

  [[nodiscard]] const std::map<std::string, NodeStats>& stats() const;  // since construction
  [[nodiscard]] Cache& cache();
  void free_cache();  // and looks at input files anew
  // What is kept of one node, on the card, too. What is pinned is not given up for anything else until it is freed.
  void free_cache(const std::string& node);
  void pin(const std::string& node);
  void unpin(const std::string& node);
  [[nodiscard]] std::map<std::string, int64_t> cache_by_node() const;  // bytes, of nodes that have any
  // For the calls from now on; gives back what held until now. Calls may be nested (one from an event of another).
  CallOptions use(CallOptions next);
  [[nodiscard]] const RunOptions& options() const;  // memory: that of the blocks, without the cache

 private:
  friend class Session;
  struct Impl;
  Result<Plan> plan_all(Session& session);
  Result<Plan> run_output(Session& session, const std::string& node);
  Result<Value> pull_once(const Graph& graph, const std::string& node, const std::string& port,
                          const std::optional<Region>& region, const Outside& outside);
  // DeviceFallback::allow: the first where no node of the graph could use the card, the second after it failed.
  void choose_device(const Graph& graph);
  bool may_leave_card() const;
  void leave_card(const std::string& reason);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tl
