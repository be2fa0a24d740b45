// Session: one graph in one executor. Resolves nodes (parameters, infos, keys) and pulls values. Internal to core/run.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/graph/link_index.h"
#include "core/io/output/output_file.h"
#include "core/run/executor.h"
#include "core/run/kept_values.h"
#include "core/run/record/input_stamps.h"

namespace tl {

// A node whose parameters are filled in and whose input infos are known.
struct Resolved {
  const NodeType* type = nullptr;
  std::shared_ptr<void> params;
  std::shared_ptr<void> planned;  // the same without held parameters: for checks, shapes and regions
  Infos inputs, outputs;
  Hash key;
  bool learning = false;             // a parameter here or upstream is held
  std::string fingerprint;           // of an input node's files
  std::optional<Findings> findings;  // of measure()
  bool complete = true;              // no measurement that this node depends on is missing
  std::string device = "cpu";        // the device it runs on
  std::string why;                   // why it runs on the CPU although the run uses a GPU
  std::vector<UsedParameter> used;   // its own parameters
};

// A region of an output.
struct Request {
  std::string node, port;
  Region region;

  [[nodiscard]] Hash key() const { return Hasher().add(node).add(port).add(region).digest(); }
};

// One evaluation of some regions of outputs, walked before anything is computed. Each region of an output is computed
// once, even if several paths in the graph lead to it.
struct Evaluation {
  std::map<Hash, Memory> peaks;  // by Request::key(): bytes while it is computed
  std::set<Hash> repeated;       // requested more than once
  Memory shared;                 // bytes of the repeated regions, which stay in memory until the evaluation ends
  std::map<Hash, Value> values;  // of the repeated regions, so far
};

// How far values found from the data are known: measured = run measurements now; kept = use only cached ones;
// before_pixels = use none.
enum class MeasurementUse { measured, kept, before_pixels };
// Which results are cached: all (live views), or only those that several nodes consume (batch).
enum class Keep { all, shared };

class Session final : public NodeHost {
 public:
  Session(Executor& executor, const Graph& graph, const ExternalValues& outside, MeasurementUse knowledge, Keep keep);

  Result<const Resolved*> resolve(const std::string& node);
  // With Samples::counts: raw uint16 if the node supplies it and the value is neither cached nor consumed twice;
  // otherwise floats. With Samples::floats always floats.
  Result<Value> pull(const std::string& node, const std::string& port, const Region& region,
                     Samples samples = Samples::floats);
  // The value if it is in the cache; else nothing.
  Result<std::optional<Value>> known(const std::string& node, const std::string& port, const Region& region);
  [[nodiscard]] std::optional<Findings> known_findings(const std::string& node, const Resolved& r);
  // A key of the node's settings, inputs and input files that reads no file content. None for nodes that are held or
  // given, or downstream of such.
  std::optional<Hash> settings_key(const std::string& node);
  // Pulls a region that may exceed the budget in pieces, which are moved to `device` and joined there.
  Result<Value> pull_in_blocks(const std::string& node, const std::string& port, const Region& region,
                               const std::string& device = "cpu", Samples samples = Samples::floats);
  // Adds to `found` the regions of the outputs `of` that a region of a node's output needs.
  Result<void> add_needed(const std::string& node, const std::string& port, const Region& region,
                          const std::vector<OutputId>& of, std::map<OutputId, Region>& found);
  Result<void> add_needed(const Request& request, const std::vector<OutputId>& of, std::map<OutputId, Region>& found,
                          std::set<Hash>& asked);
  // Runs a reducing node over the blocks of a plan's last section.
  Result<Findings> reduce(const std::string& node, const std::vector<Region>& blocks);
  Result<void> store(const Section& section);
  // Runs a plan that ends in a reducing node.
  Result<Findings> run_plan(const std::string& node, const Plan& plan);

  // By which factor to reduce the views of the node's inputs for a first look at a region; 1 if the inputs are small or
  // cached.
  Result<int64_t> worth_thinning(const std::string& node, const Region& region, const FirstLookLimits& how);
  // From now on the node takes every `every`-th view of its inputs. Its results are cached apart from the usual ones.
  void thin(const std::string& node, int64_t every);

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const LinkIndex& links() const { return links_; }
  [[nodiscard]] bool is_given(const std::string& node, const std::string& port) const {
    return outside_.given.count({node, port}) != 0;
  }
  [[nodiscard]] bool is_cancelled() const;
  // Peak bytes while a region is computed, if the current evaluation has walked over it.
  [[nodiscard]] std::optional<Memory> walked_peak(const Request& request) const;
  // The pipeline as drawn, bypassed and muted nodes included; it is what records contain.
  void set_written(const Graph& graph);
  [[nodiscard]] const Graph& written() const { return written_; }
  [[nodiscard]] bool is_stored(const std::string& node, const std::string& port) const;
  // Later plans treat the stored results of this plan as present, although nothing was computed.
  void assume(const Plan& plan);
  // Bytes of stored results in memory, real and assumed; not available to blocks.
  [[nodiscard]] int64_t resident_bytes() const { return resident_; }
  // Bytes that blocks may use now.
  [[nodiscard]] Memory budget() const;
  // Memory allowed to the whole process, for messages.
  [[nodiscard]] int64_t given_memory() const;
  // The run's device: that of the GPU, or "cpu".
  [[nodiscard]] const std::string& device() const;
  // Tells Executor::run() that the error that follows comes from the GPU, so that the pipeline may succeed without it.
  void note_gpu_failure();
  // After the run has left its GPU: nodes are resolved anew. Stored results stay.
  void clear_resolved_nodes();
  [[nodiscard]] int64_t element_size() const;
  [[nodiscard]] RunReport& report() { return report_; }
  // Which files outputs may replace; to be set before outputs are written.
  void set_output_rules(io::OutputRules rules) { output_rules_ = std::move(rules); }
  // Writes a record for each delivered output, then gives all of them their final names, or none.
  Result<void> commit_outputs();
  // An error if a file has changed since a node first read it. Checked before an output is finished.
  [[nodiscard]] Result<void> inputs_unchanged() const;

  // NodeHost
  std::shared_ptr<void> memo(const std::string& name, int64_t bytes,
                             const std::function<std::shared_ptr<void>()>& make) override;
  [[nodiscard]] std::string pipeline_text(const std::filesystem::path& folder) const override;
  [[nodiscard]] std::string provenance_text() const override;
  [[nodiscard]] std::string parameters_text(const std::filesystem::path& folder) const override;
  [[nodiscard]] io::OutputRules output_rules() const override;
  void deliver(io::OutputFile&& whole) override;
  Result<void> reads(const std::shared_ptr<io::InputFiles>& files) override;
  void event(const std::function<void(EventSink&)>& send) override;

 private:
  Result<Resolved> make_resolved(const std::string& id);
  std::optional<Hash> make_light_key(const std::string& id);
  Result<void> recall(const std::string& id, const Resolved& r);
  [[nodiscard]] Hash findings_key(const Resolved& r) const;
  [[nodiscard]] Hash values_key(const Resolved& r, const std::string& port, Purpose purpose) const;
  [[nodiscard]] Purpose purpose_of(const Region& region) const;
  [[nodiscard]] std::optional<Value> kept_value(const Resolved& r, const std::string& port, const Region& region) const;
  [[nodiscard]] bool is_outside(const std::string& id) const;
  Result<Resolved> make_given(const std::string& id) const;
  Result<void> fill_params(const std::string& id, Resolved& r, Hasher& hasher);
  Result<void> drive(const Link& link, Resolved& r, const ParamDecl& decl, Hasher& hasher);
  Result<void> resolve_inputs(const std::string& id, Resolved& r, Hasher& hasher);
  Result<Findings> measure(const std::string& id, const Resolved& r);
  Result<Findings> reduced(const std::string& id, const Resolved& r);
  void keep_findings(const std::string& id, const Resolved& r, const Findings& findings);
  Result<Value> compute(const std::string& id, const std::string& port, const Region& region, const Resolved& r,
                        Samples samples);
  // pull(), then moves the value to `device`.
  Result<Value> pull_to(const std::string& id, const std::string& port, const Region& region, const std::string& device,
                        Samples samples = Samples::floats);
  Result<Regions> input_regions(const std::string& id, const Resolved& r, const Region& region);
  // Pulls a node's inputs into `run`; `samples` says whether the node accepts counts.
  Result<void> pull_inputs(const std::string& id, const Regions& needed, NodeRun& run,
                           Samples samples = Samples::floats);
  // pull() within an evaluation.
  Result<Value> pull_walked(const Resolved& r, const Request& request, Samples samples);
  Result<Value> computed_or_kept(const Resolved& r, const Request& request, Samples samples);
  // pull_to() as an evaluation of its own.
  Result<Value> evaluate(const Request& request, const std::string& device, Samples samples = Samples::floats);
  Result<Value> pull_view_subset(const std::string& id, const std::string& port, const ScanRegion& region,
                                 const std::string& device);
  NodeRun node_run(const std::string& id, const Resolved& r, const std::string& device);
  // Sets the device of a node, and the reason if that is not the GPU. Its parameters and inputs must be known.
  void place(const std::string& id, Resolved& r);
  // Writes the node's device into the report, and into the log once per node.
  void report_device(const std::string& id, const Resolved& r);
  void tell(const std::string& id, const std::string& text);
  // Converts a GPU exception of torch to an error and marks the failure, so that the run may try again.
  Error card_error(const std::exception& error);
  // Runs `body`. The only place that converts exceptions of torch, ITK, VTK or bad_alloc to Error; it sets the gradient
  // mode explicitly.
  Result<void> run_node(const std::string& id, const Resolved& r, const std::function<Result<void>()>& body);

  Executor& executor_;
  Graph graph_, written_;
  LinkIndex links_;
  ExternalValues outside_;
  MeasurementUse knowledge_;
  Keep keep_;
  std::string thinned_;  // the node that takes every every_-th view
  int64_t every_ = 1;
  std::map<std::string, std::shared_ptr<const Resolved>> resolved_;
  std::map<std::string, std::optional<Hash>> light_keys_;
  std::map<std::pair<std::string, std::string>, Value> stores_;
  std::set<std::pair<std::string, std::string>> assumed_stores_;
  int64_t resident_ = 0;
  std::map<std::string, Findings> reductions_;
  std::vector<std::pair<std::string, const Resolved*>> running_;  // the last one owns requested memos
  RunReport report_;
  io::OutputRules output_rules_;
  std::vector<io::OutputFile> delivered_;
  std::vector<std::shared_ptr<const io::InputFiles>> inputs_;
  std::vector<Evaluation> evaluations_;  // the last one is current
  int64_t blocks_done_ = 0, blocks_total_ = 0;
};

// The region that a reducing node reads of its first input.
Result<Region> region_read(const Resolved& r);
// Sections and blocks for a reducing node or an output node (core/run/planner.cpp).
Result<Plan> make_plan(Session& session, const std::string& node);
// The regions that a measuring node reads, as a section of its own. An error if the budget cannot hold it.
Result<Section> measurement_section(Session& session, const std::string& node);
// Peaks and repeated regions of an evaluation of these requests, all of them inputs of one consumer.
Result<Evaluation> look_ahead(Session& session, const std::vector<Request>& requests);
// Peak bytes while a region is computed.
Result<Memory> region_peak(Session& session, const std::string& node, const std::string& port, const Region& region);
// Cuts a region into pieces whose peaks fit the budget; they are to be joined on `device`.
Result<std::vector<Region>> pieces_within(Session& session, const std::string& node, const std::string& port,
                                          const Region& region, const std::string& device);

// Crops a value on region `stored` to `wanted`; nullopt if `wanted` is not part of it.
std::optional<Value> slice(const Value& value, const Region& stored, const Region& wanted);
// Joins pieces in ascending order to one value.
Value join(const std::vector<Value>& pieces, const std::vector<Region>& regions, CutAxis axis, const Region& whole);

// Moves the tensors of a value to a device; scalars and view vectors stay on the CPU.
Value moved(Value value, const std::string& device);

struct Executor::Impl {
  Impl(const Registry& r, RunOptions o, int64_t cache_budget, int64_t card_cache_budget)
      : registry(r),
        options(std::move(o)),
        block_memory(options.memory),
        cache(cache_budget),
        values(cache),
        card_cache(card_cache_budget),
        card_values(card_cache) {}
  // Values are cached on the device that computed them, and count there.
  Cache& cache_of(const std::string& device) { return device == "cpu" ? cache : card_cache; }
  CachedValues& values_of(const std::string& device) { return device == "cpu" ? values : card_values; }

  const Registry& registry;
  RunOptions options;  // memory and card_memory are those of the blocks, without the caches
  int64_t block_memory;
  Cache cache;
  CachedValues values;
  Cache card_cache;
  CachedValues card_values;
  bool card_failed = false;               // the last error came from the GPU
  bool card_refused = false;              // it was out of memory: smaller blocks may fit
  std::set<std::string> logged_messages;  // messages about devices that were logged
  InputStamps stamps;
  std::map<std::string, NodeStats> stats;
};

}  // namespace tl
