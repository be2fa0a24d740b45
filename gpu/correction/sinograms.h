// Methods that work on one sinogram at a time: what they accept, and the loop over detector rows.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

// float32 or float64 projections [view, row, col] in the memory of the processor; the error is invalid or unavailable.
Result<void> check_projections(const at::Tensor& projections, const std::string& where);
// The same for corrections that have functors: on any device that can run them.
Result<void> check_projections_anywhere(const at::Tensor& projections, const std::string& where);

// A window of columns or views: odd, 1 to 2^20.
Result<void> check_window(int64_t size, const std::string& what, const std::string& where);

// method(slice) for every slice of `data` across `dim`; results, of the slices' shape, are joined so that autograd can
// go back through them. Empty data come back as they are. Looks at `cancel` between slices.
at::Tensor per_slice(const at::Tensor& data, int64_t dim, const CancelToken& cancel,
                     const std::function<at::Tensor(const at::Tensor&)>& method);
// The same for the sinograms [view, col] of projections [view, row, col].
at::Tensor per_sinogram(const at::Tensor& projections, const CancelToken& cancel,
                        const std::function<at::Tensor(const at::Tensor&)>& method);

// Index beyond the ends of n samples, mirrored with the end sample repeated: c b a | a b c d | d c b.
int64_t mirrored(int64_t i, int64_t n);

}  // namespace tl::ops
