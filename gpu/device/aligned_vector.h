// A std::vector whose memory begins on a cache line: vector loads across cache lines are a third slower.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace tl::ops {

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>& /*other*/) {
  }  // NOLINT(google-explicit-constructor): allocators rebind

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), line)); }
  void deallocate(T* memory, std::size_t /*count*/) { ::operator delete(memory, line); }
  friend bool operator==(const CacheLineAllocator& /*a*/, const CacheLineAllocator& /*b*/) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace tl::ops
