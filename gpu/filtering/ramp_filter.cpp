// Applies the ramp filter to detector rows: batches of rows that fill a vector are transposed, padded and convolved,
// each on one thread.
#include "gpu/filtering/ramp_filter.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/units.h"
#include "gpu/device/grain.h"
#include "gpu/device/launch.h"
#include "gpu/device/parallel_for.h"
#include "gpu/filtering/fft_size.h"
#include "gpu/filtering/row_convolution.h"
#include "gpu/filtering/transpose_rows.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

constexpr int64_t edge_pixels = 4;   // for `smooth`: one bad pixel at the edge must not affect the whole slice
constexpr double fade_width = 0.25;  // fraction of the detector width
constexpr int64_t transformed_samples = int64_t{1} << 24;  // samples transformed at a time (about 300 MB)
constexpr int64_t streamed_bytes = int64_t{64} << 20;      // larger results do not fit into caches

// The padding follows the row; since the convolution is circular, its second half extends the row before its first
// sample.
struct Padding {
  int64_t cols, length;
  [[nodiscard]] int64_t after() const { return cols + (length - cols) / 2; }  // first index that extends the row left
};

class RampFilter final : public LinearOperator {
 public:
  explicit RampFilter(const RampFilterSpec& spec)
      : RampFilter(spec, ramp_response(fft_length(2 * spec.cols), spec.pitch, spec.window, spec.cutoff, spec.kernel)) {}

  [[nodiscard]] std::string name() const override { return "ramp filter"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return {spec_.views, spec_.rows, spec_.cols}; }
  [[nodiscard]] std::vector<int64_t> range() const override { return domain(); }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override { return run(x, Side::forward); }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override { return run(y, Side::transpose); }

 private:
  enum class Side { forward, transpose };

  RampFilter(const RampFilterSpec& spec, const std::vector<double>& response)
      : spec_(spec),
        padding_{spec.cols, fft_length(2 * spec.cols)},
        single_(padding_.length, response),
        double_(padding_.length, response),
        response_(response) {
    // `edge` repeats one pixel throughout, `smooth` lets the mean of several fade.
    const bool smooth = spec.extension == RowExtension::smooth;
    edge_ = smooth ? std::min(edge_pixels, spec.cols) : 1;
    for (int64_t n = spec.cols; n < padding_.length; ++n) {
      const int64_t pixels = n < padding_.after() ? n - spec.cols + 1 : padding_.length - n;
      const double distance = static_cast<double>(pixels) / (fade_width * static_cast<double>(spec.cols));
      const double root = std::cos(0.5 * pi * std::min(distance, 1.0));
      share_.push_back(smooth ? root * root : 1.0);
    }
  }
  [[nodiscard]] double share(int64_t n) const { return share_[static_cast<std::size_t>(n - spec_.cols)]; }

  [[nodiscard]] at::Tensor run(const at::Tensor& x, Side side) const {
    require_tensor(x, domain(), "ramp filter");
    if (runs_functors(x, name())) return by_transforms(x, side);
    at::Tensor out = at::empty(domain(), x.options().requires_grad(false));
    if (x.scalar_type() == at::kFloat)
      filter(single_, x.const_data_ptr<float>(), out.mutable_data_ptr<float>(), side);
    else
      filter(double_, x.const_data_ptr<double>(), out.mutable_data_ptr<double>(), side);
    return out;
  }

  // Crop * circular convolution * extension, or its transpose; the convolution is symmetric.
  template <class T>
  void filter(const RowConvolution<T>& convolution, const T* in, T* out, Side side) const {
    constexpr int64_t lot = convolution_rows<T>;
    const int64_t rows = spec_.views * spec_.rows, cols = spec_.cols;
    const bool extended = spec_.extension != RowExtension::zero;
    // The padding is at least as long as the row: zeros in it need not be read, and results in it need not be computed.
    const SampleSpan known = extended && side == Side::forward ? SampleSpan::all : SampleSpan::first_half;
    const SampleSpan wanted = extended && side == Side::transpose ? SampleSpan::all : SampleSpan::first_half;
    const Store write_mode =
        rows * cols * static_cast<int64_t>(sizeof(T)) >= streamed_bytes ? Store::streamed : Store::cached;
    ops::parallel_for(0, (rows + lot - 1) / lot, grain(lot * padding_.length), [&](int64_t first, int64_t last) {
      const c10::NoGradGuard no_grad;
      // Lanes beyond the last row contain zeros or rows of an earlier batch; lanes do not affect each other.
      const at::Tensor store = at::zeros({padding_.length * lot}, c10::CppTypeToScalarType<T>::value);
      T* samples = store.mutable_data_ptr<T>();
      for (int64_t l = first; l < last; ++l) {
        spec_.cancel.check();
        const int64_t begin = l * lot, count = std::min(lot, rows - begin);
        rows_to_samples(in + begin * cols, count, cols, samples);
        if (extended && side == Side::forward)
          extend(samples);
        else
          std::fill(samples + cols * lot, samples + padding_.length / 2 * lot, T(0));
        convolution.run(samples, known, wanted);
        if (extended && side == Side::transpose) fold(samples);
        samples_to_rows(samples, count, cols, out + begin * cols, write_mode);
      }
      if (write_mode == Store::streamed) store_fence();
    });
  }

  // Convolves by torch's FFTs (cuFFT with cached plans on a GPU), some rows at a time.
  [[nodiscard]] at::Tensor by_transforms(const at::Tensor& x, Side side) const {
    const c10::NoGradGuard no_grad;
    const int64_t rows = spec_.views * spec_.rows, cols = spec_.cols, length = padding_.length;
    const int64_t most = std::max<int64_t>(1, transformed_samples / length);
    const auto on_device = [&](const std::vector<double>& v, at::ScalarType type) {
      return at::tensor(at::ArrayRef<double>(v), at::kDouble).to(x.options().dtype(type).requires_grad(false));
    };
    const at::Tensor response = on_device(response_, x.scalar_type()), shares = on_device(share_, at::kDouble);
    at::Tensor out = at::empty(domain(), x.options().requires_grad(false));
    for (int64_t begin = 0; begin < rows; begin += most) {
      spec_.cancel.check();
      const int64_t count = std::min(most, rows - begin);
      at::Tensor padded = at::zeros({count, length}, out.options());
      padded.narrow(1, 0, cols).copy_(x.detach().view({rows, cols}).narrow(0, begin, count));
      if (side == Side::forward && spec_.extension != RowExtension::zero) extend_lines(padded, shares);
      at::Tensor done = at::fft_irfft(at::fft_rfft(padded).mul_(response), length);
      if (side == Side::transpose && spec_.extension != RowExtension::zero) fold_lines(done, shares);
      out.view({rows, cols}).narrow(0, begin, count).copy_(done.narrow(1, 0, cols));
    }
    return out;
  }
  // The two halves of the padding of [row, sample] lines: first index, length, and the first of their edge pixels.
  struct Half {
    int64_t begin, count, edge;
  };
  [[nodiscard]] std::array<Half, 2> halves() const {
    const auto& [cols, length] = padding_;
    return {Half{cols, padding_.after() - cols, cols - edge_}, Half{padding_.after(), length - padding_.after(), 0}};
  }
  void extend_lines(at::Tensor& lines, const at::Tensor& shares) const {
    for (const Half& h : halves()) {
      const at::Tensor mean = lines.narrow(1, h.edge, edge_).to(at::kDouble).mean(at::IntArrayRef{1}, true);
      lines.narrow(1, h.begin, h.count).copy_(mean * shares.narrow(0, h.begin - padding_.cols, h.count));
    }
  }
  void fold_lines(at::Tensor& lines, const at::Tensor& shares) const {
    for (const Half& h : halves()) {
      const at::Tensor sum = (lines.narrow(1, h.begin, h.count) * shares.narrow(0, h.begin - padding_.cols, h.count))
                                 .sum(at::IntArrayRef{1}, true);
      lines.narrow(1, h.edge, edge_).add_((sum / static_cast<double>(edge_)).to(lines.scalar_type()));
    }
  }

  // Fills the padding with the mean of the edge pixels, times the fading factor.
  template <class T>
  void extend(T* samples) const {
    constexpr int64_t lot = convolution_rows<T>;
    const auto& [cols, length] = padding_;
    for (int64_t r = 0; r < lot; ++r) {
      double high = 0, low = 0;
      for (int64_t n = 0; n < edge_; ++n) {
        high += static_cast<double>(samples[(cols - 1 - n) * lot + r]);
        low += static_cast<double>(samples[n * lot + r]);
      }
      high /= static_cast<double>(edge_);
      low /= static_cast<double>(edge_);
      for (int64_t n = cols; n < length; ++n)
        samples[n * lot + r] = static_cast<T>((n < padding_.after() ? high : low) * share(n));
    }
  }
  // Transpose of extend(): adds values of the padding to the edge pixels.
  template <class T>
  void fold(T* samples) const {
    constexpr int64_t lot = convolution_rows<T>;
    const auto& [cols, length] = padding_;
    for (int64_t r = 0; r < lot; ++r) {
      double high = 0, low = 0;
      for (int64_t n = cols; n < length; ++n)
        (n < padding_.after() ? high : low) += share(n) * static_cast<double>(samples[n * lot + r]);
      for (int64_t n = 0; n < edge_; ++n) {
        samples[(cols - 1 - n) * lot + r] += static_cast<T>(high / static_cast<double>(edge_));
        samples[n * lot + r] += static_cast<T>(low / static_cast<double>(edge_));
      }
    }
  }

  RampFilterSpec spec_;
  Padding padding_;
  RowConvolution<float> single_;
  RowConvolution<double> double_;
  int64_t edge_ = 1;  // number of pixels whose mean is continued
  std::vector<double> response_;
  std::vector<double> share_;  // fading factor for each sample of the padding
};

// Transform of the finite kernel, length / 2 + 1 values; f in cycles per sample, up to 1/2.
at::Tensor spatial_ramp(int64_t length) {
  at::Tensor kernel = at::zeros({length}, at::kDouble);
  auto* h = kernel.mutable_data_ptr<double>();
  h[0] = 0.25;
  for (int64_t j = 1; j <= length / 2; j += 2) {
    const double x = pi * static_cast<double>(j);
    h[j] = h[length - j] = -1 / (x * x);
  }
  return at::real(at::fft_rfft(kernel)).contiguous();
}

}  // namespace

std::vector<double> ramp_response(int64_t length, double pitch, RampWindow window, double cutoff, RampKernel kernel) {
  const at::Tensor ramp =
      kernel == RampKernel::spatial ? spatial_ramp(length) : at::fft_rfftfreq(length, 1, at::kDouble);
  std::vector<double> response(static_cast<std::size_t>(length / 2 + 1), 0.0);
  for (std::size_t k = 0; k < response.size(); ++k) {
    const double x = 2 * static_cast<double>(k) / (static_cast<double>(length) * cutoff);
    // Rounding must not decide whether the cutoff frequency itself is inside the window.
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
