// FramePool: a pool of memory for frames. A block is reused once no tensor refers to it, because the system clears
// new pages, which takes longer than reading small blocks of frames.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/io/bytes/shared_memory.h"

namespace tl::io {

// One thread at a time, but tensors may be released on any thread, also after the pool is destroyed. Keeps at most one
// free block, of at most `max_kept` bytes. Blocks of 1 MiB and more are shared memory that other processes can map.
class FramePool {
 public:
  // none: ordinary tensors, for pixels that no other process writes.
  enum class Sharing { between_processes, none };
  explicit FramePool(Sharing sharing = Sharing::between_processes, int64_t max_kept = int64_t{64} << 20);
  // An uninitialised float32 tensor [n, rows, cols] that shares memory with no living tensor and is the only owner of
  // its storage. Its block may be up to twice as large. Errors: those of new_frames().
  Result<at::Tensor> take(int64_t n, int64_t rows, int64_t cols, const std::string& where);

  // The position of a tensor in memory that other processes can map.
  struct SharedLocation {
    std::shared_ptr<SharedMemory> memory;
    int64_t offset = 0;  // bytes
  };
  // The shared memory and offset for an address returned by take(); nothing for other addresses.
  [[nodiscard]] std::optional<SharedLocation> find(const void* address) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace tl::io
