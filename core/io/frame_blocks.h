// Memory for frames, used again once nobody holds what was read into it: the system clears new pages before it gives
// them, which takes longer than reading small blocks into pages that are there.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/error.h"

namespace tl::io {

// One thread at a time; what it gave may be let go of on any thread, also when it is gone. Keeps one free block of at
// most 64 MiB.
class FrameBlocks {
 public:
  FrameBlocks();
  // A float32 tensor [n, rows, cols] of any contents that shares memory with no tensor still alive, whose storage has
  // no other owner, and at most twice the memory. Errors as new_frames().
  Result<at::Tensor> take(int64_t n, int64_t rows, int64_t cols, const std::string& where);

 private:
  struct Free;
  std::shared_ptr<Free> free_;
};

}  // namespace tl::io
