// Labelled phantoms: bodies apart and within the cylinder, shares as computed, points as tested against every body,
// parts as the whole.
#include "gpu/simulate/labelled_phantom.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>
#include <numbers>

#include "core/base/random.h"
#include "tests/support/test_case.h"

namespace tl::labelled_phantom_test {

using namespace tl::ops;

namespace {

constexpr LabelledSceneKind scenes[] = {LabelledSceneKind::foam, LabelledSceneKind::strands_and_spheres,
                                        LabelledSceneKind::circles_and_squares};

// Voxels of 0.1 mm, away from the origin.
VolumeGrid lattice() { return VolumeGrid::cubic(80, 100, 100, 0.1, {5, -3, 2}); }
LabelledPhantom phantom(LabelledSceneKind scene, uint64_t seed = 1, int64_t bodies = 60, double size = 0.9) {
  LabelledPhantomSpec spec;
  spec.scene = scene;
  spec.whole = lattice();
  spec.size = size;
  spec.bodies = bodies;
  spec.seed = seed;
  return LabelledPhantom::make(spec).or_throw();
}
Vec3 in_frame(Vec3 point) { return point - lattice().centre; }

// By the definition of each shape, written a second time.
bool holds(const LabelledBody& b, Vec3 p) {
  const Vec3 d = p - b.centre;
  if (b.shape == LabelledBody::Shape::ball) return norm(d) < b.radius;
  if (b.shape == LabelledBody::Shape::round_rod) return norm(d - dot(d, b.axis) * b.axis) < b.radius;
  const double x = d.x * std::cos(b.angle) + d.y * std::sin(b.angle);
  const double y = d.y * std::cos(b.angle) - d.x * std::sin(b.angle);
  return std::abs(x) < b.radius && std::abs(y) < b.radius;
}
int bodies_at(const LabelledPhantom& p, Vec3 point, int32_t& number) {
  int found = 0;
  for (const LabelledBody& b : p.bodies())
    if (holds(b, point)) {
      ++found;
      number = b.number;
    }
  return found;
}
// Evenly in the box around the volume.
Vec3 random_point(const Philox& numbers, uint64_t i) {
  const VolumeGrid g = lattice();
  return g.position(numbers.uniform(3 * i) * 80 - 0.5, numbers.uniform(3 * i + 1) * 100 - 0.5,
                    numbers.uniform(3 * i + 2) * 100 - 0.5);
}

}  // namespace

class LabelledPhantomTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void points_are_those_of_all_bodies() {
    for (const LabelledSceneKind scene : scenes)
      for (const uint64_t seed : {uint64_t{1}, uint64_t{2}}) {
        const LabelledPhantom p = phantom(scene, seed);
        QVERIFY(p.bodies().size() > 20);
        std::array<int64_t, 4> counts{};
        for (uint64_t i = 0; i < 200000; ++i) {
          const Vec3 point = random_point({seed, 7}, i), at = in_frame(point);
          const bool inside = std::hypot(at.x, at.y) < p.radius();
          int32_t number = 1;
          const int bodies = inside ? bodies_at(p, at, number) : 0;
          QVERIFY2(bodies < 2, "bodies overlap");
          QCOMPARE(p.number_at(point), inside ? number : 0);
          ++counts[static_cast<std::size_t>(inside ? number : 0)];
        }
        QVERIFY(counts[0] > 0 && counts[1] > 0 && counts[2] > 1000);
        QCOMPARE(counts[3] > 1000, scene != LabelledSceneKind::foam);
      }
  }
  // Sizes of bodies against voxels, within half a per cent.
  void shares_are_those_of_voxels() {
    for (const LabelledSceneKind scene : {LabelledSceneKind::foam, LabelledSceneKind::circles_and_squares}) {
      const LabelledPhantom p = phantom(scene, 3);
      const at::Tensor values = p.means(lattice(), {0, 0, 1, 1}, 3);
      const double cylinder = std::numbers::pi * p.radius() * p.radius() * 2 * p.half_height() / 1e-3;
      const double share = values.sum().item<double>() / cylinder;
      QVERIFY2(std::abs(share / p.share_of_bodies() - 1) < 0.005,
               (std::to_string(share) + " and " + std::to_string(p.share_of_bodies())).c_str());
      QVERIFY(share > 0.1 && share < 0.9);
    }
  }
  void bubbles_stay_apart_and_inside() {
    const LabelledPhantom p = phantom(LabelledSceneKind::foam, 5, 200);
    QCOMPARE(p.bodies().size(), std::size_t{200});
    double least = 1e9, most = 0;
    for (std::size_t i = 0; i < p.bodies().size(); ++i) {
      const LabelledBody& a = p.bodies()[i];
      constexpr double apart = 0.149;  // [mm], a voxel and a half
      QVERIFY(std::hypot(a.centre.x, a.centre.y) + a.radius + apart < p.radius());
      QVERIFY(std::abs(a.centre.z) + a.radius + apart < p.half_height());
      for (std::size_t k = 0; k < i; ++k)
        QVERIFY(norm(a.centre - p.bodies()[k].centre) > a.radius + p.bodies()[k].radius + apart);
      least = std::min(least, a.radius);
      most = std::max(most, a.radius);
    }
    QVERIFY2(most > 3 * least, "bubbles are of many sizes");
  }
  void strands_are_upright_and_thinner_than_spheres() {
    const LabelledPhantom p = phantom(LabelledSceneKind::strands_and_spheres, 4);
    double thickest = 0, thinnest = 1e9;
    for (const LabelledBody& b : p.bodies()) {
      if (b.shape == LabelledBody::Shape::ball) {
        thinnest = std::min(thinnest, b.radius);
        QCOMPARE(b.number, 3);
      } else {
        thickest = std::max(thickest, b.radius);
        QVERIFY(b.axis.z > 0.85 && b.number == 2);
      }
    }
    QVERIFY(thickest > 0 && thickest < thinnest && thinnest < 1e9);
  }
  void parts_are_the_whole() {
    for (const LabelledSceneKind scene : scenes) {
      const LabelledPhantom p = phantom(scene);
      const at::Tensor all = p.labels(lattice());
      QVERIFY(p.labels(lattice().sub({7, 30}, {20, 77}, {3, 60}))
                  .equal(all.narrow(0, 7, 23).narrow(1, 20, 57).narrow(2, 3, 57)));
      // One point in the middle of each voxel has its number.
      const VolumeGrid slab = lattice().slab({40, 44});
      QVERIFY(p.means(slab, {0, 1, 2, 3}, 1).equal(all.narrow(0, 40, 4).to(at::kDouble)));
      const VolumeGrid plane = VolumeGrid::plane(40, 50, 0.13, lattice().centre, {0.8, 0.6, 0}, {-0.36, 0.48, 0.8});
      const at::Tensor turned = p.labels(plane);
      for (int64_t j = 0; j < 40; j += 3)
        for (int64_t i = 0; i < 50; i += 3)
          QCOMPARE(turned[0][j][i].item<int>(),
                   p.number_at(plane.position(0, static_cast<double>(j), static_cast<double>(i))));
    }
  }
  void seeds_and_threads() {
    const int before = at::get_num_threads();
    for (const LabelledSceneKind scene : scenes) {
      at::set_num_threads(1);
      const at::Tensor one = phantom(scene).means(lattice(), {0, 1, 2, 3}, 2);
      at::set_num_threads(3);
      QVERIFY(phantom(scene).means(lattice(), {0, 1, 2, 3}, 2).equal(one));
      QVERIFY(!phantom(scene, 2).labels(lattice()).equal(phantom(scene).labels(lattice())));
    }
    at::set_num_threads(before);
  }
  // As many strands as balls, of the width asked for.
  void strands_have_the_width_and_share_asked_for() {
    LabelledPhantomSpec spec;
    spec.scene = LabelledSceneKind::strands_and_spheres;
    spec.whole = lattice();
    spec.bodies = 40;
    spec.strand = 0.09;
    spec.strands_per_ball = 1;
    const LabelledPhantom p = LabelledPhantom::make(spec).or_throw();
    int64_t strands = 0, balls = 0;
    for (const LabelledBody& b : p.bodies()) {
      const bool is_ball = b.shape == LabelledBody::Shape::ball;
      ++(is_ball ? balls : strands);
      const double share = b.radius / p.radius();
      QVERIFY(is_ball || (share >= 0.8 * 0.09 && share <= 1.2 * 0.09));
    }
    QVERIFY2(strands >= 10 && balls >= 10, qPrintable(QStringLiteral("%1 and %2").arg(strands).arg(balls)));
    spec.strand = 0;
    QVERIFY(!LabelledPhantom::make(spec).ok());
    spec.strand = 0.09;
    spec.strands_per_ball = 0;
    QVERIFY(!LabelledPhantom::make(spec).ok());
  }
  // A cylinder that is full ends the search for more room; one wider than the volume is cut.
  void odd_sizes() {
    QVERIFY(phantom(LabelledSceneKind::circles_and_squares, 1, 5000).bodies().size() < 1000);
    QVERIFY(phantom(LabelledSceneKind::foam, 1, 50, 2).labels(lattice()).gt(0).all().item<bool>());
    LabelledPhantomSpec one;
    one.whole = VolumeGrid::cubic(1, 1, 1, 1);
    QVERIFY(LabelledPhantom::make(one).or_throw().labels(one.whole).item<int>() > 0);
    one.bodies = 0;
    QVERIFY(!LabelledPhantom::make(one).ok());
    one.bodies = 1;
    one.size = -1;
    QVERIFY(!LabelledPhantom::make(one).ok());
  }
};

TL_TEST_CASE(LabelledPhantomTest)

}  // namespace tl::labelled_phantom_test

#include "labelled_phantom.moc"
