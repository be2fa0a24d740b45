// Memory for frames, used again once nobody holds what was read into it: the system clears new pages before it gives
// them, which takes longer than reading small blocks into pages that are there.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/io/process/shared_memory.h"

namespace tl::io {

// One thread at a time; what it gave may be let go of on any thread, also when it is gone. Keeps one free block of at
// most `most_kept` bytes. Blocks from 1 MiB on lie in memory that other processes can be given.
class FrameBlocks {
 public:
  explicit FrameBlocks(int64_t most_kept = int64_t{64} << 20);
  // A float32 tensor [n, rows, cols] of any contents that shares memory with no tensor still alive, whose storage has
  // no other owner, and at most twice the memory. Errors as new_frames().
  Result<at::Tensor> take(int64_t n, int64_t rows, int64_t cols, const std::string& where);

  struct Place {
    std::shared_ptr<SharedMemory> memory;
    int64_t offset = 0;  // bytes
  };
  // Where in shared memory an address lies, if take() gave it.
  [[nodiscard]] std::optional<Place> find(const void* address) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace tl::io
