// Memory of freed CPU tensors, kept for later ones: the kernel clears each page of new memory, which takes a sixth of
// the processor time of a run that computes block after block.
#pragma once

#include <cstdint>

namespace tl {

// Makes torch allocate CPU tensors through the allocator of this file, and malloc() return large blocks to the system
// as soon as they are freed. Called by init_devices(); until a TensorMemory exists, and always with the address
// sanitizer, nothing is kept.
void install_tensor_allocator();

// While an object exists, the memory of freed tensors of 1 MiB or more is kept for tensors of the same size or up to
// 1/32 less; beyond the limit, the oldest block is freed, and all of them with the last TensorMemory. Memory budgets
// include the limit. Safe from any thread.
class TensorMemory {
 public:
  // Keeps at most `max_bytes`; if there are several objects, the largest limit counts.
  explicit TensorMemory(int64_t max_bytes);
  ~TensorMemory();
  TensorMemory(const TensorMemory&) = delete;
  TensorMemory& operator=(const TensorMemory&) = delete;
  [[nodiscard]] int64_t max_bytes() const { return max_bytes_; }

 private:
  int64_t max_bytes_;
};

// Bytes kept at present: in use for the system, but available to tensors.
int64_t kept_tensor_memory();

}  // namespace tl
