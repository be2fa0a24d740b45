// Correlates frames in Fourier space; the maximum of each correlation is refined on its Fourier series.
#include "gpu/alignment/frames/pair_shifts.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>

#include "core/base/units.h"
#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

using Complex = std::complex<double>;

constexpr double half_amplitude = 0.849322;  // sqrt(-1 / (2 ln 0.5)): the filter is 1/2 at a period of `resolution`
constexpr double kept_sigmas = 4;            // of the filter: beyond, it is below 4e-4
constexpr double edge_share = 1.0 / 16;      // of the width, at each side, over which a frame fades

// Weights that rise from near 0 at both ends to 1: edges of the detector, which do not move, correlate otherwise.
at::Tensor faded_ends(int64_t n) {
  const double width = std::max(1.0, edge_share * static_cast<double>(n));
  const at::Tensor from_end = at::arange(n, at::kDouble) + 0.5;
  const at::Tensor nearest = at::minimum(from_end, from_end.flip(0));
  return at::sin((nearest / width).clamp(0, 1) * (0.5 * pi)).square();
}

// The coefficients kept along an axis: indices -n/2 to n/2 whose frequency the filter lets through.
struct Band {
  int64_t length = 0;  // pixels of the axis
  int64_t most = 0;    // coefficients -most to most
  [[nodiscard]] int64_t count() const { return 2 * most + 1; }
};
Band band_of(int64_t length, double sigma) {
  const auto kept = static_cast<int64_t>(std::ceil(kept_sigmas * sigma * static_cast<double>(length)));
  return {length, std::clamp<int64_t>(kept, 1, (length - 1) / 2)};
}

struct Spectra {
  Band rows, cols;
  at::Tensor values;  // [frame, 2 most + 1 rows, most + 1 cols] complex128: col coefficients below 0 follow
  at::Tensor filter;  // [2 most + 1, most + 1] double
};

at::Tensor row_indices(const Band& band) {
  return at::cat(
      {at::arange(0, band.most + 1, at::kLong), at::arange(band.length - band.most, band.length, at::kLong)});
}

// Frequencies of kept coefficients [cycles/px], in the order of `values`.
at::Tensor frequencies(const Band& band, bool whole) {
  at::Tensor k = at::arange(0, band.most + 1, at::kDouble);
  if (whole) k = at::cat({k, at::arange(-band.most, 0, at::kDouble)});
  return k / static_cast<double>(band.length);
}

Spectra spectra_of(const FramePairsSpec& spec) {
  const int64_t rows = spec.frames.size(1), cols = spec.frames.size(2);
  const double sigma = half_amplitude / spec.resolution;
  Spectra s{band_of(rows, sigma), band_of(cols, sigma), {}, {}};
  const at::Tensor weights = faded_ends(rows).unsqueeze(1) * faded_ends(cols);
  const at::Tensor kept_rows = row_indices(s.rows);
  std::vector<at::Tensor> kept;
  for (int64_t i = 0; i < spec.frames.size(0); ++i) {
    spec.cancel.check();
    const at::Tensor frame = spec.frames[i].to(at::kDouble);
    kept.push_back(
        at::fft_rfft2((frame - frame.median()) * weights).narrow(1, 0, s.cols.most + 1).index_select(0, kept_rows));
  }
  s.values = at::stack(kept);
  const at::Tensor fr = frequencies(s.rows, true).unsqueeze(1), fc = frequencies(s.cols, false).unsqueeze(0);
  // Of both frames: the filter of each is its square root.
  s.filter = at::exp((fr.square() + fc.square()) * (-0.5 / (sigma * sigma)));
  s.filter[0][0] = 0;
  return s;
}

// The correlation of a pair as a Fourier series, and its maximum.
class Correlation {
 public:
  Correlation(const Spectra& s, const Complex* product) : rows_(s.rows), cols_(s.cols), product_(product) {}

  struct Peak {
    double x = 0, y = 0;
    bool converged = false;
  };
  // Newton steps from a point near the maximum, within a sample of the coarse correlation.
  [[nodiscard]] Peak refined(double x, double y, Coefficients which) const {
    constexpr int steps = 30;
    constexpr double enough = 1e-7;  // [px]
    const double widest_x = 0.5 * static_cast<double>(cols_.length) / static_cast<double>(cols_.count());
    const double widest_y = 0.5 * static_cast<double>(rows_.length) / static_cast<double>(rows_.count());
    Peak p{x, y, false};
    for (int i = 0; i < steps && !p.converged; ++i) {
      const Terms t = terms(p.x, p.y, which);
      const double determinant = t.xx * t.yy - t.xy * t.xy;
      double dx = widest_x * (t.x > 0 ? 0.25 : -0.25), dy = widest_y * (t.y > 0 ? 0.25 : -0.25);  // uphill
      if (t.xx < 0 && t.yy < 0 && determinant > 0) {
        dx = -(t.yy * t.x - t.xy * t.y) / determinant;
        dy = -(t.xx * t.y - t.xy * t.x) / determinant;
      }
      p.x += std::clamp(dx, -widest_x, widest_x);
      p.y += std::clamp(dy, -widest_y, widest_y);
      p.converged = std::abs(dx) < enough && std::abs(dy) < enough;
    }
    return p;
  }

 private:
  struct Terms {
    double value = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;  // the correlation and its derivatives
  };
  [[nodiscard]] Terms terms(double x, double y, Coefficients which) const {
    const int64_t width = cols_.most + 1;
    Terms t;
    const double per_col = 2 * pi / static_cast<double>(cols_.length);
    const double per_row = 2 * pi / static_cast<double>(rows_.length);
    const Complex turn_x = std::polar(1.0, per_col * x);
    for (int64_t r = 0; r < rows_.count(); ++r) {
      const int64_t ky = r <= rows_.most ? r : r - rows_.count();
      const double wy = per_row * static_cast<double>(ky);
      Complex phase = std::polar(1.0, wy * y);
      for (int64_t c = 0; c < width; ++c, phase *= turn_x) {
        if (which != Coefficients::all && ((c + ky) % 2 == 0) != (which == Coefficients::even)) continue;
        // Coefficients of the other half plane are the conjugates of these.
        const Complex value = (c == 0 ? 1.0 : 2.0) * product_[r * width + c] * phase;
        const double wx = per_col * static_cast<double>(c);
        t.value += value.real();
        t.x -= wx * value.imag(), t.y -= wy * value.imag();
        t.xx -= wx * wx * value.real(), t.xy -= wx * wy * value.real(), t.yy -= wy * wy * value.real();
      }
    }
    return t;
  }

 public:
  // The maximum over the standard deviation of a sum of the same coefficients with random phases.
  [[nodiscard]] double significance(double x, double y) const {
    double power = 0;
    const int64_t width = cols_.most + 1;
    for (int64_t i = 0; i < rows_.count() * width; ++i) power += (i % width == 0 ? 1.0 : 2.0) * std::norm(product_[i]);
    return power > 0 ? terms(x, y, Coefficients::all).value / std::sqrt(power) : 0;
  }

 private:
  Band rows_, cols_;
  const Complex* product_;
};

// Samples of correlations with one frame, on a grid twice as fine as the coefficients ask for; row 0 and column 0 are a
// shift of 0, what follows the middle is negative.
struct Sampled {
  at::Tensor values;  // [pair, row, col] double
  int64_t rows = 0, cols = 0;
};
int64_t samples_along(const Band& band) { return std::min(2 * band.count(), band.length + band.length % 2); }

Sampled sampled(const Spectra& s, const at::Tensor& products) {
  Sampled out{{}, samples_along(s.rows), samples_along(s.cols)};
  at::Tensor padded = at::zeros({products.size(0), out.rows, out.cols / 2 + 1}, products.options());
  padded.narrow(1, 0, s.rows.most + 1).narrow(2, 0, s.cols.most + 1).copy_(products.narrow(1, 0, s.rows.most + 1));
  padded.narrow(1, out.rows - s.rows.most, s.rows.most)
      .narrow(2, 0, s.cols.most + 1)
      .copy_(products.narrow(1, s.rows.most + 1, s.rows.most));
  out.values = at::fft_irfft2(padded, at::IntArrayRef{out.rows, out.cols}).contiguous();
  return out;
}

FramePair located(const Spectra& s, const Complex* product, const double* samples, const Sampled& grid, double reach) {
  const double step_y = static_cast<double>(s.rows.length) / static_cast<double>(grid.rows);
  const double step_x = static_cast<double>(s.cols.length) / static_cast<double>(grid.cols);
  double best = -std::numeric_limits<double>::infinity(), x = 0, y = 0;
  for (int64_t r = 0; r < grid.rows; ++r)
    for (int64_t c = 0; c < grid.cols; ++c) {
      const double at_y = step_y * static_cast<double>(r <= grid.rows / 2 ? r : r - grid.rows);
      const double at_x = step_x * static_cast<double>(c <= grid.cols / 2 ? c : c - grid.cols);
      if (std::abs(at_y) > reach || std::abs(at_x) > reach || samples[r * grid.cols + c] <= best) continue;
      best = samples[r * grid.cols + c];
      x = at_x, y = at_y;
    }
  FramePair pair;
  const bool fits = reach < 0.5 * static_cast<double>(std::min(s.rows.length, s.cols.length));
  pair.at_reach = fits && (std::abs(x) + step_x > reach || std::abs(y) + step_y > reach);
  const Correlation correlation(s, product);
  pair.significance = correlation.significance(x, y);
  if (pair.significance == 0) return pair;
  const Correlation::Peak peak = correlation.refined(x, y, Coefficients::all);
  for (const Coefficients which : {Coefficients::all, Coefficients::even, Coefficients::odd}) {
    const auto at = static_cast<std::size_t>(which);
    const Correlation::Peak half = which == Coefficients::all ? peak : correlation.refined(peak.x, peak.y, which);
    pair.x.at(at) = half.x, pair.y.at(at) = half.y;
  }
  return pair;
}

Result<void> check(const FramePairsSpec& spec) {
  const at::Tensor& f = spec.frames;
  TL_CHECK(f.defined() && f.dim() == 3 && f.is_floating_point() && f.device().is_cpu(), "frames [frame, row, col]");
  if (f.size(0) < 2) return invalid("there is one frame", "frames", "Shifts between frames need at least two of them");
  if (f.size(1) < 4 || f.size(2) < 4)
    return invalid(
        "frames of " + std::to_string(f.size(1)) + " x " + std::to_string(f.size(2)) + " pixels are too small",
        "frames", "At least 4 x 4 are needed");
  if (!(spec.resolution >= 2))
    return invalid("the resolution is below 2 px", "resolution", "Two pixels are the finest period");
  if (!(spec.reach > 0)) return invalid("the largest shift is not above 0", "reach");
  return ok();
}

}  // namespace

Result<std::vector<FramePair>> pair_shifts(const FramePairsSpec& spec) {
  TL_TRY(check(spec));
  const c10::NoGradGuard no_gradients;
  const Spectra s = spectra_of(spec);
  const int64_t frames = spec.frames.size(0);
  std::vector<FramePair> pairs;
  for (int64_t i = 0; i + 1 < frames; ++i) {
    spec.cancel.check();
    const int64_t others = frames - 1 - i;
    const at::Tensor products = (s.values[i].conj() * s.values.narrow(0, i + 1, others) * s.filter).contiguous();
    const Sampled grid = sampled(s, products);
    const auto* product = reinterpret_cast<const Complex*>(products.const_data_ptr<c10::complex<double>>());
    const auto* samples = grid.values.const_data_ptr<double>();
    std::vector<FramePair> found(static_cast<std::size_t>(others));
    parallel_for(0, others, 1, [&](int64_t first, int64_t last) {
      for (int64_t k = first; k < last; ++k) {
        FramePair pair =
            located(s, product + k * products[0].numel(), samples + k * grid.rows * grid.cols, grid, spec.reach);
        pair.first = i, pair.second = i + 1 + k;
        found[static_cast<std::size_t>(k)] = pair;
      }
    });
    pairs.insert(pairs.end(), found.begin(), found.end());
  }
  return pairs;
}

}  // namespace tl::ops
