// Session: one graph under one executor: what is known of every node, and the pulling of values. Internal to core/run.
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

// A node with its parameters filled in and its inputs known.
struct Resolved {
  const NodeType* type = nullptr;
  std::shared_ptr<void> params;
  std::shared_ptr<void> planned;  // the same without what is held: for checks, shapes and regions
  Infos inputs, outputs;
  Hash key;
  bool learning = false;             // a parameter here or upstream is held
  std::string fingerprint;           // sources
  std::optional<Findings> findings;  // of measure()
  bool complete = true;              // no measurement that this depends on is missing
  std::string device = "cpu";        // where it computes
  std::string why;                   // it is on the processor though the run uses a card
  std::vector<UsedParameter> used;   // its own parameters
};

// A region of an output.
struct Request {
  std::string node, port;
  Region region;

  [[nodiscard]] Hash key() const { return Hasher().add(node).add(port).add(region).digest(); }
};

// One evaluation of some regions of outputs, walked before anything is computed: each region of an output is computed
// once, though several ways lead to it.
struct Evaluation {
  std::map<Hash, Memory> peaks;  // by Request::key(): bytes while it is computed
  std::set<Hash> repeated;       // asked for more than once
  Memory shared;                 // bytes of those: they are held until the evaluation ends
  std::map<Hash, Value> values;  // of the repeated ones, so far
};

// Whether values may be found from the data, only those found before are used, or none that needs pixels.
enum class Knowledge { measured, kept, before_pixels };
// Whether results are kept for later requests (live views) or only where several nodes share them (batch).
enum class Keep { all, shared };

class Session final : public NodeHost {
 public:
  Session(Executor& executor, const Graph& graph, const Outside& outside, Knowledge knowledge, Keep keep);

  Result<const Resolved*> resolve(const std::string& node);
  // As counts where these are taken, nobody else gets the same, and the node has them; floats may come all the same.
  Result<Value> pull(const std::string& node, const std::string& port, const Region& region,
                     Samples samples = Samples::floats);
  // The same where it takes no work.
  Result<std::optional<Value>> known(const std::string& node, const std::string& port, const Region& region);
  [[nodiscard]] std::optional<Findings> known_findings(const std::string& node, const Resolved& r);
  // Tells nodes with the same settings, inputs and input files apart from all others without reading anything; nothing
  // downstream of what is held or given.
  std::optional<Hash> light_key(const std::string& node);
  // A region that may exceed the budget, pulled in pieces that are brought to `device` and joined there.
  Result<Value> pull_in_blocks(const std::string& node, const std::string& port, const Region& region,
                               const std::string& device = "cpu", Samples samples = Samples::floats);
  // Adds the regions of the outputs `of` that a region of a node's output needs.
  Result<void> add_needed(const std::string& node, const std::string& port, const Region& region,
                          const std::vector<OutputId>& of, std::map<OutputId, Region>& found);
  Result<void> add_needed(const Request& request, const std::vector<OutputId>& of, std::map<OutputId, Region>& found,
                          std::set<Hash>& asked);
  // Runs the blocks of a plan's last section through a reducing node.
  Result<Findings> reduce(const std::string& node, const std::vector<Region>& blocks);
  Result<void> store(const Section& section);
  // Runs a plan that ends in a reducing node.
  Result<Findings> run_plan(const std::string& node, const Plan& plan);

  // How many times fewer views would make a region of the node cheap; 1: it is, or what it needs is in the cache.
  Result<int64_t> worth_thinning(const std::string& node, const Region& region, const Thinning& how);
  // From now on the node takes one view in `every` of its inputs. Its results are kept apart from the usual ones.
  void thin(const std::string& node, int64_t every);

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const LinkIndex& links() const { return links_; }
  [[nodiscard]] bool is_given(const std::string& node, const std::string& port) const {
    return outside_.given.count({node, port}) != 0;
  }
  [[nodiscard]] bool is_cancelled() const;
  // Bytes while a region is computed, where the evaluation that goes on has walked over it.
  [[nodiscard]] std::optional<Memory> walked_peak(const Request& request) const;
  // The pipeline as it was drawn, with what is bypassed or muted: records hold this one.
  void set_written(const Graph& graph);
  [[nodiscard]] const Graph& written() const { return written_; }
  [[nodiscard]] bool is_stored(const std::string& node, const std::string& port) const;
  // From now on plans count with the stored results of this one, though nothing was computed.
  void assume(const Plan& plan);
  // Bytes of stored results in memory, real and assumed: no block may use them.
  [[nodiscard]] int64_t resident_bytes() const { return resident_; }
  // What blocks may use now.
  [[nodiscard]] Memory budget() const;
  // What the whole process was allowed, for messages.
  [[nodiscard]] int64_t given_memory() const;
  // What the run's card is called; "cpu" without one.
  [[nodiscard]] const std::string& device() const;
  // For Executor::run(): the error that follows is one of the card, without which the pipeline might run.
  void say_card_failed();
  // The run left its card: what was resolved is resolved anew. What was stored stays.
  void forget_places();
  [[nodiscard]] int64_t element_size() const;
  [[nodiscard]] RunReport& report() { return report_; }
  // Before outputs are written: what they may replace.
  void set_output_rules(io::OutputRules rules) { output_rules_ = std::move(rules); }
  // The outputs that were delivered get a record each, and all of them their names, or none.
  Result<void> commit_outputs();
  // All files that nodes have read are as they were when they were first read: before an output is finished.
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
  // A value in the memory of a device.
  Result<Value> pull_to(const std::string& id, const std::string& port, const Region& region, const std::string& device,
                        Samples samples = Samples::floats);
  Result<Regions> input_regions(const std::string& id, const Resolved& r, const Region& region);
  // As counts where the node takes them.
  Result<void> pull_inputs(const std::string& id, const Regions& needed, NodeRun& run,
                           Samples samples = Samples::floats);
  // Within an evaluation.
  Result<Value> pull_walked(const Resolved& r, const Request& request, Samples samples);
  Result<Value> computed_or_kept(const Resolved& r, const Request& request, Samples samples);
  // A value of an evaluation of its own.
  Result<Value> evaluate(const Request& request, const std::string& device, Samples samples = Samples::floats);
  Result<Value> pull_some_views(const std::string& id, const std::string& port, const ScanRegion& region,
                                const std::string& device);
  NodeRun node_run(const std::string& id, const Resolved& r, const std::string& device);
  // Where a node computes, and why not on the card. After its parameters and inputs are known.
  void place(const std::string& id, Resolved& r);
  // Into the log, once a node, and into the report.
  void tell_place(const std::string& id, const Resolved& r);
  void tell(const std::string& id, const std::string& text);
  // What torch says of the card as an error; sees to it that the run may try again.
  Error card_error(const std::exception& error);
  // The only place that turns exceptions of torch, ITK, VTK or bad_alloc into Error; sets the gradient mode explicitly.
  Result<void> run_node(const std::string& id, const Resolved& r, const std::function<Result<void>()>& body);

  Executor& executor_;
  Graph graph_, written_;
  LinkIndex links_;
  Outside outside_;
  Knowledge knowledge_;
  Keep keep_;
  std::string thinned_;  // the node that takes one view in every_
  int64_t every_ = 1;
  std::map<std::string, std::shared_ptr<const Resolved>> resolved_;
  std::map<std::string, std::optional<Hash>> light_keys_;
  std::map<std::pair<std::string, std::string>, Value> stores_;
  std::set<std::pair<std::string, std::string>> assumed_stores_;
  int64_t resident_ = 0;
  std::map<std::string, Findings> reductions_;
  std::vector<std::pair<std::string, const Resolved*>> running_;  // the node on top owns memo requests
  RunReport report_;
  io::OutputRules output_rules_;
  std::vector<io::OutputFile> delivered_;
  std::vector<std::shared_ptr<const io::InputFiles>> inputs_;
  std::vector<Evaluation> evaluations_;  // the last one goes on
  int64_t blocks_done_ = 0, blocks_total_ = 0;
};

// What a reducing node reads of its first input.
Result<Region> region_read(const Resolved& r);
// core/run/planner.cpp: sections and blocks for a reducing node (port empty) or for storing an output.
Result<Plan> make_plan(Session& session, const std::string& node);
// What a measuring node reads, as a section of its own. An error when the budget cannot hold it.
Result<Section> measurement_section(Session& session, const std::string& node);
// What an evaluation of these regions, all of them inputs of one consumer, will ask for.
Result<Evaluation> look_ahead(Session& session, const std::vector<Request>& requests);
// Bytes that a region takes while it is computed.
Result<Memory> region_peak(Session& session, const std::string& node, const std::string& port, const Region& region);
// Pieces of a region whose peaks keep within the budget, to be joined on `device`.
Result<std::vector<Region>> pieces_within(Session& session, const std::string& node, const std::string& port,
                                          const Region& region, const std::string& device);

// Slices of a value that covers more than the wanted region (nullopt: the region is not a part of it).
std::optional<Value> slice(const Value& value, const Region& stored, const Region& wanted);
// Pieces in ascending order back into one value.
Value join(const std::vector<Value>& pieces, const std::vector<Region>& regions, CutAxis axis, const Region& whole);

// Tensors of a value in the memory of a device; plain numbers and view vectors stay on the processor.
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
  // What is kept lies where it was computed, and counts there.
  Cache& cache_of(const std::string& device) { return device == "cpu" ? cache : card_cache; }
  KeptValues& values_of(const std::string& device) { return device == "cpu" ? values : card_values; }

  const Registry& registry;
  RunOptions options;  // memory and card_memory: of the blocks, without the caches
  int64_t block_memory;
  Cache cache;
  KeptValues values;
  Cache card_cache;
  KeptValues card_values;
  bool card_failed = false;    // the last error was one of the card
  bool card_refused = false;   // namely refused memory: fewer bytes at a time may do
  std::set<std::string> told;  // what was said of places
  InputStamps stamps;
  std::map<std::string, NodeStats> stats;
};

}  // namespace tl
