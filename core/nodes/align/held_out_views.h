// Views predicted from the other views of a scan: reconstructed without them, and projected.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "core/node/node_run.h"
#include "core/nodes/filtered_views.h"
#include "gpu/correction/crop_bin.h"

namespace tl {

// One part of the views with their predictions. Tensors are [view, row, col] of the binned scan.
struct PredictedViews {
  const std::vector<int64_t>& views;  // of the scan
  at::Tensor measured, predicted;
  at::Tensor weights;      // 1 where a pixel is measured and predicted, else 0
  at::Tensor angle_slope;  // [1/rad], if it was asked for
};

enum class AngleSlope { left_out, computed };

// A scan at one size of pixels. Every fourth view by angle forms a part; filtered back-projection (FDK in a cone beam)
// of the others predicts it, so that a view's own noise and error do not speak for it. Since back-projection is a sum
// over views, this costs one reconstruction and one projection. Voxels outside the circle that all views see are 0.
class HeldOutViews {
 public:
  static constexpr int64_t parts = 4;
  // `scan`: finite line integrals of the whole scan; `present`: 1 where they were measured, or undefined; `bins`: rows
  // and columns. A pixel of the binned scan is present if all that it holds are. Errors: those of the filter.
  static Result<HeldOutViews> make(const Projections& scan, const at::Tensor& present, ops::BinFactors bins,
                                   NodeRun& r);
  // With `geometry` (of the whole scan, unbinned) in place of the scan's own. Throws Failure{cancelled}.
  void predict(const ScanGeometry& geometry, AngleSlope slope,
               const std::function<void(const PredictedViews&)>& use) const;
  [[nodiscard]] const ops::BinFactors& bins() const { return bins_; }

 private:
  struct Part {
    std::vector<int64_t> views;
    at::Tensor measured, present, filtered;
  };
  [[nodiscard]] at::Tensor valid_pixels(const ScanGeometry& geometry, const Part& part) const;

  ops::BinFactors bins_;
  VolumeGrid grid_;
  at::Tensor inside_;  // the circle, [z, y, x]
  ops::DetectorMargins margins_;
  int64_t row_margin_ = 0;
  double magnification_ = 1;
  std::vector<Part> parts_;
  CancelToken cancel_;
};

}  // namespace tl
