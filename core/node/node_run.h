// NodeRun: the interface of a running node: its inputs, the requested region, device, progress, cancel token and memos.
#pragma once

#include <ATen/core/Tensor.h>

#include <any>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/events.h"
#include "core/io/bytes/input_files.h"
#include "core/values/hash.h"
#include "core/values/values.h"

namespace tl {

namespace io {
class OutputFile;
struct OutputRules;
}  // namespace io

// Small named results of a measurement or reduction. A result named like an output port is that port's value.
struct Findings {
  std::map<std::string, Value> values;
  // Data for run() in addition to the values: owned by the cache of findings, never changed, not part of records.
  std::shared_ptr<const void> kept;
  int64_t kept_bytes = 0;
};

// Services of the executor for nodes.
class NodeHost {
 public:
  virtual ~NodeHost() = default;
  // Keyed memo: the object `name` for this node with its present parameters and inputs. It is made once and dropped if
  // the memory budget requires it. Not used while an upstream parameter is being learned.
  virtual std::shared_ptr<void> memo(const std::string& name, int64_t bytes,
                                     const std::function<std::shared_ptr<void>()>& make) = 0;
  // The memo of that name if it is cached, else null.
  virtual std::shared_ptr<void> kept_memo(const std::string& name) {
    (void)name;
    return nullptr;
  }
  // The pipeline as JSON text to embed in a result; its input files are relative to the result's folder.
  [[nodiscard]] virtual std::string pipeline_text(const std::filesystem::path& folder) const = 0;
  // Provenance of the run so far as JSON text (versions, device, inputs), to embed in results.
  [[nodiscard]] virtual std::string provenance_text() const = 0;
  // Found and used parameters so far as JSON text: the list "parameters" of a record in that folder.
  [[nodiscard]] virtual std::string parameters_text(const std::filesystem::path& folder) const = 0;
  // Which files outputs may replace.
  [[nodiscard]] virtual io::OutputRules output_rules() const = 0;
  // Accepts a complete output; it gets its final name when all outputs of the run and their records are complete.
  virtual void deliver(io::OutputFile&& whole) = 0;
  // Declares files on which the result depends; before an output is finished they are checked for changes. Error io if
  // they differ from their state when they were read.
  virtual Result<void> reads(const std::shared_ptr<io::InputFiles>& files) {
    (void)files;
    return ok();
  }
  virtual void event(const std::function<void(EventSink&)>& send) = 0;
  // Adds to a counter of a node, see NodeRun::count_work().
  virtual void count_work(const std::string& node, const std::string& what, int64_t n) {
    (void)node, (void)what, (void)n;
  }
};

class NodeRun {
 public:
  NodeRun(std::string node, NodeHost& host, CancelToken cancel)
      : node_(std::move(node)), host_(host), cancel_(cancel) {}

  // The input value of a port; it covers at least the region that needs() requested.
  template <class T>
  const T& in(const std::string& port) const {
    const auto found = inputs.find(port);
    TL_CHECK(found != inputs.end(), "a node read an input that it did not declare");
    return std::get<T>(found->second);
  }
  [[nodiscard]] bool has_in(const std::string& port) const { return inputs.count(port) != 0; }
  template <class T>
  const T& info(const std::string& port) const {
    return std::get<T>(infos.at(port));
  }
  // Whether an output is requested: run() need not compute other outputs.
  [[nodiscard]] bool wants(const std::string& port) const { return asked_for.empty() || asked_for == port; }
  void out(const std::string& port, Value value) { outputs.insert_or_assign(port, std::move(value)); }
  // The last output.
  Result<void> done(const std::string& port, Value value) {
    out(port, std::move(value));
    return ok();
  }

  [[nodiscard]] const std::string& node() const { return node_; }
  [[nodiscard]] const CancelToken& cancel() const { return cancel_; }
  template <class T>
  std::shared_ptr<T> memo(const std::string& name, int64_t bytes, const std::function<std::shared_ptr<T>()>& make) {
    return std::static_pointer_cast<T>(host_.memo(name, bytes, [&] { return std::static_pointer_cast<void>(make()); }));
  }
  void metric(const std::string& name, int64_t index, double value) {
    host_.event([&](EventSink& s) { s.metric(node_, name, index, value); });
  }
  void message(LogLevel level, const std::string& text) {
    host_.event([&](EventSink& s) { s.message(level, node_, text); });
  }
  // Adds to a counter in the statistics of the node, for work that should be done once, such as "filtered views".
  void count_work(const std::string& what, int64_t n) { host_.count_work(node_, what, n); }
  NodeHost& host() { return host_; }

  // Set by the executor before the node is called.
  std::map<std::string, Value> inputs;
  std::map<std::string, Info> infos;  // of the whole inputs
  // By port: a key of all that the input depends on (nodes, parameters, files upstream). Equal keys mean equal values:
  // memos under such keys (shared_memo.h) stay valid when the node's own parameters or other inputs change.
  std::map<std::string, Hash> input_keys;
  Region region = WholeRegion{};  // requested part of the output; reduce: the current block of the first input
  std::string asked_for;          // the output; empty: all are
  Region full = WholeRegion{};    // reduce: the whole region that is read of the first input
  std::optional<Region> next;     // sources: the region that will probably be requested next, and may be read ahead
  // reduce: bytes that the node may use: the workspace that it declares for a block, plus what remains of the
  // budget.
  int64_t memory = std::numeric_limits<int64_t>::max();
  bool may_keep_block = false;  // reduce: there is enough memory to keep the inputs until the next block comes
  const Findings* findings = nullptr;
  at::ScalarType dtype = at::kFloat;  // float32 for work, float64 for verification
  Samples samples = Samples::floats;  // counts: the output may be uint16 counts from a file
  std::string device = "cpu";         // device of the input tensors and of the outputs
  bool learning = false;              // a parameter of this node or upstream is being learned
  bool first_look = false;            // a coarse first image on screen is requested; a better one follows
  bool batch = false;                 // from files to files, block by block: the same pixels are rarely requested twice

  std::map<std::string, Value> outputs;  // filled through out()

 private:
  std::string node_;
  NodeHost& host_;
  CancelToken cancel_;
};

}  // namespace tl
