// Makes Daubechies wavelet filters from polynomial roots, and computes periodic filter steps.
#include "gpu/image/wavelet.h"

#include <ATen/ATen.h>

#include <cmath>
#include <complex>

#include "core/base/error.h"
#include "gpu/device/launch.h"
#include "gpu/device/parallel_for.h"
#include "gpu/image/wavelet_math.h"

namespace tl::ops {
namespace {

using Complex = std::complex<double>;

// All roots of a polynomial (coefficients from the constant upwards), by the Durand-Kerner iteration.
std::vector<Complex> roots_of(const std::vector<double>& polynomial) {
  const std::size_t n = polynomial.size() - 1;
  const auto value = [&](Complex z) {
    Complex sum = 0;
    for (std::size_t i = polynomial.size(); i-- > 0;) sum = sum * z + polynomial[i];
    return sum / polynomial.back();
  };
  std::vector<Complex> roots;
  roots.reserve(n);
  for (std::size_t i = 0; i < n; ++i) roots.push_back(std::pow(Complex(0.4, 0.9), static_cast<double>(i)));
  constexpr int iterations = 500;  // far more than needed, since convergence is quadratic
  for (int it = 0; it < iterations; ++it)
    for (std::size_t i = 0; i < n; ++i) {
      Complex others = 1;
      for (std::size_t j = 0; j < n; ++j)
        if (j != i) others *= roots[i] - roots[j];
      roots[i] -= value(roots[i]) / others;
    }
  return roots;
}

int64_t length_along(const at::Tensor& x, WaveletAxis axis) { return x.size(axis == WaveletAxis::views ? 0 : 1); }

template <class T>
void split_cols(const T* x, T* out, int64_t n, const std::vector<T>& filter) {
  const auto taps = static_cast<int64_t>(filter.size());
  for (int64_t k = 0; k < n / 2; ++k) {
    T sum = 0;
    for (int64_t i = 0; i < taps; ++i) sum += filter[static_cast<std::size_t>(i)] * x[(2 * k + i) % n];
    out[k] = sum;
  }
}
template <class T>
void join_cols(const T* half, T* out, int64_t n, const std::vector<T>& filter) {
  const auto taps = static_cast<int64_t>(filter.size());
  for (int64_t k = 0; k < n / 2; ++k)
    for (int64_t i = 0; i < taps; ++i) out[(2 * k + i) % n] += filter[static_cast<std::size_t>(i)] * half[k];
}

template <class T>
at::Tensor split(const at::Tensor& x, const std::vector<double>& filter, WaveletAxis axis) {
  const int64_t rows = x.size(0), cols = x.size(1), taps = static_cast<int64_t>(filter.size());
  const std::vector<T> h(filter.begin(), filter.end());
  const bool along_cols = axis == WaveletAxis::cols;
  at::Tensor out = at::zeros({along_cols ? rows : rows / 2, along_cols ? cols / 2 : cols}, x.options());
  const T* source = x.const_data_ptr<T>();
  T* target = out.mutable_data_ptr<T>();
  ops::parallel_for(0, out.size(0), 8, [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r) {
      if (along_cols) {
        split_cols(source + r * cols, target + r * (cols / 2), cols, h);
        continue;
      }
      for (int64_t i = 0; i < taps; ++i) {
        const T* line = source + (2 * r + i) % rows * cols;
        const T weight = h[static_cast<std::size_t>(i)];
        for (int64_t c = 0; c < cols; ++c) target[r * cols + c] += weight * line[c];
      }
    }
  });
  return out;
}

template <class T>
at::Tensor join(const at::Tensor& half, const std::vector<double>& filter, WaveletAxis axis) {
  const bool along_cols = axis == WaveletAxis::cols;
  const int64_t rows = half.size(0) * (along_cols ? 1 : 2), cols = half.size(1) * (along_cols ? 2 : 1);
  const int64_t taps = static_cast<int64_t>(filter.size());
  const std::vector<T> h(filter.begin(), filter.end());
  at::Tensor out = at::zeros({rows, cols}, half.options());
  const T* source = half.const_data_ptr<T>();
  T* target = out.mutable_data_ptr<T>();
  ops::parallel_for(0, rows, 8, [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r) {
      if (along_cols) {
        join_cols(source + r * (cols / 2), target + r * cols, cols, h);
        continue;
      }
      // Line r is read by the outputs k with 2k + i = r (mod rows).
      for (int64_t i = r % 2; i < taps; i += 2) {
        const int64_t k = ((r - i) % rows + rows) % rows / 2;
        const T weight = h[static_cast<std::size_t>(i)];
        for (int64_t c = 0; c < cols; ++c) target[r * cols + c] += weight * source[k * cols + c];
      }
    }
  });
  return out;
}

template <class T, template <class> class Step>
at::Tensor on_device(const at::Tensor& x, const std::vector<double>& filter, WaveletAxis axis, int64_t rows,
                     int64_t cols, int64_t n) {
  const at::Tensor h = at::tensor(at::ArrayRef<double>(filter), at::kDouble).to(x.options());
  at::Tensor out = at::empty({rows, cols}, x.options());
  const int64_t stride = axis == WaveletAxis::cols ? 1 : cols;
  launch(x.device(),
         Step<T>{{x.const_data_ptr<T>(), h.const_data_ptr<T>(), h.numel(), n, stride, out.mutable_data_ptr<T>()}},
         out.numel());
  return out;
}

}  // namespace

std::vector<double> daubechies(int64_t moments) {
  TL_CHECK(moments >= 1 && moments <= max_moments, "no such Daubechies wavelet");
  // |H|^2 = cos^2N(w/2) P(sin^2(w/2)), P(y) = sum over k < N of binomial(N - 1 + k, k) y^k.
  std::vector<double> p = {1};
  for (int64_t k = 1; k < moments; ++k)
    p.push_back(p.back() * static_cast<double>(moments - 1 + k) / static_cast<double>(k));
  std::vector<Complex> h = {1};
  const auto times = [&h](Complex constant) {  // multiplies the polynomial by (z + constant)
    h.push_back(0);
    for (std::size_t i = h.size() - 1; i > 0; --i) h[i] = h[i - 1] + constant * h[i];
    h[0] *= constant;
  };
  for (int64_t k = 0; k < moments; ++k) times(1);
  if (moments > 1)
    for (const Complex y : roots_of(p)) {
      // y = (2 - z - 1/z) / 4: of the two solutions z, take the one inside the unit circle.
      const Complex half = 1.0 - 2.0 * y, root = std::sqrt(half * half - 1.0);
      const Complex z = std::abs(half + root) < 1 ? half + root : half - root;
      times(-z);
    }
  std::vector<double> out;
  double sum = 0;
  for (const Complex& c : h) sum += c.real();
  // Highest power first: the usual order, with large coefficients at the start.
  for (std::size_t i = h.size(); i-- > 0;) out.push_back(h[i].real() * std::sqrt(2.0) / sum);
  return out;
}

std::vector<double> quadrature_mirror(const std::vector<double>& low) {
  std::vector<double> high;
  high.reserve(low.size());
  for (std::size_t i = 0; i < low.size(); ++i) high.push_back((i % 2 == 0 ? 1 : -1) * low[low.size() - 1 - i]);
  return high;
}

at::Tensor wavelet_split(const at::Tensor& x, const std::vector<double>& filter, WaveletAxis axis) {
  TL_CHECK(x.dim() == 2 && x.is_contiguous() && length_along(x, axis) % 2 == 0, "a wavelet step takes an even length");
  if (runs_functors(x, "wavelet")) {
    const bool along_cols = axis == WaveletAxis::cols;
    const int64_t rows = along_cols ? x.size(0) : x.size(0) / 2, cols = along_cols ? x.size(1) / 2 : x.size(1);
    const int64_t n = length_along(x, axis);
    return x.scalar_type() == at::kFloat ? on_device<float, WaveletSplit>(x, filter, axis, rows, cols, n)
                                         : on_device<double, WaveletSplit>(x, filter, axis, rows, cols, n);
  }
  return x.scalar_type() == at::kFloat ? split<float>(x, filter, axis) : split<double>(x, filter, axis);
}

at::Tensor wavelet_join(const at::Tensor& half, const std::vector<double>& filter, WaveletAxis axis) {
  TL_CHECK(half.dim() == 2 && half.is_contiguous(), "a wavelet step takes [view, col]");
  if (runs_functors(half, "wavelet")) {
    const bool along_cols = axis == WaveletAxis::cols;
    const int64_t rows = along_cols ? half.size(0) : 2 * half.size(0),
                  cols = along_cols ? 2 * half.size(1) : half.size(1);
    const int64_t n = 2 * length_along(half, axis);
    return half.scalar_type() == at::kFloat ? on_device<float, WaveletJoin>(half, filter, axis, rows, cols, n)
                                            : on_device<double, WaveletJoin>(half, filter, axis, rows, cols, n);
  }
  return half.scalar_type() == at::kFloat ? join<float>(half, filter, axis) : join<double>(half, filter, axis);
}

}  // namespace tl::ops
