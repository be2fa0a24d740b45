// The allocator behind tensors on the processor.
#include "gpu/memory.h"

#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <string_view>

namespace tl {
namespace {

constexpr std::size_t large_block = std::size_t{1} << 20;
constexpr int64_t share_kept = 8;  // of the machine's memory
constexpr std::size_t fill = 7;    // eighths of a kept block that a tensor must fill

struct Block {
  void* memory;
  std::size_t bytes;
};

class KeepingAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    const c10::Device cpu(c10::DeviceType::CPU);
    if (bytes < large_block) {
      void* memory = bytes == 0 ? nullptr : c10::alloc_cpu(bytes);
      return {memory, memory, &c10::free_cpu, cpu};
    }
    auto* block = new Block(take(bytes));
    return {block->memory, block, &give_back, cpu};
  }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { std::memcpy(to, from, bytes); }

  [[nodiscard]] TensorMemory state() const {
    const std::lock_guard lock(mutex_);
    return {live_, peak_, kept_bytes_};
  }
  void release() {
    const std::lock_guard lock(mutex_);
    drop_until(0);
  }
  static KeepingAllocator& instance() {
    static auto* one = new KeepingAllocator;  // tensors in static storage outlive every destructor
    return *one;
  }

 private:
  Block take(std::size_t bytes) {
    {
      const std::lock_guard lock(mutex_);
      const auto fit = kept_.lower_bound(bytes);
      if (fit != kept_.end() && fit->first / 8 * fill <= bytes) {
        const Block block{fit->second, fit->first};
        kept_bytes_ -= static_cast<int64_t>(block.bytes);
        kept_.erase(fit);
        count(block.bytes);
        return block;
      }
      const int64_t wanted = live_ + static_cast<int64_t>(bytes);
      drop_until(std::max<int64_t>(0, std::max(peak_, wanted) - wanted));
    }
    // Refused memory is an error of the caller's; what is kept goes first.
    void* memory = nullptr;
    try {
      memory = c10::alloc_cpu(bytes);
    } catch (...) {
      release();
      memory = c10::alloc_cpu(bytes);
    }
    const std::lock_guard lock(mutex_);
    count(bytes);
    return {memory, bytes};
  }
  static void give_back(void* context) {
    const auto* block = static_cast<Block*>(context);
    instance().keep(*block);
    delete block;
  }
  void keep(const Block& block) {
    const auto bytes = static_cast<int64_t>(block.bytes);
    const std::lock_guard lock(mutex_);
    live_ -= bytes;
    if (bytes > most_kept_) {
      c10::free_cpu(block.memory);
      return;
    }
    drop_until(most_kept_ - bytes);
    kept_.emplace(block.bytes, block.memory);
    kept_bytes_ += bytes;
  }
  void count(std::size_t bytes) {
    live_ += static_cast<int64_t>(bytes);
    peak_ = std::max(peak_, live_);
  }
  // Frees kept blocks, the largest first, until no more than `bytes` are kept.
  void drop_until(int64_t bytes) {
    while (kept_bytes_ > bytes && !kept_.empty()) {
      const auto last = std::prev(kept_.end());
      kept_bytes_ -= static_cast<int64_t>(last->first);
      c10::free_cpu(last->second);
      kept_.erase(last);
    }
  }

  mutable std::mutex mutex_;
  std::multimap<std::size_t, void*> kept_;
  int64_t live_ = 0, peak_ = 0, kept_bytes_ = 0;
  const int64_t most_kept_ = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) / share_kept * sysconf(_SC_PAGESIZE);
};

bool wanted() {
#ifdef __SANITIZE_ADDRESS__
  return false;
#else
  const char* said = std::getenv("TL_KEEP_MEMORY");
  return said != nullptr && std::string_view(said) == "1";
#endif
}

}  // namespace

TensorMemory tensor_memory() { return KeepingAllocator::instance().state(); }
void release_kept_memory() { KeepingAllocator::instance().release(); }

void install_tensor_memory() {
  constexpr uint8_t over_torchs_own = 10;
  if (wanted()) c10::SetCPUAllocator(&KeepingAllocator::instance(), over_torchs_own);
}

}  // namespace tl
