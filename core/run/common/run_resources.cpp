// Lends an executor's node types, budgets, options and caches to its sessions, and leaves a GPU that failed.
#include "core/run/common/run_resources.h"

#include <algorithm>

#include "core/run/common/memory.h"
#include "gpu/device/gpu_memory.h"

namespace tl {
namespace {

// The cache of results and memos gets 1 / cache_share of the budget, freed tensors kept for reuse at most 1 /
// kept_share; the rest is for current blocks.
constexpr int64_t cache_share = 4;
constexpr int64_t kept_share = 8;
constexpr int64_t min_kept = int64_t{16} << 20;  // a small budget is better spent on larger blocks
constexpr int64_t max_kept = int64_t{1} << 30;   // kept by a window that is open all day

int64_t kept_memory(int64_t budget) {
  const int64_t share = std::min(budget / kept_share, max_kept);
  return share < min_kept ? 0 : share;
}

RunOptions with_budgets(RunOptions options) {
  if (options.memory <= 0) options.memory = (available_memory() + kept_tensor_memory()) / 5 * 4;
  if (options.memory_given <= 0) options.memory_given = options.memory;
  if (options.device == "cpu") {
    options.gpu_memory = 0;
  } else if (options.gpu_memory <= 0) {
    options.gpu_memory = free_gpu_memory(options.device) / 10 * 9;
  }
  return options;
}

}  // namespace

RunResources::RunResources(const Registry& registry, RunOptions options)
    : registry_(registry),
      options_(with_budgets(std::move(options))),
      tensor_memory_(kept_memory(options_.memory)),
      host_cache_(options_.cache > 0 ? std::min(options_.cache, options_.memory / 2) : options_.memory / cache_share),
      host_values_(host_cache_),
      gpu_cache_(options_.gpu_memory / cache_share),
      gpu_values_(gpu_cache_),
      block_memory_(options_.memory - host_cache_.budget() - tensor_memory_.max_bytes()) {
  options_.memory = block_memory_;
  options_.gpu_memory -= gpu_cache_.budget();
}

CallOptions RunResources::use(CallOptions next) {
  RunOptions& o = options_;
  CallOptions before{o.cancel, o.events, o.overwrite, o.inputs, o.memory, o.pictures};
  o.cancel = std::move(next.cancel);
  o.events = next.events;
  o.overwrite = next.overwrite;
  o.inputs = std::move(next.inputs);
  o.memory = next.memory > 0 ? std::min(next.memory, block_memory_) : block_memory_;
  o.pictures = next.pictures;
  return before;
}

CancelToken RunResources::use_cancel(CancelToken next) { return std::exchange(options_.cancel, std::move(next)); }

void RunResources::give(GivenOutputs outputs) {
  given_ = std::move(outputs);
  for (const std::string& node : std::exchange(hang_on_given_, {}))
    for (Cache* cache : {&host_cache_, &gpu_cache_}) given_.empty() ? cache->drop(node) : cache->drop_stale(node);
}

void RunResources::note_gpu_out_of_memory() { gpu_failed_ = gpu_out_of_memory_ = true; }

void RunResources::leave_gpu(const std::string& reason) {
  options_.device = "cpu";
  options_.device_reason = reason;
  options_.gpu_memory = 0;
  if (options_.events != nullptr)
    options_.events->message(LogLevel::warning, {}, "the rest runs on the CPU: " + reason);
}

}  // namespace tl
