// Memory of tensors on the processor: large blocks that become free serve the next tensors of their size.
#pragma once

#include <cstdint>

namespace tl {

// Bytes in large blocks: used by tensors now, at most so far, and free but kept.
struct TensorMemory {
  int64_t live = 0, peak = 0, kept = 0;
};
TensorMemory tensor_memory();

// New memory costs more than filling it: the system clears every page. So blocks from 1 MiB on are kept when they
// become free, and given to the next tensor that fills at least seven eighths of them. Blocks in use and kept ones
// together never exceed the most that was in use at a time, and what is kept never exceeds an eighth of the machine's
// memory. Called by init_devices(), before the first tensor. Thread-safe. An experiment that the environment asks for
// (TL_KEEP_MEMORY=1): LibTorch's raw allocations, which some of its functions make, refuse such blocks. Never on in builds
// with the address sanitizer, which wants to see every block come and go.
void install_tensor_memory();

// Gives all that is kept back to the system.
void release_kept_memory();

}  // namespace tl
