// Filters single views by a frequency response: padding, Fourier transforms, chunks of views.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

// edge: images are extended by their edge pixels to at least twice their size. periodic: not extended.
enum class ImageExtension { edge, periodic };

// Response at frequencies in cycles per pixel, given as [row, 1] and [1, col] (half spectrum of a real transform) in
// float64; must broadcast to [row, col].
using ViewResponse = std::function<at::Tensor(const at::Tensor& along_rows, const at::Tensor& along_cols)>;

// Input checks common to all phase retrieval methods. Errors: invalid unless transmission is a float tensor [view, row,
// col], delta/beta and wavelength times distance are 0-dim floats, and the pixel sizes are positive.
Result<void> check_phase_input(const at::Tensor& transmission, const at::Tensor& delta_over_beta,
                               const at::Tensor& wave_area, double pixel_u, double pixel_v, const std::string& where);

// Filters every view of [view, row, col] by the response, a few views at a time, after applying `prepare` if given
// (which must keep shape and type). Differentiable with respect to the views and to the parameters of the response.
at::Tensor filter_views(const at::Tensor& views, ImageExtension extension, const ViewResponse& response,
                        const CancelToken& cancel, const std::function<at::Tensor(const at::Tensor&)>& prepare = {});

}  // namespace tl::ops
