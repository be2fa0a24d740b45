// Chained operators: filtered back-projection and FDK of analytic phantoms in absolute values (1/mm).
#include <cmath>

#include "core/base/units.h"
#include "gpu/filtering/fdk_weights.h"
#include "gpu/filtering/ramp_filter.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/view_weights.h"
#include "gpu/simulate/phantom_library.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::filtered_back_projection_test {

using namespace tl::ops;

namespace {
at::Tensor reconstruct(const at::Tensor& projections, const ScanGeometry& geometry, const VolumeGrid& grid) {
  const auto weights = make_fdk_weights(geometry, view_weights(geometry).or_throw().weights).or_throw();
  RampFilterSpec filter;
  filter.views = geometry.views();
  filter.rows = geometry.detector().rows;
  filter.cols = geometry.detector().cols;
  filter.pitch = geometry.detector().pitch_u / geometry.magnification();
  BackProjectorSpec back{geometry, grid, DistanceWeight::fdk};
  const at::Tensor filtered = make_ramp_filter(filter).or_throw()->apply(weights->apply(projections));
  return make_back_projector(back).or_throw()->apply(filtered);
}
}  // namespace

class FilteredBackProjectionTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // A far source is a parallel beam, and its slice is the same.
  void a_far_source_is_parallel() {
    const auto parallel = ScanGeometry::parallel(equidistant_angles(90, 2 * pi), {1, 64, 1, 1}).or_throw();
    const auto cone = ScanGeometry::cone(equidistant_angles(90, 2 * pi), {1, 64, 1, 1}, 1e7, 10).or_throw();
    const VolumeGrid grid = VolumeGrid::cubic(1, 64, 64, 1);
    const Phantom phantom = shepp_logan_2d(28);
    const at::Tensor a = reconstruct(phantom_projections(phantom, parallel), parallel, grid);
    const at::Tensor b = reconstruct(phantom_projections(phantom, cone), cone, grid);
    // rays meet the detector 1e-6 of its width further out, where float32 edges of bodies may fall on either side
    QVERIFY(test::max_difference(a, b) < 1e-3);
  }
};

TL_TEST_CASE(FilteredBackProjectionTest)

}  // namespace tl::filtered_back_projection_test

#include "filtered_back_projection.moc"
