// Daubechies wavelets: filters of even length up to 20, and one step of the periodic transform along rows or columns.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace tl::ops {

constexpr int64_t max_moments = 10;

// Low-pass filter of the orthogonal wavelet with `moments` vanishing moments (db1 = Haar, ... db10), 2 * moments
// coefficients of sum sqrt(2): I. Daubechies, Commun. Pure Appl. Math. 41, 909 (1988), by spectral factorisation with
// the roots inside the unit circle. moments: 1 ... max_moments.
std::vector<double> daubechies(int64_t moments);

// The high-pass filter for a low-pass filter: (-1)^n h[length - 1 - n].
std::vector<double> quadrature_mirror(const std::vector<double>& low);

enum class WaveletAxis { views, cols };

// out[k] = sum over n of filter[n] x[(2k + n) mod N] along one axis of [view, col], N even; the result has half the
// length. With both filters of a wavelet the transform is orthogonal: wavelet_join() is its transpose and, summed over
// the two filters, its inverse. float32 or float64, contiguous.
at::Tensor wavelet_split(const at::Tensor& x, const std::vector<double>& filter, WaveletAxis axis);
at::Tensor wavelet_join(const at::Tensor& half, const std::vector<double>& filter, WaveletAxis axis);

}  // namespace tl::ops
