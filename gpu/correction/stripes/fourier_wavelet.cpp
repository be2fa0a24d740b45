// Removes stripes by wavelet and Fourier filtering: computes the stripes of a sinogram from its wavelet coefficients
// and subtracts them.
#include "gpu/correction/stripes/fourier_wavelet.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "gpu/correction/sinograms.h"
#include "gpu/device/launch.h"
#include "gpu/image/mirrored_index.h"
#include "gpu/image/wavelet.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

constexpr int64_t max_levels = 12;

// Source indices of a line closed by mirroring: n samples, mirrored up to half of the line, then the same backwards.
// The length of the line can be halved `levels` times.
at::Tensor closed_line(int64_t n, int64_t levels) {
  const int64_t unit = int64_t{1} << (levels - 1), half = (n + unit - 1) / unit * unit;
  std::vector<int64_t> from;
  from.reserve(static_cast<std::size_t>(2 * half));
  for (int64_t i = 0; i < 2 * half; ++i) from.push_back(mirrored_index(i < half ? i : 2 * half - 1 - i, n));
  return at::tensor(from, at::kLong);
}

// Table [n, positions] for the transpose of that mirroring: the positions of every sample in the closed line, padded
// with the index of a zero after the line.
at::Tensor places_of(const at::Tensor& closed, int64_t n) {
  const auto* from = closed.const_data_ptr<int64_t>();
  std::vector<std::vector<int64_t>> places(static_cast<std::size_t>(n));
  std::size_t most = 0;
  for (int64_t i = 0; i < closed.numel(); ++i) {
    auto& own = places[static_cast<std::size_t>(from[i])];
    own.push_back(i);
    most = std::max(most, own.size());
  }
  at::Tensor table = at::full({n, static_cast<int64_t>(most)}, closed.numel(), at::kLong);
  for (int64_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < places[static_cast<std::size_t>(i)].size(); ++k)
      table.mutable_data_ptr<int64_t>()[i * table.size(1) + static_cast<int64_t>(k)] =
          places[static_cast<std::size_t>(i)][k];
  return table;
}

// The transpose of index_select(dim, closed line), summed in the same order on every device.
at::Tensor folded(const at::Tensor& x, int64_t dim, const at::Tensor& places) {
  const at::Tensor table = places.to(x.device());
  const at::Tensor padded = at::cat({x, at::zeros_like(x.narrow(dim, 0, 1))}, dim);
  at::Tensor sum = padded.index_select(dim, table.select(1, 0));
  for (int64_t k = 1; k < table.size(1); ++k) sum += padded.index_select(dim, table.select(1, k));
  return sum;
}

// x -> x - R W^T D W P x: mirror (P), stripe coefficients of the orthogonal transform (W), low-pass along the views
// (D), inverse transform and crop (R).
class FourierWavelet final : public LinearOperator {
 public:
  FourierWavelet(int64_t views, int64_t cols, const FourierWaveletSpec& spec)
      : shape_{views, cols},
        levels_(spec.levels),
        sigma_(spec.sigma),
        low_(daubechies(spec.moments)),
        high_(quadrature_mirror(low_)),
        from_view_(closed_line(views, levels_)),
        from_col_(closed_line(cols, levels_)),
        view_places_(places_of(from_view_, views)),
        col_places_(places_of(from_col_, cols)) {}
  [[nodiscard]] std::string name() const override { return "Fourier-wavelet stripes"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return shape_; }
  [[nodiscard]] std::vector<int64_t> range() const override { return shape_; }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    require_tensor(x, shape_, name());
    check_device(x, name()).or_throw();
    const at::Tensor wide = x.index_select(0, from_view_.to(x.device())).index_select(1, from_col_.to(x.device()));
    return x - stripes(wide).slice(0, 0, shape_[0]).slice(1, 0, shape_[1]);
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    require_tensor(y, shape_, name());
    check_device(y, name()).or_throw();
    at::Tensor wide = at::zeros({from_view_.numel(), from_col_.numel()}, y.options());
    wide.slice(0, 0, shape_[0]).slice(1, 0, shape_[1]).copy_(y);
    return y - folded(folded(stripes(wide), 0, view_places_), 1, col_places_);
  }

 private:
  // W^T D W, level by level; uses only the coefficients fine across columns and coarse along views.
  [[nodiscard]] at::Tensor stripes(const at::Tensor& x) const { return levels_below(x.contiguous(), levels_); }
  [[nodiscard]] at::Tensor levels_below(const at::Tensor& x, int64_t levels) const {
    const auto split = [](const at::Tensor& t, const std::vector<double>& f, WaveletAxis a) {
      return wavelet_split(t, f, a);
    };
    const at::Tensor slow = split(x, low_, WaveletAxis::views);
    at::Tensor back = wavelet_join(low_passed(split(slow, high_, WaveletAxis::cols)), high_, WaveletAxis::cols);
    if (levels > 1)
      back += wavelet_join(levels_below(split(slow, low_, WaveletAxis::cols), levels - 1), low_, WaveletAxis::cols);
    return wavelet_join(back, low_, WaveletAxis::views);
  }
  // Mode k of the closed line has k cycles, of which the scan's part of the line has a fraction, at every level.
  [[nodiscard]] at::Tensor low_passed(const at::Tensor& x) const {
    const int64_t length = x.size(0);
    const double per_mode = static_cast<double>(shape_[0]) / static_cast<double>(from_view_.numel());
    const at::Tensor f = per_mode * at::arange(length / 2 + 1, x.options().dtype(at::kDouble));
    const at::Tensor keep = (f.square() * (-0.5 / (sigma_ * sigma_))).exp().to(x.scalar_type()).unsqueeze(1);
    return at::fft_irfft(at::fft_rfft(x, std::nullopt, 0) * keep, length, 0).contiguous();
  }

  std::vector<int64_t> shape_;
  int64_t levels_;
  double sigma_;
  std::vector<double> low_, high_;
  at::Tensor from_view_, from_col_, view_places_, col_places_;
};

Result<void> check(const FourierWaveletSpec& spec) {
  const std::string where = "Fourier-wavelet stripe removal";
  if (spec.levels < 1 || spec.levels > max_levels)
    return invalid(std::to_string(spec.levels) + " levels", where, "Choose 1 to " + std::to_string(max_levels));
  if (spec.moments < 1 || spec.moments > max_moments)
    return invalid("there is no wavelet db" + std::to_string(spec.moments), where, "Choose 1 to 10");
  if (!(spec.sigma >= 0) || !std::isfinite(spec.sigma)) return invalid("sigma must be 0 or positive", where);
  return ok();
}

}  // namespace

Result<OperatorPtr> make_fourier_wavelet(int64_t views, int64_t cols, const FourierWaveletSpec& spec) {
  TL_TRY(check(spec));
  if (views < 1 || cols < 1 || !(spec.sigma > 0))
    return invalid("the filter needs a sinogram and a positive sigma", "Fourier-wavelet stripe removal");
  return OperatorPtr(std::make_shared<FourierWavelet>(views, cols, spec));
}

int64_t default_wavelet_levels(int64_t cols) {
  int64_t levels = 1;
  while (levels < max_levels && (int64_t{1} << (levels + 5)) < cols) ++levels;
  return levels;
}

Result<at::Tensor> remove_stripes_by_fourier_wavelet(const at::Tensor& projections, const FourierWaveletSpec& spec) {
  TL_TRY(check_projections_on_any_device(projections, "Fourier-wavelet stripe removal"));
  TL_TRY(check(spec));
  if (spec.sigma == 0 || projections.numel() == 0) return projections;
  TL_TRY(OperatorPtr op, make_fourier_wavelet(projections.size(0), projections.size(2), spec));
  return map_sinograms(projections, spec.cancel, [&](const at::Tensor& sinogram) {
    // One value is subtracted first, so that all wavelet coefficients of a constant sinogram are zero.
    const at::Tensor level = sinogram.select(0, 0).select(0, sinogram.size(1) / 2).detach();
    return tl::apply(op, (sinogram - level).contiguous()) + level;
  });
}

}  // namespace tl::ops
