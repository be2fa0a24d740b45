// Reads and writes single columns of a sinogram.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace tl::ops {

// Indices of the columns whose mark is not 0, ascending.
std::vector<int64_t> indices_of(const std::vector<uint8_t>& marked);

// These columns of a sinogram [view, col] on any device, as [view, columns]; differentiable. On the CPU they are read
// view by view: the values of one column lie a line apart in memory, those of neighbouring columns next to each other.
at::Tensor columns_at(const at::Tensor& sinogram, const std::vector<int64_t>& columns);

// A copy of the sinogram with new values [view, columns] of these columns; differentiable.
at::Tensor with_columns(const at::Tensor& sinogram, const std::vector<int64_t>& columns, const at::Tensor& values);

// The same in place: the sinogram is not being differentiated.
void set_columns(const at::Tensor& sinogram, const std::vector<int64_t>& columns, const at::Tensor& values);

}  // namespace tl::ops
