// Ramp filter: chunks of rows are padded, transformed, multiplied and transformed back, each chunk on one thread.
#include "gpu/ops/ramp_filter.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/units.h"
#include "gpu/ops/fft_size.h"
#include "gpu/ops/operator_checks.h"

namespace tl::ops {
namespace {

// Padded samples that one thread transforms at a time: they and their spectrum stay in its cache.
constexpr int64_t samples_per_chunk = 1 << 16;
constexpr int64_t edge_pixels = 4;   // of `smooth`: one bad pixel at the edge must not fill the slice
constexpr double fade_width = 0.25;  // of the detector

// Where the padding of a row goes: it follows the row, and the circle closes it before the row's first sample.
struct Padding {
  int64_t cols, length;
  [[nodiscard]] int64_t after() const { return cols + (length - cols) / 2; }  // first index that belongs before the row
};

class RampFilter final : public LinearOperator {
 public:
  explicit RampFilter(const RampFilterSpec& spec) : spec_(spec), padding_{spec.cols, fft_length(2 * spec.cols)} {
    const std::vector<double> response = ramp_response(padding_.length, spec.pitch, spec.window, spec.cutoff);
    response64_ = at::tensor(response, at::kDouble);
    response32_ = response64_.to(at::kFloat);
    // `edge` repeats one pixel all the way, `smooth` lets the mean of some fade.
    const bool smooth = spec.extension == RowExtension::smooth;
    edge_ = smooth ? std::min(edge_pixels, spec.cols) : 1;
    for (const auto& [taper, length] : {std::pair{&after_, padding_.after() - spec.cols},
                                        std::pair{&before_, padding_.length - padding_.after()}}) {
      const at::Tensor distance = (at::arange(length, at::kDouble) + 1) / (fade_width * static_cast<double>(spec.cols));
      *taper = smooth ? (distance.clamp_max(1) * (0.5 * pi)).cos().square() : at::ones_like(distance);
    }
    before_ = before_.flip(0).contiguous();
  }

  [[nodiscard]] std::string name() const override { return "ramp filter"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return {spec_.views, spec_.rows, spec_.cols}; }
  [[nodiscard]] std::vector<int64_t> range() const override { return domain(); }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override { return run<&RampFilter::filter>(x); }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    return spec_.extension == RowExtension::zero ? run<&RampFilter::filter>(y) : run<&RampFilter::filter_transposed>(y);
  }

 private:
  template <at::Tensor (RampFilter::*Chunk)(const at::Tensor&) const>
  [[nodiscard]] at::Tensor run(const at::Tensor& x) const {
    require_tensor(x, domain(), "ramp filter");
    require_cpu(x, "ramp filter");
    const at::Tensor in = x.detach().view({spec_.views * spec_.rows, spec_.cols});
    at::Tensor out = at::empty_like(in);
    const int64_t rows = in.size(0), chunk = std::max<int64_t>(1, samples_per_chunk / padding_.length);
    // Inside a parallel region the FFT itself is serial, so a row's bits depend neither on threads nor on the chunking
    // that the pool chose: chunks have a fixed length.
    at::parallel_for(0, (rows + chunk - 1) / chunk, 1, [&](int64_t first, int64_t last) {
      const c10::NoGradGuard no_grad;
      for (int64_t c = first; c < last; ++c) {
        spec_.cancel.check();
        const int64_t begin = c * chunk, count = std::min(chunk, rows - begin);
        out.narrow(0, begin, count).copy_((this->*Chunk)(in.narrow(0, begin, count)));
      }
    });
    return out.view(domain());
  }

  // Crop * circular convolution * extension.
  [[nodiscard]] at::Tensor filter(const at::Tensor& rows) const {
    return convolve(spec_.extension == RowExtension::zero ? rows : extended(rows)).narrow(1, 0, spec_.cols);
  }
  [[nodiscard]] at::Tensor filter_transposed(const at::Tensor& rows) const { return folded(convolve(rows)); }

  // Circular convolution on the padded length; shorter rows are padded with zeros. The kernel is symmetric.
  [[nodiscard]] at::Tensor convolve(const at::Tensor& rows) const {
    at::Tensor spectrum = at::fft_rfft(rows, padding_.length, 1);
    spectrum.mul_(rows.scalar_type() == at::kFloat ? response32_ : response64_);
    return at::fft_irfft(spectrum, padding_.length, 1);
  }

  [[nodiscard]] at::Tensor extended(const at::Tensor& rows) const {
    const auto& [cols, length] = padding_;
    at::Tensor out = at::empty({rows.size(0), length}, rows.options());
    out.narrow(1, 0, cols).copy_(rows);
    out.narrow(1, cols, padding_.after() - cols)
        .copy_(rows.narrow(1, cols - edge_, edge_).mean(1, true) * after_.to(rows.scalar_type()));
    out.narrow(1, padding_.after(), length - padding_.after())
        .copy_(rows.narrow(1, 0, edge_).mean(1, true) * before_.to(rows.scalar_type()));
    return out;
  }
  // Transpose of extended(): what was put into the padding is added back to the edge pixels.
  [[nodiscard]] at::Tensor folded(const at::Tensor& padded) const {
    const int64_t cols = padding_.cols;
    at::Tensor out = padded.narrow(1, 0, cols).clone();
    const auto share = [&](int64_t first, const at::Tensor& taper) {
      const at::Tensor part = padded.narrow(1, first, taper.size(0));
      return at::mv(part, taper.to(padded.scalar_type())).div_(static_cast<double>(edge_)).unsqueeze(1);
    };
    out.narrow(1, cols - edge_, edge_).add_(share(cols, after_));
    out.narrow(1, 0, edge_).add_(share(padding_.after(), before_));
    return out;
  }

  RampFilterSpec spec_;
  Padding padding_;
  at::Tensor response32_, response64_;
  int64_t edge_ = 1;           // pixels whose mean is continued
  at::Tensor after_, before_;  // what the edge pixels are multiplied by in the padding
};

}  // namespace

std::vector<double> ramp_response(int64_t length, double pitch, RampWindow window, double cutoff) {
  at::Tensor kernel = at::zeros({length}, at::kDouble);
  auto* h = kernel.mutable_data_ptr<double>();
  h[0] = 0.25;
  for (int64_t j = 1; j <= length / 2; j += 2) {
    const double x = pi * static_cast<double>(j);
    h[j] = h[length - j] = -1 / (x * x);
  }
  const at::Tensor ramp = at::real(at::fft_rfft(kernel)).contiguous();
  std::vector<double> response(static_cast<std::size_t>(length / 2 + 1), 0.0);
  for (std::size_t k = 0; k < response.size(); ++k) {
    const double x = 2 * static_cast<double>(k) / (static_cast<double>(length) * cutoff);
    // At the cutoff itself rounding must not decide between window and zero.
    if (x <= 1 + 1e-12)
      response[k] = ramp.const_data_ptr<double>()[k] / pitch * ramp_window_value(window, std::min(x, 1.0));
  }
  return response;
}

Result<OperatorPtr> make_ramp_filter(const RampFilterSpec& spec) {
  constexpr int64_t limit = std::numeric_limits<int64_t>::max() / 64;
  if (spec.views < 1 || spec.rows < 1 || spec.cols < 1 || spec.cols > (int64_t{1} << 30) ||
      spec.views > limit / spec.rows / spec.cols)
    return invalid("cannot filter projections of shape " + shape_text({spec.views, spec.rows, spec.cols}),
                   "ramp filter");
  if (!(spec.pitch > 0) || !std::isfinite(spec.pitch))
    return invalid("the pixel size must be positive", "ramp filter", "Set the pixel size of the scan");
  if (!(spec.cutoff > 0) || spec.cutoff > 1)
    return invalid("the cutoff is " + std::to_string(spec.cutoff) + " of the Nyquist frequency", "ramp filter",
                   "Choose a value above 0 and at most 1");
  return OperatorPtr(std::make_shared<RampFilter>(spec));
}

}  // namespace tl::ops
