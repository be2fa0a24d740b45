// Distances and morphology against all pairs of voxels; idempotence, duality, one slice.
#include "gpu/segmentation/morphology.h"

#include <ATen/Parallel.h>

#include <array>
#include <cmath>

#include "gpu/segmentation/distance.h"
#include "tests/support/blobs.h"
#include "tests/support/test_case.h"

namespace tl::morphology_test {

using namespace tl::ops;

namespace {

constexpr double float32_rounding = 2e-7;  // relative, of a root in float32
constexpr double radius_rounding = 1e-9;   // relative: a distance of just the radius is within it
constexpr VoxelSize flat_voxels{0.5, 0.25, 0.2};

at::Tensor distances_by_pairs(const at::Tensor& mask, const VoxelSize& voxel) {
  const at::Tensor scale = at::tensor({voxel.z, voxel.y, voxel.x}, at::kDouble);
  const at::Tensor all = at::ones_like(mask).nonzero().to(at::kDouble) * scale;
  const at::Tensor background = mask.logical_not().nonzero().to(at::kDouble) * scale;
  return std::get<0>(at::cdist(all, background, 2, /*compute_mode=*/2).min(1)).view(mask.sizes());
}

MorphologySpec morphology_spec(StructuringElement element, double radius, VoxelSize voxel = {}) {
  return {element, radius, voxel, {}};
}

at::Tensor dilated_by_pairs(const at::Tensor& mask, const MorphologySpec& spec) {
  const auto in = mask.accessor<bool, 3>();
  at::Tensor out = at::zeros_like(mask);
  auto to = out.accessor<bool, 3>();
  const int64_t nz = mask.size(0), ny = mask.size(1), nx = mask.size(2);
  const auto reaches = [&](int64_t k, int64_t j, int64_t i) {
    const double dz = std::abs(static_cast<double>(k)) * spec.voxel.z,
                 dy = std::abs(static_cast<double>(j)) * spec.voxel.y;
    const double dx = std::abs(static_cast<double>(i)) * spec.voxel.x, radius = spec.radius * (1 + radius_rounding);
    return spec.element == StructuringElement::ball ? dz * dz + dy * dy + dx * dx <= radius * radius
                                                    : dz <= radius && dy <= radius && dx <= radius;
  };
  for (int64_t z = 0; z < nz; ++z)
    for (int64_t y = 0; y < ny; ++y)
      for (int64_t x = 0; x < nx; ++x)
        for (int64_t k = 0; k < nz && !to[z][y][x]; ++k)
          for (int64_t j = 0; j < ny; ++j)
            for (int64_t i = 0; i < nx; ++i) to[z][y][x] = to[z][y][x] || (in[k][j][i] && reaches(k - z, j - y, i - x));
  return out;
}

std::vector<MorphologySpec> specs() {
  std::vector<MorphologySpec> all;
  for (const StructuringElement e : {StructuringElement::ball, StructuringElement::box}) {
    for (const double radius : {0.0, 1.0, 1.5, 2.0, 3.0, 40.0}) all.push_back(morphology_spec(e, radius));
    all.push_back(morphology_spec(e, 0.6, flat_voxels));
    all.push_back(morphology_spec(e, 0.3, {0.1, 0.1, 0.1}));
  }
  return all;
}

bool contains(const at::Tensor& larger, const at::Tensor& smaller) {
  return larger.logical_or(smaller.logical_not()).all().item<bool>();
}

}  // namespace

class MorphologyTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void distances_are_those_of_all_pairs() {
    for (int i = 0; i < 6; ++i)
      for (const VoxelSize& voxel : {VoxelSize{}, VoxelSize{0.65, 0.65, 0.65}, flat_voxels}) {
        const at::Tensor mask = test::blobs(test::small_shape(i), 10 + i).gt(i % 2 == 0 ? -1.3 : 0.3);
        const at::Tensor found = distance_to_background(mask, {voxel, {}}).or_throw().to(at::kDouble);
        const at::Tensor expected = distances_by_pairs(mask, voxel);
        QVERIFY(test::max_difference(found, expected) <= float32_rounding * expected.max().item<double>());
      }
  }
  void whole_squares_are_exact() {
    const at::Tensor mask = test::blobs({15, 33, 28}, 4).gt(-1.5);
    const SquaredDistances s = squared_distances(mask, DistanceTo::background, {}, "test").or_throw();
    QVERIFY(s.values.scalar_type() == at::kFloat && at::equal(s.values, s.values.round()));
    QVERIFY(at::equal(s.values.to(at::kDouble), distances_by_pairs(mask, {}).square().round()));
  }
  void without_background_distances_are_infinite() {
    const at::Tensor d = distance_to_background(at::ones({3, 4, 5}, at::kBool), {}).or_throw();
    QVERIFY(d.isinf().all().item<bool>());
    QVERIFY(distance_to_background(at::zeros({3, 4}, at::kBool), {}).or_throw().eq(0).all().item<bool>());
  }
  void dilation_and_erosion_are_those_of_all_pairs() {
    for (const MorphologySpec& spec : specs()) {
      const at::Tensor mask = test::blobs({8, 13, 11}, 30).gt(0.9);
      QVERIFY(at::equal(dilation(mask, spec).or_throw(), dilated_by_pairs(mask, spec)));
      const at::Tensor thick = mask.logical_not();
      QVERIFY(at::equal(erosion(thick, spec).or_throw(), dilated_by_pairs(mask, spec).logical_not()));
    }
  }
  void laws() {
    for (const MorphologySpec& spec : specs())
      for (int i = 0; i < 3; ++i) {
        const at::Tensor mask = test::blobs(test::small_shape(i), 50 + i).gt(0);
        const at::Tensor opened = opening(mask, spec).or_throw(), closed = closing(mask, spec).or_throw();
        QVERIFY(at::equal(opening(opened, spec).or_throw(), opened));
        QVERIFY(at::equal(closing(closed, spec).or_throw(), closed));
        QVERIFY(contains(mask, opened) && contains(closed, mask));
        QVERIFY(contains(mask, erosion(mask, spec).or_throw()) && contains(dilation(mask, spec).or_throw(), mask));
        QVERIFY(at::equal(opening(mask.logical_not(), spec).or_throw(), closed.logical_not()));
        QVERIFY(at::equal(dilation(mask.flip({0, 2}), spec).or_throw(), dilation(mask, spec).or_throw().flip({0, 2})));
      }
  }
  // A part in the middle, from that part and what the element reaches around it.
  void parts_with_their_reach_give_what_the_whole_gives() {
    const at::Tensor mask = test::blobs({26, 24, 28}, 31).gt(0.3);
    for (const MorphologySpec& spec : specs()) {
      const Reach reach = morphology_reach(spec);
      for (const auto& [f, times] : {std::pair{&erosion, 1}, {&dilation, 1}, {&opening, 2}, {&closing, 2}}) {
        at::Tensor part = mask, expected = f(mask, spec).or_throw();
        std::array<int64_t, 3> first{10, 11, 12};
        const std::array<int64_t, 3> count{4, 3, 5}, around{times * reach.z, times * reach.y, times * reach.x};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const auto along = static_cast<int64_t>(axis);
          const int64_t begin = std::max<int64_t>(first[axis] - around[axis], 0),
                        end = std::min(first[axis] + count[axis] + around[axis], mask.size(along));
          part = part.slice(along, begin, end);
          expected = expected.narrow(along, first[axis], count[axis]);
          first[axis] -= begin;
        }
        at::Tensor found = f(part.contiguous(), spec).or_throw();
        for (std::size_t axis = 0; axis < 3; ++axis)
          found = found.narrow(static_cast<int64_t>(axis), first[axis], count[axis]);
        QVERIFY(at::equal(found, expected));
      }
    }
    QCOMPARE(morphology_reach(morphology_spec(StructuringElement::ball, 0.3, {0.1, 0.1, 0.1})), (Reach{3, 3, 3}));
    QCOMPARE(morphology_reach(morphology_spec(StructuringElement::box, 0.6, flat_voxels)), (Reach{1, 2, 3}));
  }
  void a_slice_is_a_volume_of_one() {
    const at::Tensor mask = test::blobs({1, 30, 25}, 8).gt(0.3);
    for (const MorphologySpec& spec : specs())
      QVERIFY(at::equal(opening(mask, spec).or_throw()[0], opening(mask[0], spec).or_throw()));
    QVERIFY(at::equal(distance_to_background(mask, {}).or_throw()[0], distance_to_background(mask[0], {}).or_throw()));
  }
  void threads_change_nothing() {
    const at::Tensor mask = test::blobs({30, 40, 50}, 9).gt(-0.5);
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const at::Tensor one = distance_to_background(mask, {flat_voxels, {}}).or_throw();
    at::set_num_threads(3);
    QVERIFY(at::equal(distance_to_background(mask, {flat_voxels, {}}).or_throw(), one));
    at::set_num_threads(before);
  }
  void refusals() {
    const at::Tensor mask = at::ones({3, 4, 5}, at::kBool);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(!dilation(mask, morphology_spec(StructuringElement::ball, -1)).ok());
    QVERIFY(!dilation(mask, morphology_spec(StructuringElement::box, nan)).ok());
    QVERIFY(!erosion(mask, morphology_spec(StructuringElement::ball, 1, {1, 0, 1})).ok());
    QVERIFY(!opening(at::ones({3, 4, 5}), {}).ok());
    QVERIFY(!distance_to_background(mask.to(at::kInt), {}).ok());
    QVERIFY(!distance_to_background(mask, {{1, nan, 1}, {}}).ok());
  }
};

TL_TEST_CASE(MorphologyTest)

}  // namespace tl::morphology_test

#include "morphology.moc"
