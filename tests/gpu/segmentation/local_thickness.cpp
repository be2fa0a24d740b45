// Local thickness: known bodies, every ball on small masks, axes in any order, moved masks.
#include "gpu/segmentation/local_thickness.h"

#include <ATen/Parallel.h>

#include <cmath>

#include "tests/support/blobs.h"
#include "tests/support/test_case.h"

namespace tl::local_thickness_test {

using namespace tl::ops;

namespace {

constexpr VoxelSize flat_voxels{0.5, 0.25, 0.2};
constexpr double float32_rounding = 2e-7;  // relative, of a root in float32

at::Tensor thickness(const at::Tensor& mask, const VoxelSize& voxel = {}) {
  return local_thickness(mask, {voxel, {}}).or_throw();
}

// All balls about all cells, by the definition: [cell, cell] distances, then the largest ball that holds a cell.
at::Tensor by_all_balls(const at::Tensor& mask, const VoxelSize& voxel) {
  const bool slice = mask.size(0) == 1;
  at::Tensor fine = mask.repeat_interleave(2, 1).repeat_interleave(2, 2);
  if (!slice) fine = fine.repeat_interleave(2, 0);
  // In units in which steps are integers, so that equal distances are equal numbers.
  const double unit = voxel == flat_voxels ? 0.025 : voxel.x / 2;
  const at::Tensor step = (at::tensor({slice ? voxel.y : voxel.z, voxel.y, voxel.x}, at::kDouble) / (2 * unit)).round();
  const at::Tensor cells = fine.nonzero().to(at::kDouble), outside = fine.logical_not().nonzero().to(at::kDouble);
  const auto squares = [&](const at::Tensor& a, const at::Tensor& b) {
    at::Tensor all = at::zeros({a.size(0), b.size(0)}, at::kDouble);
    for (const int64_t axis : {2, 1, 0})
      all += (a.select(1, axis).unsqueeze(1) - b.select(1, axis)).mul(step[axis]).square();
    return all;
  };
  const at::Tensor radius2 = std::get<0>(squares(cells, outside).min(1));
  const at::Tensor inside = squares(cells, cells) < radius2;  // [cell, ball]
  const at::Tensor largest = std::get<0>(at::where(inside, radius2, at::zeros({}, at::kDouble)).max(1));
  at::Tensor out = at::zeros(mask.sizes(), at::kDouble);
  auto to = out.accessor<double, 3>();
  const at::Tensor where = fine.nonzero();
  auto at = where.accessor<int64_t, 2>();
  auto value = largest.accessor<double, 1>();
  for (int64_t i = 0; i < where.size(0); ++i) {
    double& voxel_value = to[slice ? at[i][0] : at[i][0] / 2][at[i][1] / 2][at[i][2] / 2];
    voxel_value = std::max(voxel_value, 2 * unit * std::sqrt(value[i]));
  }
  return out;
}

// Voxels of edge 1 nearer than the radius to a point of a cube of n voxels.
at::Tensor ball(int64_t n, double radius, double z, double y, double x) {
  const auto squares = [&](double at) { return (at::arange(n, at::kDouble) - at).square(); };
  return squares(z).view({n, 1, 1}) + squares(y).view({1, n, 1}) + squares(x).view({1, 1, n}) < radius * radius;
}

}  // namespace

class LocalThicknessTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_plate_of_n_voxels_is_n_thick() {
    for (const VoxelSize& voxel : {VoxelSize{}, VoxelSize{0.3, 0.3, 0.3}, flat_voxels})
      for (const int64_t n : {1, 2, 3, 4, 7})
        for (const int64_t axis : {0, 1, 2}) {
          at::Tensor mask = at::zeros({13, 12, 14}, at::kBool);
          mask.narrow(axis, 3, n).fill_(true);
          const double edge = axis == 0 ? voxel.z : axis == 1 ? voxel.y : voxel.x;
          const double wanted = static_cast<double>(n) * edge;
          const at::Tensor got = thickness(mask, voxel).to(at::kDouble);
          QVERIFY((got - mask.to(at::kDouble) * wanted).abs().max().item<double>() <= float32_rounding * wanted);
        }
  }

  // Background's cells are up to 0.43 edges nearer than its voxels, and cells up to 0.43 from the middle: the largest
  // thickness is 2r less 1.73 edges at least; few voxels, all at the surface, are thinner by more than half an edge.
  void a_ball_is_2r_thick() {
    for (const double radius : {3.0, 5.2, 8.0, 11.7, 16.0})
      for (const double shift : {0.0, 0.25, 0.5}) {
        const at::Tensor mask = ball(40, radius, 19 + shift, 19.5, 20);
        const at::Tensor got = thickness(mask).masked_select(mask);
        const double largest = got.max().item<double>(), least = got.min().item<double>(),
                     almost = got.gt(largest - 0.5).to(at::kDouble).mean().item<double>();
        const std::string text = "radius " + std::to_string(radius) + ": " + std::to_string(least) + " to " +
                                 std::to_string(largest) + ", share of the largest " + std::to_string(almost);
        QVERIFY2(largest >= 2 * radius - std::sqrt(3.0) - 1e-6 && largest <= 2 * radius + 1, text.c_str());
        QVERIFY2(least >= radius && almost >= 0.85, text.c_str());
      }
  }
  // A rod of a round cross section, and a ball on it: each has its own thickness.
  void parts_have_their_own_thickness() {
    const auto squares = [&](double at) { return (at::arange(40, at::kDouble) - at).square(); };
    const at::Tensor rod = (squares(19.5).view({1, 40, 1}) + squares(19.5).view({1, 1, 40}) < 16).expand({40, 40, 40});
    const at::Tensor mask = rod.logical_or(ball(40, 10, 19.5, 19.5, 19.5));
    const at::Tensor got = thickness(mask);
    QVERIFY(std::abs(got[1][19][19].item<double>() - 8) <= 2);
    QVERIFY(std::abs(got[19][19][27].item<double>() - 20) <= 2);
    QVERIFY(got.masked_select(mask.logical_not()).eq(0).all().item<bool>());
  }

  void all_balls_have_the_same() {
    for (int i = 0; i < 8; ++i)
      for (const VoxelSize& voxel : {VoxelSize{}, VoxelSize{0.65, 0.65, 0.65}, flat_voxels})
        for (const bool slice : {false, true}) {
          const std::vector<int64_t> shape =
              slice ? std::vector<int64_t>{1, 13 + i, 17} : std::vector<int64_t>{6, 8 + i % 3, 7};
          const at::Tensor mask = test::blobs(shape, 70 + static_cast<uint64_t>(i)).gt(i % 2 == 0 ? -0.6 : 0.2);
          const at::Tensor got = thickness(mask, voxel).to(at::kDouble), wanted = by_all_balls(mask, voxel);
          QVERIFY(got.max().item<double>() > 0);
          QVERIFY2(test::max_difference(got, wanted) <= float32_rounding * wanted.max().item<double>(),
                   (std::to_string(i) + (slice ? " slice of " : " volume of ") + std::to_string(voxel.z) + ": " +
                    std::to_string(test::max_difference(got, wanted)))
                       .c_str());
        }
  }

  void axes_in_any_order() {
    const at::Tensor mask = test::blobs({14, 17, 20}, 5).gt(-0.4), got = thickness(mask);
    for (const std::vector<int64_t>& order : {std::vector<int64_t>{2, 1, 0}, {1, 2, 0}, {0, 2, 1}})
      QVERIFY(thickness(mask.permute(order).contiguous()).equal(got.permute(order)));
    QVERIFY(thickness(mask.flip({0, 2})).equal(got.flip({0, 2})));
  }
  void moved_masks() {
    const at::Tensor body = test::blobs({12, 13, 14}, 6).gt(-0.3);
    const auto moved = [&](int64_t z, int64_t y, int64_t x) {
      at::Tensor mask = at::zeros({22, 23, 24}, at::kBool);
      mask.narrow(0, z, 12).narrow(1, y, 13).narrow(2, x, 14).copy_(body);
      return thickness(mask, flat_voxels).narrow(0, z, 12).narrow(1, y, 13).narrow(2, x, 14).clone();
    };
    QVERIFY(moved(3, 3, 3).equal(moved(6, 4, 7)));
  }
  // A mask that lies in another one is nowhere thicker.
  void more_voxels_are_not_thinner() {
    const at::Tensor values = test::blobs({18, 16, 20}, 7);
    const at::Tensor small = values.gt(0), large = values.gt(-0.5);
    QVERIFY(thickness(large).ge(thickness(small)).all().item<bool>());
    QVERIFY(thickness(small).gt(0).equal(small));
  }
  void threads_change_nothing() {
    const at::Tensor mask = test::blobs({30, 26, 28}, 9).gt(-0.5);
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const at::Tensor one = thickness(mask, flat_voxels);
    at::set_num_threads(3);
    QVERIFY(thickness(mask, flat_voxels).equal(one));
    at::set_num_threads(before);
  }
  void a_slice_is_a_volume_of_one() {
    const at::Tensor mask = test::blobs({1, 30, 25}, 8).gt(0.3);
    for (const VoxelSize& voxel : {VoxelSize{}, VoxelSize{7, 1, 1}, flat_voxels})
      QVERIFY(thickness(mask, voxel)[0].equal(thickness(mask[0], voxel)));
    QVERIFY(thickness(mask, {7, 1, 1}).equal(thickness(mask)));
  }

  void nothing_and_everything() {
    QVERIFY(thickness(at::zeros({3, 4, 5}, at::kBool)).eq(0).all().item<bool>());
    QVERIFY(!local_thickness(at::ones({3, 4, 5}, at::kBool), {}).ok());
    QVERIFY(!local_thickness(at::ones({3, 4, 5}), {}).ok());
    QVERIFY(!local_thickness(at::zeros({3, 4, 5}, at::kBool), {{1, 0, 1}, {}}).ok());
  }
};

TL_TEST_CASE(LocalThicknessTest)

}  // namespace tl::local_thickness_test

#include "local_thickness.moc"
