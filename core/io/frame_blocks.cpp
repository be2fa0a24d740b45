// A block is free when its storage has no owner but this one: tensors made of it, and their views, count as owners.
#include "core/io/frame_blocks.h"

#include <ATen/ATen.h>

#include "core/io/scan_checks.h"

namespace tl::io {

Result<at::Tensor> FrameBlocks::take(int64_t n, int64_t rows, int64_t cols, const std::string& where) {
  constexpr int64_t most = int64_t{64} << 20, least = int64_t{1} << 20;  // bytes; below, no page is asked for
  const bool sized = n > 0 && rows > 0 && cols > 0 && rows <= most / cols && n <= most / (rows * cols);
  const int64_t bytes = sized ? n * rows * cols * static_cast<int64_t>(sizeof(float)) : 0;
  const bool keeps = bytes >= least && bytes <= most;
  // Not for much less than the block holds: whoever keeps a few frames would keep all of it.
  const auto fits = [&](int64_t held) { return held >= bytes && held <= 2 * bytes; };
  if (keeps && kept_ && kept_.use_count() == 1 && fits(static_cast<int64_t>(kept_.nbytes())))
    return at::empty({0}, at::kFloat).set_(kept_, 0, {n, rows, cols}, {rows * cols, cols, 1});
  TL_TRY(at::Tensor out, new_frames(n, rows, cols, where));
  if (keeps) kept_ = out.storage();
  return out;
}

}  // namespace tl::io
