// Shapes of strokes against the direct method: every voxel of the volume is asked whether it belongs to the shape.
#include "core/base/random.h"
#include "core/strokes/between_slices.h"
#include "core/strokes/plane_shapes.h"
#include "core/strokes/stroke.h"
#include "core/strokes/volume_shapes.h"
#include "tests/support/test_case.h"

namespace tl::strokes::shapes_test {

namespace {

// Voxels twice as high as wide, away from the origin.
const VolumeGrid& volume() {
  static const VolumeGrid grid{20, 45, 70, {3, -2, 1}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 1}};
  return grid;
}
Vec3 voxel_centre(double k, double j, double i) { return volume().position(k, j, i); }
PaintPlane slice_xy(double k) { return {voxel_centre(k, 20, 30), {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; }

template <class Call>
void for_each_voxel(const Call& call) {
  for (int64_t k = 0; k < volume().nz; ++k)
    for (int64_t j = 0; j < volume().ny; ++j)
      for (int64_t i = 0; i < volume().nx; ++i) call(Voxel{k, j, i});
}
Vec3 centre(const Voxel& v) {
  return voxel_centre(static_cast<double>(v.k), static_cast<double>(v.j), static_cast<double>(v.i));
}
void label(Bricks& labels, const VoxelSet& set, uint16_t number) {
  apply(labels, painted(labels, set, number, {}), Direction::redo).or_throw();
}
// A disc on a slice across an axis, in voxels.
VoxelSet disc(SliceAxis axis, int64_t slice, double row, double col, double radius) {
  VoxelSet set(volume());
  for_each_voxel([&](const Voxel& v) {
    const int64_t at = axis == SliceAxis::z ? v.k : axis == SliceAxis::y ? v.j : v.i;
    const auto r = static_cast<double>(axis == SliceAxis::z ? v.j : v.k);
    const auto c = static_cast<double>(axis == SliceAxis::x ? v.j : v.i);
    if (at == slice && std::hypot(r - row, c - col) <= radius) set.add(v);
  });
  return set;
}

}  // namespace

class ShapesTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void sets_hold_what_was_added() {
    VoxelSet set(volume());
    QVERIFY(set.empty() && set.count() == 0);
    for (const Voxel& outside : {Voxel{-1, 0, 0}, Voxel{0, 45, 0}, Voxel{0, 0, 70}}) set.add(outside);
    QVERIFY(set.empty());
    const Voxel corner{19, 44, 69};
    set.add(corner);
    set.add({0, 0, 0});
    set.add({0, 0, 0});
    QCOMPARE(set.count(), int64_t{2});
    QVERIFY(set.has(corner) && !set.has({19, 44, 68}));
    std::vector<Voxel> visited;
    set.for_each([&](int64_t brick, std::size_t at) { visited.push_back(set.layout().voxel(brick, at)); });
    QVERIFY((visited == std::vector<Voxel>{{0, 0, 0}, corner}));
    set.keep_if([](const Voxel& v) { return v.k > 0; });
    QCOMPARE(set.count(), int64_t{1});
    set.remove(corner);
    QVERIFY(set.empty());
  }

  void a_disc_is_on_its_slice_alone() {
    const Vec3 from = voxel_centre(7, 20, 10), to = voxel_centre(7, 30, 50);
    VoxelSet set(volume());
    constexpr double radius = 3.3;
    add_disc(set, volume(), slice_xy(7), from, to, radius);
    for_each_voxel([&](const Voxel& v) {
      const Vec3 c = centre(v), path = to - from;
      const double along = std::clamp(dot(c - from, path) / dot(path, path), 0.0, 1.0);
      const bool inside = v.k == 7 && norm(c - from - along * path) <= radius;
      QVERIFY2(set.has(v) == inside, qPrintable(QString("%1 %2 %3").arg(v.k).arg(v.j).arg(v.i)));
    });
  }

  void the_smallest_brush_leaves_no_gap() {
    VoxelSet set(volume());
    add_disc(set, volume(), slice_xy(4), voxel_centre(4, 2.3, 1.6), voxel_centre(4, 40.2, 66.4), 1e-6);
    std::set<int64_t> cols;
    set.for_each([&](int64_t brick, std::size_t at) { cols.insert(set.layout().voxel(brick, at).i); });
    QCOMPARE(cols.size(), std::size_t{65});  // 2 to 66
  }

  // Whatever the plane, each of its points shows a painted voxel.
  void an_oblique_disc_has_no_holes() {
    const double angle = 0.6;
    const PaintPlane plane{voxel_centre(10, 22, 35),
                           {std::cos(angle), std::sin(angle), 0},
                           {0, 0, 1},
                           {std::sin(angle), -std::cos(angle), 0}};
    VoxelSet set(volume());
    add_disc(set, volume(), plane, plane.origin, plane.origin + 2.0 * plane.right, 4);
    for (double u = -3; u <= 5; u += 0.1)
      for (double v = -3; v <= 3; v += 0.1) {
        if (std::hypot(std::max({-u, u - 2, 0.0}), v) > 3) continue;
        const Voxel nearest = nearest_voxel(volume(), plane.origin + u * plane.right + v * plane.up);
        QVERIFY(!set.layout().holds(nearest) || set.has(nearest));
      }
    set.for_each([&](int64_t brick, std::size_t at) {
      const double depth = dot(centre(set.layout().voxel(brick, at)) - plane.origin, plane.normal);
      QVERIFY(std::abs(depth) <= 0.5 * 0.5 * (std::sin(angle) + std::cos(angle)) + 1e-9);
    });
  }

  void a_plane_between_two_slices_paints_one() {
    VoxelSet set(volume());
    add_disc(set, volume(), slice_xy(6.5), voxel_centre(6.5, 20, 30), voxel_centre(6.5, 20, 30), 4);
    QVERIFY(!set.empty());
    set.for_each([&](int64_t brick, std::size_t at) { QCOMPARE(set.layout().voxel(brick, at).k, int64_t{6}); });
  }

  void a_ball_is_round_in_space() {
    const Vec3 from = voxel_centre(8, 20, 20), to = voxel_centre(12, 24, 44);
    VoxelSet set(volume());
    add_ball(set, volume(), from, to, 3.7);
    for_each_voxel([&](const Voxel& v) {
      const Vec3 c = centre(v), path = to - from;
      const double along = std::clamp(dot(c - from, path) / dot(path, path), 0.0, 1.0);
      QCOMPARE(set.has(v), norm(c - from - along * path) <= 3.7);
    });
  }

  void a_polygon_holds_what_it_encloses() {
    // An L, whose notch is outside.
    const double k = 3;
    const Vec3 corners[] = {voxel_centre(k, 4.5, 4.5),   voxel_centre(k, 4.5, 40.5),  voxel_centre(k, 12.5, 40.5),
                            voxel_centre(k, 12.5, 20.5), voxel_centre(k, 35.5, 20.5), voxel_centre(k, 35.5, 4.5)};
    VoxelSet set(volume());
    add_polygon(set, volume(), slice_xy(k), corners);
    for_each_voxel([&](const Voxel& v) {
      const bool inside = v.k == 3 && v.j >= 5 && v.i >= 5 && v.j <= 35 && v.i <= (v.j <= 12 ? 40 : 20);
      QCOMPARE(set.has(v), inside);
    });
    VoxelSet none(volume());
    add_polygon(none, volume(), slice_xy(k), std::span(corners).first(2));
    QVERIFY(none.empty());
  }

  void filling_stops_at_other_labels() {
    Bricks labels(volume());
    label(labels, disc(SliceAxis::z, 5, 22, 35, 15), 3);
    label(labels, disc(SliceAxis::z, 5, 22, 35, 12), 0);
    const VolumeGrid slice = volume().slab({5, 6});
    VoxelSet inner(volume()), ring(volume()), outside(volume());
    add_region(inner, labels, volume(), slice, voxel_centre(5, 22, 35));
    add_region(ring, labels, volume(), slice, voxel_centre(5, 22, 35 + 14));
    add_region(outside, labels, volume(), slice, voxel_centre(5, 0, 0));
    for_each_voxel([&](const Voxel& v) {
      const double r = std::hypot(v.j - 22.0, v.i - 35.0);
      QCOMPARE(inner.has(v), v.k == 5 && r <= 12);
      QCOMPARE(ring.has(v), v.k == 5 && r > 12 && r <= 15);
      QCOMPARE(outside.has(v), v.k == 5 && r > 15);
    });
    VoxelSet none(volume());
    add_region(none, labels, volume(), slice, voxel_centre(5, -3, 0));
    QVERIFY(none.empty());
  }

  void locked_labels_are_left_alone() {
    Bricks labels(volume());
    label(labels, disc(SliceAxis::z, 5, 22, 35, 8), 3);
    const Stroke stroke = painted(labels, disc(SliceAxis::z, 5, 22, 35, 12), 1, {3});
    apply(labels, stroke, Direction::redo).or_throw();
    for_each_voxel([&](const Voxel& v) {
      const double r = std::hypot(v.j - 22.0, v.i - 35.0);
      QCOMPARE(labels.at(v), static_cast<uint16_t>(v.k != 5 || r > 12 ? 0 : r > 8 ? 1 : 3));
    });
    QVERIFY(painted(labels, disc(SliceAxis::z, 5, 22, 35, 12), 1, {3}).empty());  // nothing is left to change
  }

  void equal_discs_become_a_cylinder_data() {
    QTest::addColumn<int>("axis");
    QTest::newRow("z") << 0;
    QTest::newRow("y") << 1;
    QTest::newRow("x") << 2;
  }
  void equal_discs_become_a_cylinder() {
    QFETCH(int, axis);
    const auto across = static_cast<SliceAxis>(axis);
    const double row = axis == 0 ? 20 : 10, col = axis == 2 ? 20 : 30, radius = axis == 0 ? 9 : 5;
    Bricks labels(volume());
    for (const int64_t slice : {3, 14}) label(labels, disc(across, slice, row, col, radius), 2);
    const VoxelSet set = between_slices(labels, volume(), across, 2);
    VoxelSet cylinder(volume());
    for (int64_t slice = 4; slice < 14; ++slice)
      disc(across, slice, row, col, radius).for_each([&](int64_t brick, std::size_t at) {
        cylinder.add(cylinder.layout().voxel(brick, at));
      });
    for_each_voxel([&](const Voxel& v) { QCOMPARE(set.has(v), cylinder.has(v)); });
    QVERIFY(between_slices(labels, volume(), across, 1).empty());  // another label
  }

  // Near and far ones, which do not overlap.
  void the_centre_of_a_shifted_disc_moves_evenly_data() {
    QTest::addColumn<double>("shift");
    QTest::newRow("overlapping") << 6.0;
    QTest::newRow("apart") << 40.0;
  }
  void the_centre_of_a_shifted_disc_moves_evenly() {
    QFETCH(double, shift);
    Bricks labels(volume());
    label(labels, disc(SliceAxis::z, 2, 20, 12, 8), 1);
    label(labels, disc(SliceAxis::z, 12, 20, 12 + shift, 8), 1);
    const VoxelSet set = between_slices(labels, volume(), SliceAxis::z, 1);
    for (int64_t k = 3; k < 12; ++k) {
      double row = 0, col = 0, count = 0;
      set.for_each([&](int64_t brick, std::size_t at) {
        const Voxel v = set.layout().voxel(brick, at);
        if (v.k != k) return;
        row += static_cast<double>(v.j);
        col += static_cast<double>(v.i);
        ++count;
      });
      QVERIFY(count > 100);
      QVERIFY(std::abs(row / count - 20) < 1e-9);
      QVERIFY2(std::abs(col / count - (12 + shift * static_cast<double>(k - 2) / 10)) < 0.3,
               qPrintable(QString::number(col / count)));
    }
  }

  void nothing_painted_is_painted_over_between() {
    Bricks labels(volume());
    for (const int64_t slice : {3, 9}) label(labels, disc(SliceAxis::z, slice, 20, 30, 9), 2);
    label(labels, disc(SliceAxis::z, 6, 20, 30, 4), 5);
    const VoxelSet set = between_slices(labels, volume(), SliceAxis::z, 2);
    QVERIFY(!set.has({6, 20, 30}) && set.has({6, 20, 36}) && set.has({5, 20, 30}));
    // A slice of the same label in between counts as painted.
    Bricks three(volume());
    for (const int64_t slice : {3, 6, 9}) label(three, disc(SliceAxis::z, slice, 20, 30, slice == 6 ? 3 : 9), 2);
    const VoxelSet waist = between_slices(three, volume(), SliceAxis::z, 2);
    QVERIFY(!waist.has({6, 20, 36}) && waist.has({4, 20, 34}));
    QVERIFY(between_slices(Bricks(volume()), volume(), SliceAxis::z, 2).empty());
  }

  void labels_are_read_by_position() {
    Bricks labels(volume());
    const Philox random{3, 0};
    VoxelSet some(volume());
    uint64_t n = 0;
    for_each_voxel([&](const Voxel& v) {
      if (random.uniform(n++) < 0.2) some.add(v);
    });
    label(labels, some, 4);
    const VolumeGrid turned = VolumeGrid::plane(30, 40, 0.4, voxel_centre(9.2, 20, 31), {1, 1, 0.3}, {-1, 1, 0});
    const VolumeGrid beyond = VolumeGrid::cubic(3, 50, 90, 0.5, voxel_centre(9, 22, 34.5));
    for (const VolumeGrid& wanted : {volume(), volume().slab({4, 7}), volume().binned(2), turned, beyond}) {
      std::vector<int32_t> read(static_cast<std::size_t>(wanted.count()), -1);
      read_labels(labels, volume(), wanted, {0, wanted.nz * wanted.ny}, read.data());
      std::size_t at = 0;
      for (int64_t k = 0; k < wanted.nz; ++k)
        for (int64_t j = 0; j < wanted.ny; ++j)
          for (int64_t i = 0; i < wanted.nx; ++i, ++at) {
            const Vec3 p = wanted.position(static_cast<double>(k), static_cast<double>(j), static_cast<double>(i));
            const Vec3 d = p - volume().position(0, 0, 0);
            const Voxel v{static_cast<int64_t>(std::floor(d.z + 0.5 - 1e-6)),
                          static_cast<int64_t>(std::floor(d.y / 0.5 + 0.5 - 1e-6)),
                          static_cast<int64_t>(std::floor(d.x / 0.5 + 0.5 - 1e-6))};
            QCOMPARE(read[at], some.has(v) ? 4 : 0);
          }
    }
  }
};

TL_TEST_CASE(ShapesTest)

}  // namespace tl::strokes::shapes_test

#include "shapes.moc"
