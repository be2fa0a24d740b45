// For corrections that process one sinogram at a time: input checks and the loop over detector rows.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string>

#include "core/base/angle_order.h"
#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

// Requires float32 or float64 projections [view, row, col] in CPU memory. Errors: invalid, unavailable.
Result<void> check_projections(const at::Tensor& projections, const std::string& where);
// Checks for corrections with functors: on any device that can run them.
Result<void> check_projections_on_any_device(const at::Tensor& projections, const std::string& where);

// Requires a window size (in columns or views) that is odd, 1 to 2^20.
Result<void> check_window(int64_t size, const std::string& what, const std::string& where);

// Views [view, ...] sorted by ascending angle, and back to the order of the scan. Methods that compare a view with its
// neighbours need this: neighbours in time may be far apart in angle. An empty order changes nothing.
at::Tensor by_angle(const at::Tensor& views, const AngleOrder& order);
at::Tensor as_recorded(const at::Tensor& views, const AngleOrder& order);

// Applies method(slice) to every slice of `data` across `dim` and joins the results, which have the slices' shape;
// differentiable. Empty data are returned unchanged. Checks `cancel` between slices.
at::Tensor map_slices(const at::Tensor& data, int64_t dim, const CancelToken& cancel,
                      const std::function<at::Tensor(const at::Tensor&)>& method);
// Loops over the sinograms [view, col] of projections [view, row, col].
at::Tensor map_sinograms(const at::Tensor& projections, const CancelToken& cancel,
                         const std::function<at::Tensor(const at::Tensor&)>& method);

}  // namespace tl::ops
