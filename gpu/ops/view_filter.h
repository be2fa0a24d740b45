// Filters of single views by a response in the frequency plane: padding, transforms and chunks.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

#include "core/base/cancel.h"

namespace tl::ops {

// edge: images are extended by their edge pixels to at least twice their size. periodic: as they are.
enum class ImageExtension { edge, periodic };

// Response at frequencies in cycles per pixel: [row, 1] and [1, col] (the half of a real transform), float64;
// broadcasts to [row, col].
using ViewResponse = std::function<at::Tensor(const at::Tensor& along_rows, const at::Tensor& along_cols)>;

// Every view of [view, row, col] times the response, a few views at a time. Differentiable with respect to the views
// and to what the response is made of.
at::Tensor filter_views(const at::Tensor& views, ImageExtension extension, const ViewResponse& response,
                        const CancelToken& cancel);

}  // namespace tl::ops
