// The first pixel of each frame, by which tests distinguish frames.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace tl::test {

template <class Number = int>
std::vector<Number> first_pixels(const at::Tensor& frames) {
  std::vector<Number> out;
  for (int64_t i = 0; i < frames.size(0); ++i) out.push_back(static_cast<Number>(frames[i][0][0].item<float>()));
  return out;
}

}  // namespace tl::test
