// Checks shape, type and device of tensors passed to operators; the messages name the expected and the actual property.
#include "gpu/operator/operator_checks.h"

#include <ATen/ATen.h>

#include "core/base/error.h"

namespace tl::ops {

std::string shape_text(const std::vector<int64_t>& shape) {
  std::string text;
  for (const int64_t n : shape) text += (text.empty() ? "[" : ", ") + std::to_string(n);
  return text.empty() ? "[]" : text + "]";
}

void require_tensor(const at::Tensor& x, const std::vector<int64_t>& shape, const std::string& where) {
  if (!x.defined()) throw Failure(invalid("the tensor is undefined", where));
  if (x.scalar_type() != at::kFloat && x.scalar_type() != at::kDouble)
    throw Failure(invalid(std::string("numbers of type ") + at::toString(x.scalar_type()) + " cannot be used", where,
                          "Convert to float32 (work) or float64 (verification)"));
  if (x.sizes() != at::IntArrayRef(shape))
    throw Failure(invalid("the shape is " + shape_text(x.sizes().vec()) + ", wanted is " + shape_text(shape), where));
  if (!x.is_contiguous()) throw Failure(invalid("the tensor is not contiguous", where, "Call contiguous() first"));
}

void require_cpu(const at::Tensor& x, const std::string& where) {
  if (!x.device().is_cpu())
    throw Failure(unavailable("there is no kernel for " + x.device().str(), where, "Move the data to the CPU"));
}

Result<ScanGeometry> with_vectors(const ScanGeometry& geometry, const at::Tensor& vectors) {
  const std::vector<int64_t> wanted = {geometry.views(), 12};
  if (!vectors.defined() || vectors.scalar_type() != at::kDouble || !vectors.device().is_cpu() ||
      vectors.sizes() != at::IntArrayRef(wanted))
    return invalid("view vectors must be a float64 tensor of shape " + shape_text(wanted) + " on the CPU", "vectors");
  const at::Tensor plain = vectors.contiguous();
  return ScanGeometry::from_vectors(geometry.beam(), geometry.detector(),
                                    {plain.const_data_ptr<double>(), static_cast<std::size_t>(plain.numel())});
}

}  // namespace tl::ops
