// RunResources: resources of an executor used by its sessions: node types, options, caches, statistics, failures of the
// GPU.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/node/registry.h"
#include "core/run/common/cache.h"
#include "core/run/common/cached_values.h"
#include "core/run/common/external_values.h"
#include "core/run/common/input_stamps.h"
#include "core/run/common/run_options.h"
#include "core/run/common/run_report.h"
#include "gpu/device/tensor_memory.h"

namespace tl {

// One thread at a time. It must outlive the sessions.
class RunResources {
 public:
  // Budgets that the options leave open are derived from the free memory. The caches get a part of them; the rest is
  // for current blocks.
  RunResources(const Registry& registry, RunOptions options);
  RunResources(const RunResources&) = delete;
  RunResources& operator=(const RunResources&) = delete;

  [[nodiscard]] const Registry& registry() const { return registry_; }
  // memory and gpu_memory are the budgets for blocks, without the caches.
  [[nodiscard]] const RunOptions& options() const { return options_; }
  // Sets the options that may change between calls and returns the previous ones.
  CallOptions use(CallOptions next);
  // Sets the token that cancels the current call and returns the previous one.
  CancelToken use_cancel(CancelToken next);

  // Values are cached on the device that computed them, and count in its budget.
  [[nodiscard]] Cache& cache_of(const std::string& device) { return device == "cpu" ? host_cache_ : gpu_cache_; }
  [[nodiscard]] CachedValues& values_of(const std::string& device) {
    return device == "cpu" ? host_values_ : gpu_values_;
  }
  [[nodiscard]] Cache& host_cache() { return host_cache_; }
  [[nodiscard]] Cache& gpu_cache() { return gpu_cache_; }

  // Outputs that replace computed ones in all sessions.
  [[nodiscard]] const GivenOutputs& given() const { return given_; }
  // Drops cached results that depend on the previous given outputs; with {} also results for single views that are in
  // use (Lifetime::use).
  void give(GivenOutputs outputs);
  void note_hangs_on_given(const std::string& node) { hang_on_given_.insert(node); }

  [[nodiscard]] InputStamps& stamps() { return stamps_; }
  // Of all sessions.
  [[nodiscard]] std::map<std::string, NodeStats>& stats() { return stats_; }
  // Seconds spent in functions of nodes. A function that runs while another waits for it counts once.
  [[nodiscard]] double node_seconds() const { return node_seconds_; }
  void add_node_seconds(double more) { node_seconds_ += more; }
  // True the first time that a message is given.
  bool is_new_message(const std::string& message) { return messages_.insert(message).second; }

  // Notes that the next error comes from the GPU: without a GPU the pipeline may succeed.
  void note_gpu_failure() { gpu_failed_ = true; }
  // Notes that the GPU ran out of memory: smaller blocks may fit.
  void note_gpu_out_of_memory();
  void forget_gpu_failures() { gpu_failed_ = gpu_out_of_memory_ = false; }
  [[nodiscard]] bool gpu_failed() const { return gpu_failed_; }
  [[nodiscard]] bool gpu_out_of_memory() const { return gpu_out_of_memory_; }
  void halve_gpu_memory() { options_.gpu_memory /= 2; }
  // From here on all sessions compute on the CPU. The reason is added to the record, and logged as a warning.
  void leave_gpu(const std::string& reason);

 private:
  const Registry& registry_;
  RunOptions options_;
  TensorMemory tensor_memory_;  // given back after the caches
  Cache host_cache_;
  CachedValues host_values_;
  Cache gpu_cache_;
  CachedValues gpu_values_;
  int64_t block_memory_;  // the largest memory for the blocks of a call
  GivenOutputs given_;
  std::set<std::string> hang_on_given_;
  InputStamps stamps_;
  std::map<std::string, NodeStats> stats_;
  double node_seconds_ = 0;
  std::set<std::string> messages_;
  bool gpu_failed_ = false;
  bool gpu_out_of_memory_ = false;
};

}  // namespace tl
