// Surfaces of labels: closed, of the right volume, the same in slabs as at once, and where the voxels are.
#include "core/mesh/surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "core/mesh/mesh_filters.h"
#include "tests/support/test_case.h"

namespace tl::surfaces_test {

using mesh::LabelSurface;
using mesh::Mesh;
using mesh::SurfaceSettings;

namespace {

struct Voxels {
  VolumeGrid grid;
  std::vector<int32_t> numbers;
  int32_t& at(int64_t k, int64_t j, int64_t i) {
    return numbers[static_cast<std::size_t>((k * grid.ny + j) * grid.nx + i)];
  }
};

Voxels empty(int64_t nz, int64_t ny, int64_t nx, double voxel = 0.1) {
  return {VolumeGrid::cubic(nz, ny, nx, voxel, {}), std::vector<int32_t>(static_cast<std::size_t>(nz * ny * nx))};
}

void fill(Voxels& v, int32_t number, const std::function<bool(Vec3)>& inside) {
  for (int64_t k = 0; k < v.grid.nz; ++k)
    for (int64_t j = 0; j < v.grid.ny; ++j)
      for (int64_t i = 0; i < v.grid.nx; ++i)
        if (inside(v.grid.position(static_cast<double>(k), static_cast<double>(j), static_cast<double>(i))))
          v.at(k, j, i) = number;
}

// Around the centre of the grid, in mm.
Voxels ball(double radius, int64_t edge = 50) {
  Voxels v = empty(edge, edge, edge);
  fill(v, 1, [radius](Vec3 p) { return norm(p) <= radius; });
  return v;
}

// Every number next to every other, in all arrangements of corners.
Voxels noise(int32_t numbers) {
  Voxels v = empty(9, 8, 11);
  std::mt19937 random(5);
  for (int32_t& n : v.numbers) n = static_cast<int32_t>(random() % static_cast<uint32_t>(numbers + 1));
  return v;
}

SurfaceSettings smoothed_by(int64_t steps, double keep = 1) {
  SurfaceSettings s;
  s.smoothing = steps;
  s.keep = keep;
  return s;
}

Mesh surface(const Voxels& v, const SurfaceSettings& s) { return mesh::surface_of(v.numbers, v.grid, s).or_throw(); }

double area(const LabelSurface& part) {
  double sum = 0;
  for (const mesh::Triangle& t : part.triangles) {
    const auto at = [&](int i) {
      const auto& p = part.vertices[t[static_cast<std::size_t>(i)]];
      return Vec3{p[0], p[1], p[2]};
    };
    sum += norm(cross(at(1) - at(0), at(2) - at(0))) / 2;
  }
  return sum;
}

// As sets of points: in which order they come does not matter.
std::vector<std::array<float, 9>> corners(const LabelSurface& part) {
  std::vector<std::array<float, 9>> all;
  for (const mesh::Triangle& t : part.triangles) {
    std::array<std::array<float, 3>, 3> p{part.vertices[t[0]], part.vertices[t[1]], part.vertices[t[2]]};
    std::rotate(p.begin(), std::min_element(p.begin(), p.end()), p.end());
    all.push_back({p[0][0], p[0][1], p[0][2], p[1][0], p[1][1], p[1][2], p[2][0], p[2][1], p[2][2]});
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

class SurfacesTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Within a per cent of 4/3 pi r^3, smoothed or not, decimated or not; the smooth one has the area of a ball, the
  // other that of its steps.
  void a_ball_keeps_its_volume_data() {
    QTest::addColumn<int>("smoothing");
    QTest::addColumn<double>("keep");
    for (const int smoothing : {0, 5, 20, 100})
      for (const double keep : {1.0, 0.3})
        QTest::addRow("smoothing %d, %g of the triangles", smoothing, keep) << smoothing << keep;
  }
  void a_ball_keeps_its_volume() {
    QFETCH(int, smoothing);
    QFETCH(double, keep);
    constexpr double radius = 2;
    const Mesh whole = surface(ball(radius), smoothed_by(smoothing));
    const Mesh mesh = surface(ball(radius), smoothed_by(smoothing, keep));
    QCOMPARE(mesh.size(), std::size_t{1});
    QVERIFY(mesh::is_closed(mesh[0]) && mesh::is_simple(mesh[0]));
    const double volume = 4.0 / 3 * std::numbers::pi * std::pow(radius, 3), found = mesh::enclosed_volume(mesh[0]);
    QVERIFY2(std::abs(found / volume - 1) < 0.01, qPrintable(QString::number(found)));
    const double surface_area = 4 * std::numbers::pi * radius * radius;
    if (smoothing >= 20 && keep == 1)
      QVERIFY2(std::abs(area(mesh[0]) / surface_area - 1) < 0.02, qPrintable(QString::number(area(mesh[0]))));
    if (keep < 1) {
      const double share =
          static_cast<double>(mesh[0].triangles.size()) / static_cast<double>(whole[0].triangles.size());
      QVERIFY2(std::abs(share - keep) < 0.1, qPrintable(QString::number(share)));
    }
  }

  void what_leaks_is_not_closed() {
    LabelSurface part = surface(ball(0.5, 14), smoothed_by(0)).at(0);
    QVERIFY(mesh::is_closed(part) && mesh::is_simple(part));
    LabelSurface twice = part;
    twice.triangles.insert(twice.triangles.end(), part.triangles.begin(), part.triangles.end());
    QVERIFY(mesh::is_closed(twice) && !mesh::is_simple(twice));
    LabelSurface turned = part;
    std::swap(turned.triangles[5][0], turned.triangles[5][1]);
    QVERIFY(!mesh::is_closed(turned));
    part.triangles.pop_back();
    QVERIFY(!mesh::is_closed(part) && !mesh::is_simple(part));
  }

  // The volume of one voxel is that of an octahedron between it and its neighbours.
  void the_smallest_object_has_a_surface() {
    Voxels v = empty(1, 1, 1, 0.5);
    v.at(0, 0, 0) = 7;
    const Mesh mesh = surface(v, smoothed_by(0));
    QCOMPARE(mesh.size(), std::size_t{1});
    QCOMPARE(mesh[0].number, int64_t{7});
    QCOMPARE(mesh[0].triangles.size(), std::size_t{8});
    QVERIFY(mesh::is_closed(mesh[0]));
    QVERIFY(std::abs(mesh::enclosed_volume(mesh[0]) - std::pow(0.5, 3) / 6) < 1e-9);
  }

  // All 256 arrangements of the corners of a cell, several numbers at each vertex, and objects at the border.
  void noise_is_closed_data() {
    QTest::addColumn<int>("numbers");
    QTest::addColumn<int>("smoothing");
    QTest::addColumn<double>("keep");
    for (const int numbers : {1, 2, 5})
      for (const int smoothing : {0, 20})
        for (const double keep : {1.0, 0.5})
          QTest::addRow("%d numbers, smoothing %d, %g of the triangles", numbers, smoothing, keep)
              << numbers << smoothing << keep;
  }
  void noise_is_closed() {
    QFETCH(int, numbers);
    QFETCH(int, smoothing);
    QFETCH(double, keep);
    const Mesh mesh = surface(noise(numbers), smoothed_by(smoothing, keep));
    QCOMPARE(mesh.size(), static_cast<std::size_t>(numbers));
    for (const LabelSurface& part : mesh) {
      QVERIFY(!part.triangles.empty());
      QVERIFY(mesh::is_closed(part) && mesh::is_simple(part));
      QVERIFY(mesh::enclosed_volume(part) > 0);
    }
  }

  void slabs_give_what_the_whole_gives() {
    for (const Voxels& v : {noise(3), ball(0.5, 14)}) {
      const Mesh whole = surface(v, smoothed_by(20));
      for (const int64_t thickness : {1, 2, 4}) {
        mesh::SurfaceBuilder builder(v.grid, smoothed_by(20));
        const int64_t plane = v.grid.ny * v.grid.nx;
        for (int64_t k = 0; k < v.grid.nz; k += thickness) {
          const int64_t count = std::min(thickness, v.grid.nz - k);
          builder.add({v.numbers.data() + k * plane, static_cast<std::size_t>(count * plane)}).or_throw();
        }
        const Mesh joined = builder.finish().or_throw();
        QCOMPARE(joined.size(), whole.size());
        for (std::size_t i = 0; i < whole.size(); ++i) {
          QVERIFY(mesh::is_closed(joined[i]));
          QCOMPARE(joined[i].vertices.size(), whole[i].vertices.size());
          // Smoothing adds in the order of the vertices, which slabs change.
          const auto a = corners(joined[i]), b = corners(whole[i]);
          QCOMPARE(a.size(), b.size());
          QVERIFY(std::abs(mesh::enclosed_volume(joined[i]) - mesh::enclosed_volume(whole[i])) < 1e-6);
        }
      }
      mesh::SurfaceBuilder builder(v.grid, smoothed_by(0));
      const int64_t plane = v.grid.ny * v.grid.nx;
      for (int64_t k = 0; k < v.grid.nz; ++k)
        builder.add({v.numbers.data() + k * plane, static_cast<std::size_t>(plane)}).or_throw();
      const Mesh joined = builder.finish().or_throw(), plain = surface(v, smoothed_by(0));
      for (std::size_t i = 0; i < plain.size(); ++i) QVERIFY(corners(joined[i]) == corners(plain[i]));
    }
  }

  // Two halves of a ball: together they fill it, and every vertex of the common disc belongs to both.
  void classes_that_touch_share_their_boundary() {
    Voxels v = ball(1, 26);
    for (int64_t k = 0; k < 26; ++k)
      for (int64_t j = 0; j < 26; ++j)
        for (int64_t i = 13; i < 26; ++i)
          if (v.at(k, j, i) != 0) v.at(k, j, i) = 2;
    const double whole = mesh::enclosed_volume(surface(ball(1, 26), smoothed_by(20))[0]);
    const Mesh halves = surface(v, smoothed_by(20));
    QCOMPARE(halves.size(), std::size_t{2});
    const double sum = mesh::enclosed_volume(halves[0]) + mesh::enclosed_volume(halves[1]);
    QVERIFY2(std::abs(sum / whole - 1) < 0.01, qPrintable(QString::number(sum / whole)));
    auto a = halves[0].vertices, b = halves[1].vertices;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    std::vector<std::array<float, 3>> common;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
    // A disc of radius 10 voxels has 314 pairs of neighbours; others meet in no vertex.
    QVERIFY2(common.size() > 280 && common.size() < 340, qPrintable(QString::number(common.size())));
  }

  // An oblique grid that is rotated, stretched, moved and left-handed: a box is where its voxels are.
  void vertices_are_where_the_voxels_are() {
    Voxels v = empty(6, 7, 8);
    v.grid.centre = {10, -20, 30};
    v.grid.step_x = {0, 0.2, 0};
    v.grid.step_y = {0.1, 0, 0};
    v.grid.step_z = {0, 0, 0.3};
    QVERIFY(dot(cross(v.grid.step_x, v.grid.step_y), v.grid.step_z) < 0);
    for (int64_t k = 1; k < 4; ++k)
      for (int64_t j = 2; j < 5; ++j)
        for (int64_t i = 3; i < 8; ++i) v.at(k, j, i) = 4;
    const LabelSurface part = surface(v, smoothed_by(0)).at(0);
    QVERIFY(mesh::is_closed(part));
    const Vec3 low = v.grid.position(0.5, 1.5, 2.5), high = v.grid.position(3.5, 4.5, 7.5);
    const std::array<std::array<double, 2>, 3> expected{{{low.x, high.x}, {low.y, high.y}, {low.z, high.z}}};
    for (std::size_t d = 0; d < 3; ++d) {
      const auto less = [d](const auto& a, const auto& b) { return a[d] < b[d]; };
      const auto [first, last] = std::minmax_element(part.vertices.begin(), part.vertices.end(), less);
      QVERIFY(std::abs((*first)[d] - std::min(expected[d][0], expected[d][1])) < 1e-5);
      QVERIFY(std::abs((*last)[d] - std::max(expected[d][0], expected[d][1])) < 1e-5);
    }
    // 3 x 3 x 5 voxels less their bevelled edges and corners.
    const double volume = mesh::enclosed_volume(part) / v.grid.voxel_volume();
    QVERIFY2(volume > 36 && volume < 45, qPrintable(QString::number(volume)));
  }

  void only_the_numbers_asked_for() {
    SurfaceSettings s = smoothed_by(0);
    s.numbers = {2, 5};
    const Mesh some = surface(noise(5), s);
    QVERIFY(some.size() == 2 && some[0].number == 2 && some[1].number == 5);
    s.numbers.clear();
    s.without = {0, 3};
    const Mesh others = surface(noise(5), s);
    QVERIFY(others.size() == 4 && others[2].number == 4);
    QVERIFY(surface(empty(4, 4, 4), smoothed_by(20)).empty());
  }

  void too_little_memory_is_said_with_numbers() {
    SurfaceSettings s = smoothed_by(20);
    s.memory = 500'000;
    const auto made = mesh::surface_of(ball(2).numbers, ball(2).grid, s);
    QVERIFY(!made.ok() && made.error().kind == ErrorKind::device);
    QVERIFY2(made.error().message().find("1 MB") != std::string::npos, made.error().message().c_str());
  }

  void cancelling_ends_it() {
    for (const double keep : {1.0, 0.5}) {
      SurfaceSettings s = smoothed_by(20, keep);
      s.cancel.cancel();
      const Voxels v = ball(1, 26);
      const auto contour = [&] { (void)mesh::surface_of(v.numbers, v.grid, s); };
      QVERIFY_EXCEPTION_THROWN(contour(), Failure);
    }
    const LabelSurface part = surface(ball(1, 26), smoothed_by(0)).at(0);
    CancelToken cancel;
    cancel.cancel();
    std::vector<std::array<float, 3>> vertices = part.vertices;
    QVERIFY_EXCEPTION_THROWN(mesh::smooth(vertices, part.triangles, 20, cancel), Failure);
    QVERIFY_EXCEPTION_THROWN((void)mesh::decimated(part, 0.5, cancel), Failure);
  }
};

TL_TEST_CASE(SurfacesTest)

}  // namespace tl::surfaces_test

#include "surfaces.moc"
