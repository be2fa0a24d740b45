// Random volumes and masks of blobs for tests of segmentation, and their values as plain lists.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "tests/support/operator_laws.h"

namespace tl::test {

// Smoothed noise [z, y, x], float32, of deviation 1 and mean 0.
inline at::Tensor blobs(const std::vector<int64_t>& shape, uint64_t seed, int smoothings = 2) {
  at::Tensor v = gaussian(shape, at::kFloat, seed).view({1, 1, shape[0], shape[1], shape[2]});
  std::vector<int64_t> kernel, margin;
  for (const int64_t n : shape) {
    kernel.push_back(n < 3 ? 1 : 3);
    margin.push_back(n < 3 ? 0 : 1);
  }
  for (int i = 0; i < smoothings; ++i) v = at::avg_pool3d(v, kernel, {1, 1, 1}, margin);
  v = v.view(shape);
  return ((v - v.mean()) / v.std()).contiguous();
}

// Blobs in 256 grey levels, as integers.
inline at::Tensor grey_blobs(const std::vector<int64_t>& shape, uint64_t seed) {
  return (blobs(shape, seed) * 40 + 128).round().clamp(0, 255);
}

// Ten small shapes, different along all axes.
inline std::vector<int64_t> small_shape(int number) { return {7 + number, 19 - number, 12 + 2 * (number % 5)}; }

template <class T>
std::vector<T> values_of(const at::Tensor& x) {
  const at::Tensor plain = x.to(c10::CppTypeToScalarType<T>::value).contiguous();
  return {plain.const_data_ptr<T>(), plain.const_data_ptr<T>() + plain.numel()};
}

}  // namespace tl::test
