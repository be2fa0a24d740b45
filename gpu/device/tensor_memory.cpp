// Keeps the memory of freed CPU tensors: an allocator of torch's with a list of freed blocks; sets malloc().
#include "gpu/device/tensor_memory.h"

#include <malloc.h>
#include <pthread.h>

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

namespace tl {
namespace {

constexpr std::size_t min_kept = std::size_t{1} << 20;
constexpr int min_mapped = 4 << 20;  // [bytes] larger blocks of malloc() are returned to the system when freed
constexpr std::size_t granule = std::size_t{64} << 10;  // sizes are multiples of it, so that nearly equal ones match
constexpr std::size_t largest_waste = 32;               // a block may be larger than needed by 1 / largest_waste

class FreedBlocks {
 public:
  void* take(std::size_t bytes) {
    const std::size_t size = (bytes + granule - 1) / granule * granule;
    {
      const std::lock_guard<std::mutex> lock(guard_);
      const auto fits = [&](const Block& b) { return b.size >= size && b.size - size <= size / largest_waste; };
      const auto kept = std::find_if(kept_.rbegin(), kept_.rend(), fits);
      if (kept != kept_.rend()) {
        const Block found = *kept;
        kept_.erase(std::next(kept).base());
        kept_bytes_ -= found.size;
        return found.memory;
      }
    }
    void* const memory = allocate(size);
    const std::lock_guard<std::mutex> lock(guard_);
    sizes_.emplace(memory, size);
    return memory;
  }

  // Memory that does not come from take() is freed.
  void give(void* memory) {
    std::vector<void*> given_back;
    {
      const std::lock_guard<std::mutex> lock(guard_);
      const auto known = sizes_.find(memory);
      if (known == sizes_.end()) {
        given_back.push_back(memory);
      } else if (known->second > most()) {
        sizes_.erase(known);
        given_back.push_back(memory);
      } else {
        kept_.push_back({memory, known->second});
        kept_bytes_ += known->second;
        drop_to(most(), given_back);
      }
    }
    free_all(given_back);
  }

  void add_limit(int64_t bytes) {
    const std::lock_guard<std::mutex> lock(guard_);
    limits_.insert(std::max<int64_t>(bytes, 0));
  }
  void remove_limit(int64_t bytes) {
    std::vector<void*> given_back;
    {
      const std::lock_guard<std::mutex> lock(guard_);
      limits_.erase(limits_.find(std::max<int64_t>(bytes, 0)));
      drop_to(most(), given_back);
    }
    free_all(given_back);
  }
  // For forks of the process: a mutex held by another thread would otherwise stay locked in the child forever.
  void lock() { guard_.lock(); }
  void unlock() { guard_.unlock(); }

  int64_t kept_bytes() {
    const std::lock_guard<std::mutex> lock(guard_);
    return static_cast<int64_t>(kept_bytes_);
  }

 private:
  struct Block {
    void* memory;
    std::size_t size;
  };

  [[nodiscard]] std::size_t most() const { return limits_.empty() ? 0 : static_cast<std::size_t>(*limits_.rbegin()); }
  void drop_to(std::size_t bytes, std::vector<void*>& given_back) {
    while (kept_bytes_ > bytes) {
      const Block oldest = kept_.front();
      kept_.pop_front();
      kept_bytes_ -= oldest.size;
      sizes_.erase(oldest.memory);
      given_back.push_back(oldest.memory);
    }
  }
  static void free_all(const std::vector<void*>& blocks) {
    for (void* memory : blocks) c10::free_cpu(memory);
  }
  // If the system refuses, tries once more after freeing all kept memory.
  void* allocate(std::size_t size) {
    try {
      return c10::alloc_cpu(size);
    } catch (const std::exception&) {
      std::vector<void*> given_back;
      {
        const std::lock_guard<std::mutex> lock(guard_);
        drop_to(0, given_back);
      }
      if (given_back.empty()) throw;
      free_all(given_back);
      return c10::alloc_cpu(size);
    }
  }

  std::mutex guard_;
  std::unordered_map<void*, std::size_t> sizes_;  // sizes of all blocks from take(), in use or kept
  std::deque<Block> kept_;                        // oldest first
  std::size_t kept_bytes_ = 0;
  std::multiset<int64_t> limits_;
};

// Never destroyed: tensors in static objects are freed after it would be.
FreedBlocks& freed_blocks() {
  static auto* const blocks = new FreedBlocks;
  return *blocks;
}

void give_to_freed_blocks(void* memory) { freed_blocks().give(memory); }

class TensorAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    const bool small = bytes < min_kept;
    void* const memory = small ? c10::alloc_cpu(bytes) : freed_blocks().take(bytes);
    return {memory, memory, small ? &c10::free_cpu : &give_to_freed_blocks, c10::Device(c10::DeviceType::CPU)};
  }
  [[nodiscard]] c10::DeleterFnPtr raw_deleter() const override { return &give_to_freed_blocks; }
  void copy_data(void* to, const void* from, std::size_t count) const override { default_copy_data(to, from, count); }
};

}  // namespace

void install_tensor_allocator() {
  // An explicitly set threshold stays fixed: otherwise glibc raises it with each freed large block, serves the next
  // ones from its heaps, and returns heaps to the system only from their ends.
  mallopt(M_MMAP_THRESHOLD, min_mapped);
#ifndef __SANITIZE_ADDRESS__
  const auto unlock = [] { freed_blocks().unlock(); };
  pthread_atfork([] { freed_blocks().lock(); }, unlock, unlock);
  c10::SetCPUAllocator(new TensorAllocator);  // torch owns it
#endif
}

TensorMemory::TensorMemory(int64_t max_bytes) : max_bytes_(max_bytes) { freed_blocks().add_limit(max_bytes); }
TensorMemory::~TensorMemory() { freed_blocks().remove_limit(max_bytes_); }

int64_t kept_tensor_memory() { return freed_blocks().kept_bytes(); }

}  // namespace tl
