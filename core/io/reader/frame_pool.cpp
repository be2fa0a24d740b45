// Reuses memory for frames: a block returns to the pool when the last tensor or view that uses its storage is released.
#include "core/io/reader/frame_pool.h"

#include <ATen/ATen.h>

#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "core/io/reader/scan_checks.h"

namespace tl::io {
namespace {
constexpr int64_t min_shared = int64_t{1} << 20;  // [bytes]; smaller blocks are allocated normally
}

struct FramePool::State {
  const Sharing sharing;
  const int64_t max_kept;
  std::mutex mutex;
  std::shared_ptr<SharedMemory> free;
  std::vector<std::weak_ptr<SharedMemory>> given;
};

FramePool::FramePool(Sharing sharing, int64_t max_kept) : state_(new State{sharing, max_kept, {}, {}, {}}) {}

Result<at::Tensor> FramePool::take(int64_t n, int64_t rows, int64_t cols, const std::string& where) {
  constexpr int64_t limit = std::numeric_limits<int64_t>::max() / static_cast<int64_t>(sizeof(float));
  const bool sized = n > 0 && rows > 0 && cols > 0 && rows <= limit / cols && n <= limit / (rows * cols);
  const int64_t bytes = sized ? n * rows * cols * static_cast<int64_t>(sizeof(float)) : 0;
  if (bytes < min_shared || state_->sharing == Sharing::none) return new_frames(n, rows, cols, where);
  std::shared_ptr<SharedMemory> block;
  {
    const std::lock_guard lock(state_->mutex);
    // A small request does not get a large block, which would stay allocated as long as those few frames.
    if (state_->free && state_->free->size() >= bytes && state_->free->size() <= 2 * bytes)
      block = std::exchange(state_->free, {});
  }
  if (!block) {
    TL_TRY(block, SharedMemory::make(bytes, where));
    const std::lock_guard lock(state_->mutex);
    std::erase_if(state_->given, [](const auto& one) { return one.expired(); });
    state_->given.push_back(block);
  }
  void* memory = block->data();
  return at::from_blob(
      memory, {n, rows, cols},
      [state = state_, block = std::move(block)](void*) mutable {
        const std::lock_guard lock(state->mutex);
        if (block->size() <= state->max_kept) state->free = std::move(block);
        block.reset();
      },
      at::TensorOptions(at::kFloat));
}

std::optional<FramePool::SharedLocation> FramePool::find(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  const std::lock_guard lock(state_->mutex);
  for (const auto& one : state_->given)
    if (const auto memory = one.lock(); memory && at >= memory->data() && at < memory->data() + memory->size())
      return SharedLocation{memory, at - memory->data()};
  return std::nullopt;
}

}  // namespace tl::io
