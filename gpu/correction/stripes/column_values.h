// Reads and writes single columns of a sinogram.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace tl::ops {

// Indices of the columns with a non-zero mark, ascending.
std::vector<int64_t> indices_of(const std::vector<uint8_t>& marked);

// These columns of a sinogram [view, col] on any device, as [view, columns]; differentiable. On the CPU they are read
// view by view: the values of one column are a line apart in memory, those of neighbouring columns are adjacent.
at::Tensor columns_at(const at::Tensor& sinogram, const std::vector<int64_t>& columns);

// A copy of the sinogram with new values [view, columns] in these columns; differentiable.
at::Tensor with_columns(const at::Tensor& sinogram, const std::vector<int64_t>& columns, const at::Tensor& values);

// Replaces the values in place, for a sinogram without gradient.
void set_columns(const at::Tensor& sinogram, const std::vector<int64_t>& columns, const at::Tensor& values);

}  // namespace tl::ops
