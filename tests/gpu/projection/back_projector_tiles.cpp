// Back-projection by tiles, as on a GPU: windows too large for shared memory, the source among the voxels, tiles at the
// end of the grid, NaN values, half storage.
#include "core/base/units.h"
#include "gpu/device/launch.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/verify/cases.h"
#include "tests/support/test_case.h"

namespace tl::back_projector_tiles_test {

namespace {

constexpr DetectorShape detector{40, 50, 0.8, 0.7};

ScanGeometry cone(int64_t views = 13) {
  Orbit o;
  o.beam = Beam::cone;
  o.angles = equidistant_angles(views, 2 * pi, 0.1);
  o.source_to_axis = 70;
  o.axis_to_detector = 30;
  o.axis = 0.7;
  o.tilt = 0.02;
  return ScanGeometry::from_orbit(o, detector).or_throw();
}

OperatorPtr make(const ScanGeometry& g, const VolumeGrid& grid, ViewStorage storage = ViewStorage::full) {
  BackProjectorSpec spec{g, grid, DistanceWeight::fdk};
  spec.storage = storage;
  return make_back_projector(std::move(spec)).or_throw();
}

at::Tensor by_functors(const LinearOperator& op, const at::Tensor& x) {
  const HostFunctors here;
  return op.apply(x);
}

double gap(const at::Tensor& found, const at::Tensor& wanted) {
  // One voxel has no range.
  const at::Tensor range = at::maximum(wanted.max() - wanted.min(), wanted.abs().max());
  return ((found - wanted).abs().max() / range).item<double>();
}

}  // namespace

class BackProjectorTilesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void any_grid() {
    const ScanGeometry g = cone();
    const at::Tensor x = verify::gaussian({13, 40, 50}, 1, 1).to(at::kFloat);
    const VolumeGrid grids[] = {VolumeGrid::cubic(9, 33, 17, 0.6),              // tiles end with the grid
                                VolumeGrid::cubic(24, 32, 32, 0.9),             // and fill it
                                VolumeGrid::cubic(3, 40, 40, 4),                // windows too large: direct
                                VolumeGrid::cubic(2, 20, 90, 2.1, {40, 0, 0}),  // the source is among the voxels
                                VolumeGrid::cubic(1, 1, 1, 1, {300, 0, 0})};    // outside of every view
    for (const VolumeGrid& grid : grids) {
      const OperatorPtr op = make(g, grid);
      BackProjectorSpec reference{g, grid, DistanceWeight::fdk};
      reference.kernel = KernelChoice::generic;
      const at::Tensor wanted = make_back_projector(std::move(reference)).or_throw()->apply(x);
      const at::Tensor found = by_functors(*op, x);
      if (wanted.abs().max().item<double>() == 0)
        QVERIFY(found.abs().max().item<double>() == 0);
      else
        QVERIFY2(gap(found, wanted) <= 1e-5, std::to_string(grid.nx).c_str());
    }
  }

  void a_larger_scan() {
    const ScanGeometry g = cone(45);
    const OperatorPtr op = make(g, VolumeGrid::cubic(40, 48, 48, 0.5));
    const at::Tensor x = verify::gaussian(op->domain(), 2, 1).to(at::kFloat);
    QVERIFY(gap(by_functors(*op, x), op->apply(x)) <= 1e-5);
  }

  // A bad pixel spoils the voxels that see it and no others.
  void nan_pixels_do_not_spread() {
    for (const ViewStorage storage : {ViewStorage::full, ViewStorage::half}) {
      const OperatorPtr op = make(cone(3), VolumeGrid::cubic(9, 20, 20, 0.61), storage);
      at::Tensor x = verify::gaussian(op->domain(), 3, 1).to(at::kFloat);
      x[1][20][25] = NAN;
      const at::Tensor found = by_functors(*op, x).isnan(), wanted = op->apply(x).isnan();
      QVERIFY(wanted.sum().item<int64_t>() > 0 && wanted.sum().item<int64_t>() < wanted.numel() / 4);
      QVERIFY(at::equal(found, wanted));
    }
  }

  // Relative to each view's largest value: the scale of the data does not matter.
  void half_storage_scales_each_view() {
    const OperatorPtr full = make(cone(4), VolumeGrid::cubic(8, 16, 16, 0.8)),
                      half = make(cone(4), VolumeGrid::cubic(8, 16, 16, 0.8), ViewStorage::half);
    const at::Tensor x = verify::gaussian(full->domain(), 4, 1).to(at::kFloat);
    const at::Tensor wanted = full->apply(x);
    for (const double scale : {1.0, 1e-12, 1e20}) {
      const double found = gap(by_functors(*half, x * scale) / scale, wanted);
      QVERIFY(found > 1e-6 && found < 4.9e-4);
    }
    // Views of very different size, each kept as well as the others.
    const at::Tensor sizes = at::tensor({1e-6, 1.0, 1e3, 1e6}, at::kFloat).view({4, 1, 1});
    for (int64_t view = 0; view < 4; ++view) {
      const at::Tensor only = at::zeros_like(x);
      only[view].copy_(x[view]);
      QVERIFY(gap(by_functors(*half, only * sizes), full->apply(only * sizes)) < 4.9e-4);
    }
    QVERIFY(by_functors(*half, at::zeros_like(x)).abs().max().item<double>() == 0);
    QVERIFY(gap(half->apply(x), wanted) == 0);  // the processor keeps what it is given
  }

  void cancels() {
    BackProjectorSpec spec{cone(2), VolumeGrid::cubic(2, 2, 2, 1)};
    spec.cancel.cancel();
    const OperatorPtr op = make_back_projector(spec).or_throw();
    QVERIFY_THROWS_EXCEPTION(Failure, (void)by_functors(*op, at::zeros(op->domain(), at::kFloat)));
  }
};

TL_TEST_CASE(BackProjectorTilesTest)

}  // namespace tl::back_projector_tiles_test

#include "back_projector_tiles.moc"
