// Memory of freed CPU tensors, kept for the next ones: the kernel clears each page of new memory, which takes a sixth
// of the processor time of a run that computes block after block.
#pragma once

#include <cstdint>

namespace tl {

// Makes torch allocate CPU tensors through the allocator of this file, and malloc() give large blocks back to the
// system as soon as they are freed. Called by init_devices(); until a TensorMemory exists, and with the address
// sanitizer always, nothing is kept.
void install_tensor_allocator();

// While one exists, the memory of freed tensors of 1 MiB or more is kept for tensors that need the same or up to 1/32
// less; beyond the limit, the oldest is given back, and all of it with the last TensorMemory. Budgets of memory count
// the limit. Safe from any thread.
class TensorMemory {
 public:
  // Keeps at most `max_bytes`; with several, the largest limit counts.
  explicit TensorMemory(int64_t max_bytes);
  ~TensorMemory();
  TensorMemory(const TensorMemory&) = delete;
  TensorMemory& operator=(const TensorMemory&) = delete;
  [[nodiscard]] int64_t max_bytes() const { return max_bytes_; }

 private:
  int64_t max_bytes_;
};

// Bytes that are kept now: in use to the system, but free to tensors.
int64_t kept_tensor_memory();

}  // namespace tl
