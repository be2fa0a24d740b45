// A block comes back when the last tensor that was made of it, or view of one, lets go of its storage.
#include "core/io/frame_blocks.h"

#include <ATen/ATen.h>

#include <mutex>
#include <utility>

#include "core/io/scan_checks.h"

namespace tl::io {

struct FrameBlocks::Free {
  std::mutex turn;
  at::Tensor block;
};

FrameBlocks::FrameBlocks() : free_(std::make_shared<Free>()) {}

Result<at::Tensor> FrameBlocks::take(int64_t n, int64_t rows, int64_t cols, const std::string& where) {
  constexpr int64_t most = int64_t{64} << 20, least = int64_t{1} << 20;  // bytes; below, no page is asked for
  const bool sized = n > 0 && rows > 0 && cols > 0 && rows <= most / cols && n <= most / (rows * cols);
  const int64_t bytes = sized ? n * rows * cols * static_cast<int64_t>(sizeof(float)) : 0;
  if (bytes < least || bytes > most) return new_frames(n, rows, cols, where);
  at::Tensor block;
  {
    const std::lock_guard lock(free_->turn);
    // Not for much less than the block holds: whoever keeps a few frames would keep all of it.
    const auto held = free_->block.defined() ? static_cast<int64_t>(free_->block.nbytes()) : 0;
    if (held >= bytes && held <= 2 * bytes) block = std::exchange(free_->block, {});
  }
  if (!block.defined()) {
    TL_TRY(block, new_frames(n, rows, cols, where));
  }
  void* memory = block.data_ptr();
  return at::from_blob(
      memory, {n, rows, cols},
      [free = free_, block = std::move(block)](void*) mutable {
        const std::lock_guard lock(free->turn);
        free->block = std::move(block);
      },
      at::TensorOptions(at::kFloat));
}

}  // namespace tl::io
