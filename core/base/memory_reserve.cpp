// Keeps a reserve of memory for reporting that memory ran out: a few heap blocks, which the new-handler frees one by
// one.
#include "core/base/memory_reserve.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

namespace tl {
namespace {

constexpr std::size_t block_bytes = std::size_t{64} << 10;  // on the heap, like the small allocations it is kept for
std::array<std::atomic<void*>, 16> blocks;

void free_one_block() {
  for (std::atomic<void*>& block : blocks)
    if (void* memory = block.exchange(nullptr)) {
      std::free(memory);
      return;
    }
  throw std::bad_alloc();
}

}  // namespace

void keep_memory_reserve() {
  for (std::atomic<void*>& block : blocks) {
    void* memory = std::malloc(block_bytes);
    if (memory != nullptr) std::memset(memory, 1, block_bytes);  // touches every page, so that it is allocated now
    std::free(block.exchange(memory));
  }
  std::set_new_handler(free_one_block);
}

}  // namespace tl
