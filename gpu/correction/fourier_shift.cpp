// Shifts projections by fractions of a pixel in Fourier space; composed of torch operations.
#include "gpu/correction/fourier_shift.h"

#include <ATen/ATen.h>

#include <array>

#include "core/base/units.h"
#include "gpu/filtering/fft_size.h"

namespace tl::ops {
namespace {

// exp(-2 pi i s f) for the frequencies of a real transform of this length: [view or 1, length / 2 + 1] complex128.
at::Tensor phase_ramp(const at::Tensor& shift, int64_t length) {
  const at::Tensor frequency = at::fft_rfftfreq(length, 1.0, shift.options());
  const at::Tensor angle = (-2 * pi) * shift.unsqueeze(1) * frequency.unsqueeze(0);
  at::Tensor keep = at::ones_like(frequency);
  if (length % 2 == 0) keep[length / 2] = 0;
  return at::complex(angle.cos(), angle.sin() * keep);
}

}  // namespace

Result<at::Tensor> fourier_shift(const at::Tensor& projections, const at::Tensor& shift, const FourierShiftSpec& spec) {
  if (!projections.defined() || projections.dim() != 3 ||
      (projections.scalar_type() != at::kFloat && projections.scalar_type() != at::kDouble))
    return invalid("the projections are not a float tensor [view, row, col]", "Fourier shift");
  if (!shift.defined() || !shift.is_floating_point() || (shift.numel() != 1 && shift.numel() != projections.size(0)))
    return invalid("the shift must be one number, or one per view", "Fourier shift");
  if (projections.numel() == 0) return projections;
  const bool cols = spec.along == ShiftAlong::cols;
  const int64_t dim = cols ? 2 : 1, count = projections.size(dim);
  const bool edge = spec.extension == LineExtension::edge;
  const CentredPadding padding = edge ? centred_padding(count) : CentredPadding{count, 0, 0};
  at::Tensor lines = projections;
  if (edge) {
    using Four = std::array<int64_t, 4>;  // left, right, top, bottom
    lines = at::replication_pad2d(
        lines, cols ? Four{padding.before, padding.after, 0, 0} : Four{0, 0, padding.before, padding.after});
  }
  const auto complex_type = projections.scalar_type() == at::kFloat ? at::kComplexFloat : at::kComplexDouble;
  const at::Tensor one_per_view = shift.to(projections.options().dtype(at::kDouble)).reshape({-1});
  const at::Tensor ramp = phase_ramp(one_per_view, padding.length).to(complex_type).unsqueeze(cols ? 1 : 2);
  const at::Tensor shifted = at::fft_irfft(at::fft_rfft(lines, std::nullopt, dim) * ramp, padding.length, dim);
  return shifted.narrow(dim, padding.before, count).contiguous();
}

}  // namespace tl::ops
