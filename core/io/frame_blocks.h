// Memory for frames, used again once nobody holds what was read into it: the system clears new pages before it gives
// them, which takes longer than reading small blocks into pages that are there.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Storage.h>

#include <cstdint>
#include <string>

#include "core/base/error.h"

namespace tl::io {

// One thread at a time. Keeps one block of at most 64 MiB.
class FrameBlocks {
 public:
  // A float32 tensor [n, rows, cols] of any contents that shares memory with no tensor still alive, of a
  // storage at most twice its size. Errors as new_frames().
  Result<at::Tensor> take(int64_t n, int64_t rows, int64_t cols, const std::string& where);

 private:
  c10::Storage kept_;
};

}  // namespace tl::io
