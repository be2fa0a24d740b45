// Filters single views by a frequency response, a few views at a time; composed of torch operations.
#include "gpu/correction/view_filter.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

#include "gpu/filtering/fft_size.h"
#include "gpu/operator/forward_mode.h"

namespace tl::ops {
namespace {
constexpr int64_t samples_per_chunk = int64_t{1} << 23;  // after padding; limits the workspace to about 100 MB
// Also at most this fraction of the data, except for small data, for which many small operations would be slow: padding
// and transforms need about four times the size of a chunk.
constexpr int64_t share_per_chunk = 40, min_per_chunk = int64_t{1} << 18;
}  // namespace

Result<void> check_phase_input(const at::Tensor& transmission, const at::Tensor& delta_over_beta,
                               const at::Tensor& wave_area, double pixel_u, double pixel_v, const std::string& where) {
  if (!transmission.defined() || transmission.dim() != 3 ||
      (transmission.scalar_type() != at::kFloat && transmission.scalar_type() != at::kDouble))
    return invalid("the projections are not a float tensor [view, row, col]", where);
  if (!delta_over_beta.defined() || delta_over_beta.dim() != 0 || !delta_over_beta.is_floating_point())
    return invalid("delta/beta is not one number", where);
  if (!wave_area.defined() || wave_area.dim() != 0 || !wave_area.is_floating_point())
    return invalid("wavelength times distance is not one number", where);
  if (!(pixel_u > 0) || !(pixel_v > 0))
    return invalid("the pixel size must be positive", where, "Set the pixel size of the scan");
  return ok();
}

at::Tensor filter_views(const at::Tensor& data, ImageExtension extension, const ViewResponse& response,
                        const CancelToken& cancel, const std::function<at::Tensor(const at::Tensor&)>& prepare) {
  const int64_t views = data.size(0), rows = data.size(1), cols = data.size(2);
  if (views == 0 || rows == 0 || cols == 0) return data;
  const bool edge = extension == ImageExtension::edge;
  const CentredPadding down = edge ? centred_padding(rows) : CentredPadding{rows, 0, 0};
  const CentredPadding along = edge ? centred_padding(cols) : CentredPadding{cols, 0, 0};
  const auto options = data.options().dtype(at::kDouble).requires_grad(false);
  const at::Tensor filter = response(at::fft_fftfreq(down.length, 1.0, options).unsqueeze(1),
                                     at::fft_rfftfreq(along.length, 1.0, options).unsqueeze(0))
                                .to(data.scalar_type());
  const int64_t samples = std::clamp(data.numel() / share_per_chunk, min_per_chunk, samples_per_chunk);
  const int64_t chunk = std::clamp<int64_t>(samples / (down.length * along.length), 1, views);
  // Gradients must not pass through copies into slices of an output.
  const bool remembered = is_differentiated(data) || is_differentiated(filter);
  at::Tensor out = remembered ? at::Tensor() : at::empty_like(data);
  std::vector<at::Tensor> parts;
  for (int64_t first = 0; first < views; first += chunk) {
    cancel.check();
    at::Tensor image = data.narrow(0, first, std::min(chunk, views - first));
    if (prepare) image = prepare(image);
    if (edge) image = at::replication_pad2d(image, {along.before, along.after, down.before, down.after});
    const at::Tensor spectrum = at::fft_rfft2(image) * filter;
    const std::vector<int64_t> padded = {down.length, along.length};
    const at::Tensor part = at::fft_irfft2(spectrum, padded).narrow(1, down.before, rows).narrow(2, along.before, cols);
    if (out.defined())
      out.narrow(0, first, part.size(0)).copy_(part);
    else
      parts.push_back(part.contiguous());  // drops the padding
  }
  return out.defined() ? out : at::cat(parts);
}

}  // namespace tl::ops
