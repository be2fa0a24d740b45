// VolumeGrid: sub-boxes, planes and bins keep every voxel where it was; what cannot be a grid is refused.
#include "core/base/grid.h"

#include <limits>

#include "tests/support/test_case.h"

namespace tl::grid_test {

namespace {

// Rounding of a few additions of numbers around 10.
bool near(Vec3 a, Vec3 b) { return norm(a - b) < 1e-12; }

// An oblique grid: steps of different lengths, rotated about an odd axis.
VolumeGrid oblique() {
  const Vec3 x{0.6, 0.8, 0}, y{-0.48, 0.36, 0.8};
  return {5, 6, 7, {1, -2, 3}, 0.1 * x, 0.2 * y, 0.3 * cross(x, y)};
}

}  // namespace

class GridTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_cubic_grid_is_centred_and_grows_with_z_y_x() {
    const VolumeGrid g = VolumeGrid::cubic(3, 4, 5, 0.5, {1, 2, 3});
    QCOMPARE(g.count(), int64_t{60});
    QVERIFY(near(g.position(1, 1.5, 2), {1, 2, 3}));
    QVERIFY(near(g.position(2, 1.5, 2), {1, 2, 3.5}));
    QVERIFY(near(g.position(1, 2.5, 2), {1, 2.5, 3}));
    QVERIFY(near(g.position(1, 1.5, 3), {1.5, 2, 3}));
    QVERIFY(g.is_axis_aligned());
    QVERIFY(qFuzzyCompare(g.voxel_volume(), 0.125));
    QVERIFY(g.validate().ok());
  }
  void a_sub_box_keeps_positions() {
    for (const VolumeGrid& g : {VolumeGrid::cubic(5, 6, 7, 0.1), oblique()}) {
      const VolumeGrid s = g.sub({1, 4}, {2, 3}, {0, 7});
      QCOMPARE(s.nz, int64_t{3});
      QCOMPARE(s.ny, int64_t{1});
      QCOMPARE(s.nx, int64_t{7});
      for (int64_t k = 0; k < s.nz; ++k)
        for (int64_t i = 0; i < s.nx; ++i) {
          const auto kd = static_cast<double>(k), id = static_cast<double>(i);
          QVERIFY(near(s.position(kd, 0, id), g.position(kd + 1, 2, id)));
        }
      QVERIFY(near(g.sub({0, 5}, {0, 6}, {0, 7}).centre, g.centre));
      QVERIFY(near(g.slab({4, 5}).position(0, 0, 0), g.position(4, 0, 0)));
      // A halo may reach beyond the box.
      QVERIFY(near(g.sub({-2, 7}, {0, 6}, {0, 7}).position(2, 1, 1), g.position(0, 1, 1)));
    }
  }
  void sub_boxes_nest() {
    const VolumeGrid g = oblique();
    const VolumeGrid once = g.sub({2, 4}, {1, 5}, {3, 6}),
                     twice = g.sub({1, 5}, {1, 6}, {2, 7}).sub({1, 3}, {0, 4}, {1, 4});
    QVERIFY(near(once.centre, twice.centre));
    QCOMPARE(once.count(), twice.count());
  }
  void a_bin_lies_in_the_middle_of_its_voxels() {
    const VolumeGrid g = oblique();
    const VolumeGrid b = g.binned(2);
    QCOMPARE(b.nz, int64_t{2});
    QCOMPARE(b.ny, int64_t{3});
    QCOMPARE(b.nx, int64_t{3});
    QVERIFY(qFuzzyCompare(b.voxel_volume(), 8 * g.voxel_volume()));
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
          QVERIFY(near(b.position(k, j, i), g.position(2 * k + 0.5, 2 * j + 0.5, 2 * i + 0.5)));
  }
  void bins_of_one_and_bins_larger_than_the_grid() {
    const VolumeGrid g = oblique();
    QVERIFY(g.binned(1) == g);
    const VolumeGrid all = g.binned(100);
    QCOMPARE(all.count(), int64_t{1});
    QVERIFY(near(all.position(0, 0, 0), g.centre));
    QVERIFY(qFuzzyCompare(all.voxel_volume(), 210 * g.voxel_volume()));
    // A single slice stays a single slice of its own thickness.
    QVERIFY(near(VolumeGrid::cubic(1, 8, 8, 0.1).binned(4).step_z, {0, 0, 0.1}));
  }
  void a_plane_is_spanned_by_its_directions() {
    const VolumeGrid p = VolumeGrid::plane(3, 5, 0.2, {1, 1, 1}, {0, 2, 0}, {0, 0, 7});
    QCOMPARE(p.nz, int64_t{1});
    QVERIFY(near(p.position(0, 1, 2), {1, 1, 1}));
    QVERIFY(near(p.position(0, 1, 3), {1, 1.2, 1}));
    QVERIFY(near(p.position(0, 2, 2), {1, 1, 1.2}));
    QVERIFY(near(p.step_z, {0.2, 0, 0}));
    QVERIFY(!p.is_axis_aligned());
    QVERIFY(p.validate().ok());
    QVERIFY(VolumeGrid::plane(3, 5, 0.2, {}, {1, 0, 0}, {0, 1, 0}).is_axis_aligned());
  }
  void what_is_not_a_grid_is_refused() {
    constexpr int64_t huge = int64_t{1} << 40;
    constexpr double inf = std::numeric_limits<double>::infinity();
    QVERIFY(oblique().validate().ok());
    for (const VolumeGrid& g :
         {VolumeGrid::cubic(0, 1, 1, 1), VolumeGrid::cubic(1, -1, 1, 1), VolumeGrid::cubic(huge, huge, huge, 1),
          VolumeGrid::cubic(1, huge, huge, 1), VolumeGrid::cubic(1, 1, 1, 0), VolumeGrid::cubic(1, 1, 1, std::nan("")),
          VolumeGrid::cubic(1, 1, 1, inf), VolumeGrid::cubic(1, 1, 1, 1, {inf, 0, 0}),
          VolumeGrid{1, 1, 1, {}, {1, 0, 0}, {1e-3, 1, 0}, {0, 0, 1}}}) {
      QVERIFY(!g.validate().ok());
      QCOMPARE(g.validate().error().kind, ErrorKind::invalid);
    }
  }
};

TL_TEST_CASE(GridTest)

}  // namespace tl::grid_test

#include "grid.moc"
