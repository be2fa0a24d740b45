// Stacks of views whose transforms are in memory together.
#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <span>
#include <type_traits>
#include <vector>

namespace tl::ops {

inline constexpr int64_t stack_bytes = int64_t{1} << 26;

struct Stack {
  int64_t first, count;
};
// As many views a stack as stay below stack_bytes, at least one.
inline std::vector<Stack> stacks_of_views(int64_t views, int64_t bytes_each) {
  const int64_t together = std::max<int64_t>(1, stack_bytes / std::max<int64_t>(1, bytes_each));
  std::vector<Stack> stacks;
  for (int64_t i = 0; i < views; i += together) stacks.push_back({i, std::min(together, views - i)});
  return stacks;
}

template <class X>
std::span<const X> part_of(const std::vector<X>& all, const Stack& s) {
  return std::span(all).subspan(static_cast<std::size_t>(s.first), static_cast<std::size_t>(s.count));
}

template <class T>
constexpr at::ScalarType complex_type() {
  return std::is_same_v<T, float> ? at::kComplexFloat : at::kComplexDouble;
}

}  // namespace tl::ops
