// Filters of single views by a response in the frequency plane: padding, transforms and chunks.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>

#include "core/base/cancel.h"
#include "core/base/error.h"

namespace tl::ops {

// edge: images are extended by their edge pixels to at least twice their size. periodic: as they are.
enum class ImageExtension { edge, periodic };

// Response at frequencies in cycles per pixel: [row, 1] and [1, col] (the half of a real transform), float64;
// broadcasts to [row, col].
using ViewResponse = std::function<at::Tensor(const at::Tensor& along_rows, const at::Tensor& along_cols)>;

// What every phase retrieval asks of its input. Errors: invalid unless transmission is a float tensor [view, row, col],
// delta/beta and wavelength times distance are 0-dim floats, and the pixels are positive.
Result<void> check_phase_input(const at::Tensor& transmission, const at::Tensor& delta_over_beta,
                               const at::Tensor& wave_area, double pixel_u, double pixel_v, const std::string& where);

// Every view of [view, row, col] times the response, a few views at a time, each after `prepare` where there is one (it
// keeps shape and type). Differentiable with respect to the views and to what the response is made of.
at::Tensor filter_views(const at::Tensor& views, ImageExtension extension, const ViewResponse& response,
                        const CancelToken& cancel, const std::function<at::Tensor(const at::Tensor&)>& prepare = {});

}  // namespace tl::ops
