// Copies columns of a sinogram view by view if no gradient is needed; by torch's operations otherwise.
#include "gpu/correction/stripes/column_values.h"

#include <ATen/ATen.h>

#include "core/base/macros.h"
#include "gpu/operator/forward_mode.h"

namespace tl::ops {
namespace {

bool is_plain(const at::Tensor& x) {
  return x.device().is_cpu() && (x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble) &&
         !is_differentiated(x);
}

at::Tensor index_on(const at::Tensor& x, const std::vector<int64_t>& columns) {
  return at::tensor(columns, at::kLong).to(x.device());
}

template <class T>
void read_columns(const at::Tensor& sinogram, const std::vector<int64_t>& columns, const at::Tensor& to) {
  const int64_t views = sinogram.size(0), next_view = sinogram.stride(0), next_column = sinogram.stride(1);
  const T* line = sinogram.const_data_ptr<T>();
  T* out = to.mutable_data_ptr<T>();
  for (int64_t v = 0; v < views; ++v, line += next_view)
    for (const int64_t c : columns) *out++ = line[c * next_column];
}

template <class T>
void write_columns(const at::Tensor& sinogram, const std::vector<int64_t>& columns, const at::Tensor& from) {
  const int64_t views = sinogram.size(0), next_view = sinogram.stride(0), next_column = sinogram.stride(1);
  T* line = sinogram.mutable_data_ptr<T>();
  const T* in = from.const_data_ptr<T>();
  for (int64_t v = 0; v < views; ++v, line += next_view)
    for (const int64_t c : columns) line[c * next_column] = *in++;
}

}  // namespace

std::vector<int64_t> indices_of(const std::vector<uint8_t>& marked) {
  std::vector<int64_t> columns;
  for (std::size_t c = 0; c < marked.size(); ++c)
    if (marked[c] != 0) columns.push_back(static_cast<int64_t>(c));
  return columns;
}

at::Tensor columns_at(const at::Tensor& sinogram, const std::vector<int64_t>& columns) {
  if (!is_plain(sinogram)) return sinogram.index_select(1, index_on(sinogram, columns));
  at::Tensor out = at::empty({sinogram.size(0), std::ssize(columns)}, sinogram.options());
  if (sinogram.scalar_type() == at::kFloat)
    read_columns<float>(sinogram, columns, out);
  else
    read_columns<double>(sinogram, columns, out);
  return out;
}

at::Tensor with_columns(const at::Tensor& sinogram, const std::vector<int64_t>& columns, const at::Tensor& values) {
  return sinogram.index_copy(1, index_on(sinogram, columns), values);
}

void set_columns(const at::Tensor& sinogram, const std::vector<int64_t>& columns, const at::Tensor& values) {
  TL_CHECK(values.size(0) == sinogram.size(0) && values.size(1) == std::ssize(columns), "values of other columns");
  if (!is_plain(sinogram) || !is_plain(values) || values.scalar_type() != sinogram.scalar_type() ||
      !values.is_contiguous()) {
    sinogram.index_copy_(1, index_on(sinogram, columns), values);
    return;
  }
  if (sinogram.scalar_type() == at::kFloat)
    write_columns<float>(sinogram, columns, values);
  else
    write_columns<double>(sinogram, columns, values);
}

}  // namespace tl::ops
