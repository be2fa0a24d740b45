// Epipolar consistency: what two views of one object have in common, on any orbit, without a reconstruction.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "core/base/geometry.h"

namespace tl::ops {

struct EpipolarParams {
  Beam beam = Beam::cone;
  DetectorShape detector;
  double width = 0.8;                     // of the derivative across lines: a Gaussian's standard deviation [rows]
  int64_t max_values = int64_t{1} << 20;  // differences at most; pairs of views are left out evenly
  int64_t bin = 1;                        // pixels averaged, along rows and columns; planes and width count those
  [[nodiscard]] DetectorShape binned() const {
    const auto b = static_cast<double>(bin);
    return {detector.rows / bin, detector.cols / bin, b * detector.pitch_u, b * detector.pitch_v};
  }
};

// A plane through the sources of two views cuts both detectors in a line. In a cone beam, of absorption over the
// distance to the source the derivative across that line, times a factor of the geometry, is the same in both (P.
// Grangeat, Mathematical framework of cone beam 3D reconstruction via the first derivative of the Radon transform, LNM
// 1497, 1991; A. Aichert et al., Epipolar consistency in transmission imaging, IEEE Trans. Med. Imaging 34, 2015). In a
// parallel beam the plane contains both beams, and the integral along the line is.
struct EpipolarDifferences {
  // [pair, plane] float64: differences of both views, over what equal noise in both would make of them, and over the
  // root mean square of their weights: their mean square does not depend on the geometry but by what is inconsistent.
  at::Tensor residual;
  std::vector<int64_t> first, second;  // views of the pairs
  std::vector<double> apart;           // angle between their beams [rad]
};

// projections [view, row, col], vectors [view, 12] float64 as in ScanGeometry; differentiable with respect to both,
// forwards and backwards. Planes are a pixel apart in the middle of the detector. Lines that leave through top or
// bottom do not count, nor pairs of views whose planes are not determined or meet within a detector: the object may
// leave top and bottom, not the rows. Throws Failure (invalid) if no pair is left.
//
// The mean square is a smooth function of the vectors (its slope is continuous): line integrals are made of these views
// with these weights, at every call, by fixed weighted sums (LineTable) and cubics between them; what begins to count
// begins with a weight of 0.
EpipolarDifferences epipolar_differences(const at::Tensor& projections, const at::Tensor& vectors,
                                         const EpipolarParams& params);

}  // namespace tl::ops
