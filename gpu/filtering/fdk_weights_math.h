// Arithmetic of the FDK weights per pixel, shared by CPU and CUDA.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/base/macros.h"

namespace tl::ops {

// Data of one cone-beam view, with a the horizontal direction of the detector and h its normal without pitch: the
// vector from the source to a pixel is r = r0 + col * step_col + row * step_row (in lengths; only |r|^2, r.a and r.h
// are needed).
struct FdkView {
  double depth;      // source to detector along its normal [mm]; with a pitch D depth_n / D_n (fdk_weights.h)
  double square[6];  // |r|^2 = s0 + s1 c + s2 r + s3 c c + s4 c r + s5 r r
  double across[3];  // r.a   = a0 + a1 c + a2 r
  double ahead[3];   // r.h / depth_n = h0 + h1 c + h2 r; 1 without pitch
  double slope;      // tau / (D depth_n) [1/mm]
  double weight;     // view weight, over |u| / detector().pitch_u
};

// depth / |r| equals D / sqrt(D^2 + ...), by similar triangles.
TL_HD inline double fdk_weight(const FdkView& v, double row, double col) {
  const double square = v.square[0] + col * (v.square[1] + col * v.square[3]) +
                        row * (v.square[2] + col * v.square[4] + row * v.square[5]);
  const double across = v.across[0] + v.across[1] * col + v.across[2] * row;
  const double ahead = v.ahead[0] + v.ahead[1] * col + v.ahead[2] * row;
  return v.weight * (v.depth / std::sqrt(square)) * (1 - v.slope * across / ahead);
}

// Applies the weights, one call per index of [view, row, col].
template <class T>
struct FdkPixel {
  const FdkView* views;
  int64_t rows, cols;
  int32_t cone;  // 0: parallel beam, view weights only
  const T* in;
  T* out;

  TL_HD void operator()(int64_t index) const {
    const int64_t col = index % cols, row = index / cols % rows;
    const FdkView& v = views[index / cols / rows];
    const double w = cone != 0 ? fdk_weight(v, static_cast<double>(row), static_cast<double>(col)) : v.weight;
    out[index] = static_cast<T>(w * static_cast<double>(in[index]));
  }
};

}  // namespace tl::ops
