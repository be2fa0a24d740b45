// Projector: closed-form lines, a plain sum along rays, number of threads, and the CUDA functor on the host.
#include "gpu/projection/projector/projector.h"

#include <ATen/Parallel.h>

#include "core/base/units.h"
#include "gpu/projection/projector/shared/kernels.h"
#include "gpu/verify/cases.h"
#include "tests/support/test_case.h"

namespace tl::projector_test {

namespace {

double worst(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().max().item<double>(); }

// A smooth object, exactly linear between voxel centres: linear interpolation of it is exact.
at::Tensor ramp_volume(const VolumeGrid& g) {
  at::Tensor v = at::empty({g.nz, g.ny, g.nx}, at::kDouble);
  auto a = v.accessor<double, 3>();
  for (int64_t k = 0; k < g.nz; ++k)
    for (int64_t j = 0; j < g.ny; ++j)
      for (int64_t i = 0; i < g.nx; ++i) {
        const Vec3 p = g.position(double(k), double(j), double(i));
        a[k][j][i] = 2 + 0.3 * p.x - 0.2 * p.y + 0.5 * p.z;
      }
  return v;
}

ScanGeometry cone() {
  Orbit o;
  o.beam = Beam::cone;
  o.angles = equidistant_angles(20, 2 * pi, 0.1);
  o.source_to_axis = 60;
  o.axis_to_detector = 25;
  o.axis = 0.7;
  o.tilt = 0.03;
  return ScanGeometry::from_orbit(o, {13, 17, 0.5, 0.4}).or_throw();
}

}  // namespace

class ProjectorTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void rays_along_an_axis_count_voxels() {
    const VolumeGrid grid{3, 6, 5, {}, {0.5, 0, 0}, {0, 0.25, 0}, {0, 0, 2}};
    // Gantry angle 0: rays along +y; a quarter turn: along -x. Pixels as large as voxels.
    const at::Tensor x = verify::gaussian({3, 6, 5}, 1, 1);
    const auto along_y = ScanGeometry::parallel({0}, {3, 5, 0.5, 2}).or_throw();
    const at::Tensor p = make_projector({along_y, grid}).or_throw()->apply(x);
    QVERIFY(worst(p[0], x.sum(1).flip(0) * 0.25) < 1e-13);  // row 0 is the top
    const auto along_x = ScanGeometry::parallel({pi / 2}, {3, 6, 0.25, 2}).or_throw();
    const at::Tensor q = make_projector({along_x, grid}).or_throw()->apply(x);
    QVERIFY(worst(q[0], x.sum(2).flip(0) * 0.5) < 1e-13);  // u = +y
  }
  void linear_object_gives_the_integral() {
    // A cube that the rays cross from face to face: the integral of a linear function is length times middle value.
    const VolumeGrid grid{40, 20, 40, {}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}};
    const auto g = ScanGeometry::cone({0.1, -0.2}, {5, 5, 0.4, 0.4}, 50, 30).or_throw();
    const at::Tensor found = make_projector({g, grid}).or_throw()->apply(ramp_volume(grid));
    for (int64_t view = 0; view < 2; ++view)
      for (int64_t row = 0; row < 5; ++row)
        for (int64_t col = 0; col < 5; ++col) {
          const View& w = g.view(view);
          const Vec3 d = w.detector + double(col - 2) * w.u - double(row - 2) * w.v - w.beam;
          const Vec3 middle = w.beam + (-w.beam.y / d.y) * d;  // on y = 0, half way through
          const double wanted = (2 + 0.3 * middle.x + 0.5 * middle.z) * norm(d) / std::abs(d.y) * 10;
          QVERIFY(std::abs(found[view][row][col].item<double>() - wanted) < 1e-11);
        }
  }
  void scaling_everything_scales_the_integrals() {
    const VolumeGrid grid = VolumeGrid::cubic(7, 9, 8, 0.6, {0.1, 0.2, 0.3});
    const at::Tensor x = verify::gaussian({7, 9, 8}, 2, 1);
    std::vector<double> vectors = cone().vectors();
    for (double& v : vectors) v *= 3;
    const auto large = ScanGeometry::from_vectors(Beam::cone, {13, 17, 1.5, 1.2}, vectors).or_throw();
    const VolumeGrid wide = VolumeGrid::cubic(7, 9, 8, 1.8, {0.3, 0.6, 0.9});
    const at::Tensor p = make_projector({cone(), grid}).or_throw()->apply(x);
    QVERIFY(worst(make_projector({large, wide}).or_throw()->apply(x), 3 * p) < 1e-11);
  }
  void far_source_is_a_parallel_beam() {
    const VolumeGrid grid = VolumeGrid::cubic(5, 11, 11, 0.5);
    const at::Tensor x = verify::gaussian({5, 11, 11}, 3, 1);
    const std::vector<double> angles = {0.2, 1.1, 2.9};
    const auto parallel = ScanGeometry::parallel(angles, {7, 13, 0.5, 0.5}, 0.3).or_throw();
    const auto far = ScanGeometry::cone(angles, {7, 13, 0.5, 0.5}, 1e9, 1, 0.3).or_throw();
    const at::Tensor p = make_projector({parallel, grid}).or_throw()->apply(x);
    QVERIFY(worst(make_projector({far, grid}).or_throw()->apply(x), p) < 1e-5);
  }
  void thread_count_changes_no_bit() {
    const OperatorPtr op = make_projector({cone(), VolumeGrid::cubic(9, 15, 14, 0.5)}).or_throw();
    const at::Tensor x = verify::gaussian(op->domain(), 4, 1).to(at::kFloat);
    const at::Tensor y = verify::gaussian(op->range(), 4, 2).to(at::kFloat);
    const int threads = at::get_num_threads();
    at::set_num_threads(1);
    const at::Tensor ax = op->apply(x), aty = op->adjoint(y), slope = op->vectors_gradient(x, y);
    at::set_num_threads(3);
    QVERIFY(at::equal(op->apply(x), ax));
    QVERIFY(at::equal(op->adjoint(y), aty));
    QVERIFY(at::equal(op->vectors_gradient(x, y), slope));
    at::set_num_threads(threads);
  }
  void cuda_functor_on_a_part_of_the_volume() {
    // Two boxes that share no voxel add up to the whole: the same functor serves slabs.
    const VolumeGrid grid = VolumeGrid::cubic(6, 9, 8, 0.6);
    const ScanGeometry g = cone();
    const auto fans = ops::ray_fans(g, grid);
    const ProjectTask task{fans.data(), g.views(), 13, 17, {8, 9, 6}, {1, 8, 72}, {0.6, 0.6, 0.6}, 1};
    const at::Tensor x = verify::gaussian({6, 9, 8}, 5, 1);
    at::Tensor sum = at::zeros({g.views(), 13, 17}, at::kDouble);
    for (const VoxelBox& box : {VoxelBox{{0, 0, 0}, {8, 9, 2}}, VoxelBox{{0, 0, 2}, {8, 9, 6}}}) {
      at::Tensor part = at::empty_like(sum);
      const ProjectRay<double> ray{task, box, x.const_data_ptr<double>(), part.mutable_data_ptr<double>()};
      for (int64_t i = 0; i < part.numel(); ++i) ray(i);
      sum += part;
    }
    QVERIFY(worst(sum, make_projector({g, grid}).or_throw()->apply(x)) < 1e-12);
  }
  void behaves_on_a_plane_and_off_the_volume() {
    const VolumeGrid plane = VolumeGrid::plane(9, 9, 0.5, {}, {1, 0.3, 0}, {-0.06, 0.2, 1});
    const OperatorPtr op = make_projector({cone(), plane}).or_throw();
    QVERIFY(op->apply(at::ones(op->domain())).isfinite().all().item<bool>());
    const OperatorPtr off = make_projector({cone(), VolumeGrid::cubic(2, 2, 2, 0.5, {0, 0, 500})}).or_throw();
    QCOMPARE(off->apply(at::ones(off->domain())).abs().max().item<double>(), 0.0);
  }
  void refuses_wrong_input() {
    QVERIFY(!make_projector({cone(), VolumeGrid::cubic(1, 0, 2, 1)}).ok());
    const OperatorPtr op = make_projector({cone(), VolumeGrid::cubic(1, 2, 2, 1)}).or_throw();
    QVERIFY_THROWS_EXCEPTION(Failure, (void)op->apply(at::zeros({2, 2, 2})));
    ProjectorSpec spec{cone(), VolumeGrid::cubic(1, 2, 2, 1)};
    spec.cancel.cancel();
    QVERIFY_THROWS_EXCEPTION(Failure, (void)make_projector(spec).or_throw()->apply(at::zeros({1, 2, 2})));
  }
};

TL_TEST_CASE(ProjectorTest)

}  // namespace tl::projector_test

#include "projector.moc"
