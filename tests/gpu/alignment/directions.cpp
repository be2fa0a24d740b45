// Directions of images: points on the sphere, images on circles, and matching without noise.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>

#include "gpu/alignment/directions/direction_search.h"
#include "gpu/alignment/directions/match_peak.h"
#include "tests/support/directions/particles.h"
#include "tests/support/test_case.h"

namespace tl::directions_of_images_test {

using namespace tl::ops;

namespace {

bool near(Vec3 a, Vec3 b, double tolerance) { return norm(a - b) < tolerance; }

Vec3 random_direction(const Philox& random, uint64_t i) {
  const Vec3 v{random.normal(3 * i), random.normal(3 * i + 1), random.normal(3 * i + 2)};
  return (1 / norm(v)) * v;
}

// Views of the particles' volume with small working images and coarse directions.
ReferenceSpec reference_of(const test::Particles& p) {
  ReferenceSpec spec;
  spec.volume = p.volume;
  const int64_t n = p.volume.size(0);
  spec.grid = VolumeGrid::cubic(n, n, n, 1);
  spec.detector = p.geometry.detector();
  spec.edge = n;
  spec.parts = 5;
  return spec;
}

struct Searched {
  CoarseMatches coarse;
  std::vector<ImagePose> poses;
};
Searched searched(const test::Particles& p) {
  const ReferenceViews views = ReferenceViews::make(reference_of(p)).or_throw();
  const SphereRegions regions(12);
  const DirectionSearch search(views, regions, 2, {});
  const at::Tensor images = working_images(p.images - p.images.mean({1, 2}, true), views.edge());
  Searched s{search.coarse(images), {}};
  const at::Tensor best = s.coarse.match.gather(1, s.coarse.likeness.argmax(1, true));
  std::vector<ImageMatch> starts;
  for (int64_t i = 0; i < images.size(0); ++i) starts.push_back({i, best[i].item<int64_t>()});
  s.poses = search.refined(images, starts);
  return s;
}

}  // namespace

class DirectionsOfImages : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void icosahedral_points() {
    const std::vector<Vec3> coarse = icosahedral_directions(2), fine = icosahedral_directions(6);
    QCOMPARE(coarse.size(), std::size_t{42});
    QCOMPARE(fine.size(), std::size_t{362});
    for (const Vec3 d : coarse) {
      QVERIFY(std::abs(norm(d) - 1) < 1e-12);
      QVERIFY(near(fine[static_cast<std::size_t>(nearest_direction(fine, d))], d, 1e-9));
    }
    // No direction lies farther from the nearest point than the radius of the largest triangle of neighbours.
    const Philox random{5, 1};
    for (uint64_t i = 0; i < 2000; ++i) {
      const Vec3 d = random_direction(random, i);
      QVERIFY(angle_between(fine[static_cast<std::size_t>(nearest_direction(fine, d))], d) <
              0.4 * pi / 6 / std::sqrt(3.0) * 1.05);
    }
  }
  // A corner of the icosahedron has five neighbours, the middle of an edge six; of the octahedron all have four.
  void neighbouring_regions() {
    for (const auto& [count, fewest, most] : {std::array{6, 4, 4}, std::array{12, 5, 5}, std::array{42, 5, 6}}) {
      const SphereRegions regions(count);
      QCOMPARE(regions.count(), int64_t{count});
      for (int64_t a = 0; a < count; ++a) {
        QCOMPARE(regions.of(regions.centres()[static_cast<std::size_t>(a)]), a);
        int neighbours = 0;
        for (int64_t b = 0; b < count; ++b) {
          QCOMPARE(regions.are_near(a, b), regions.are_near(b, a));
          neighbours += a != b && regions.are_near(a, b) ? 1 : 0;
        }
        QVERIFY(neighbours >= fewest && neighbours <= most);
      }
    }
  }
  void carried_vectors_keep_lengths_and_angles() {
    const Philox random{5, 2};
    for (uint64_t i = 0; i < 100; ++i) {
      const Vec3 a = random_direction(random, 4 * i), b = random_direction(random, 4 * i + 1),
                 v = random_direction(random, 4 * i + 2), w = random_direction(random, 4 * i + 3);
      QVERIFY(near(carried(a, a, b), b, 1e-9));
      QVERIFY(near(carried(cross(a, b), a, b), cross(a, b), 1e-9));
      QVERIFY(std::abs(dot(carried(v, a, b), carried(w, a, b)) - dot(v, w)) < 1e-9);
    }
  }
  void axes_are_right_handed() {
    const Philox random{5, 3};
    for (uint64_t i = 0; i < 100; ++i) {
      const ImageAxes a = rotated_in_plane(upright_axes(i == 0 ? Vec3{0, 0, -1} : random_direction(random, i)),
                                           0.1 * static_cast<double>(i));
      QVERIFY(near(cross(a.right, a.up), a.towards, 1e-12) && std::abs(norm(a.right) - 1) < 1e-12);
    }
  }
  // A bell is sampled where it was, whatever the numbers of pixels; frequencies that are left out are those it lacks.
  void working_images_keep_positions() {
    const auto bell = [](int64_t n, double field, double x, double y, double sigma) {
      const double pixel = field / static_cast<double>(n);
      const at::Tensor at = (at::arange(n, at::kDouble) - 0.5 * static_cast<double>(n - 1)) * pixel;
      return (at::exp((at - y).square() / (-2 * sigma * sigma)).unsqueeze(1) *
              at::exp((at - x).square() / (-2 * sigma * sigma)))
          .to(at::kFloat)
          .unsqueeze(0);
    };
    for (const int64_t size : {48, 33, 24}) {
      const at::Tensor image = bell(size, 24, 2.3, -1.7, 1.8);
      const at::Tensor working = working_images(image, 24);
      QCOMPARE(working.size(1), int64_t{48});
      // What a bell of 1.8 px has beyond 0.5 periods per pixel: exp(-2 pi^2 1.8^2 0.25) = 1e-7, of float32.
      QVERIFY((working - bell(48, 24, 2.3, -1.7, 1.8)).abs().max().item<double>() < 1e-5);
    }
  }
  // A rotation of the image is a shift along the angles; a shift of the image one of the point around which it is seen.
  void circles() {
    const PolarGrid polar(16, 48);
    QCOMPARE(polar.pixels(), int64_t{32});
    test::ParticlesSpec of;
    of.images = 1, of.size = 32, of.ratio = 0, of.shift = 0;
    const at::Tensor image = test::particles(of).images.contiguous();
    std::vector<float> plain(static_cast<std::size_t>(polar.numbers())), rotated = plain;
    polar.sample(image.const_data_ptr<float>(), 0, 0, 0, plain.data());
    polar.sample(image.const_data_ptr<float>(), 0, 0, 5 * 2 * pi / 48, rotated.data());
    double worst = 0, largest = 0, area = 0;
    for (int64_t r = 0; r < polar.rings(); ++r) {
      area += polar.area(r) * 48;
      for (int64_t a = 0; a < 48; ++a) {
        const double here = rotated[static_cast<std::size_t>(r * 48 + a)];
        worst = std::max(worst, std::abs(here - plain[static_cast<std::size_t>(r * 48 + (a + 5) % 48)]));
        largest = std::max(largest, std::abs(here));
      }
    }
    QVERIFY(largest > 0 && worst < 1e-4 * largest);  // positions in float32
    QVERIFY(std::abs(area / polar.whole_area() - 1) < 1e-12);
    // The middle of the image lies between its pixels; a working pixel is two of them.
    at::Tensor point = at::zeros({32, 32}, at::kFloat);
    point[13][20] = 1;  // 4.5 pixels to the right of the middle, 2.5 above it
    polar.sample(point.const_data_ptr<float>(), 2.25 - 0.5, -1.25, 0, plain.data());
    QVERIFY(std::abs(plain[0] - 1) < 1e-5);  // the first ring has the radius of half a working pixel, towards the right
  }
  void a_paraboloid_is_found() {
    const ImageAxes middle = upright_axes(random_direction({5, 4}, 0));
    const double spacing = 0.08;
    const Vec3 moved = middle.towards + 0.03 * middle.right - 0.02 * middle.up, top = (1 / norm(moved)) * moved;
    std::vector<DirectionPeak> peaks;
    for (const Vec3 d : icosahedral_directions(16)) {
      if (angle_between(d, middle.towards) > 0.25) continue;
      DirectionPeak p;
      p.axes = {carried(middle.right, middle.towards, d), carried(middle.up, middle.towards, d), d};
      const Vec3 off = d - top;
      p.value = 10 - 30 * dot(off, off);
      p.col = 0.3, p.row = -0.1;
      peaks.push_back(p);
    }
    const ImagePose pose = paraboloid_peak(peaks, spacing);
    QVERIFY2(angle_between(pose.axes.towards, top) < 2e-3,
             std::to_string(angle_between(pose.axes.towards, top)).c_str());
    QVERIFY(std::abs(pose.likeness - 10) < 0.01);
    QVERIFY(std::abs(pose.col - 0.3) < 1e-9 && std::abs(pose.row + 0.1) < 1e-9);
    QVERIFY(near(pose.axes.right, carried(middle.right, middle.towards, pose.axes.towards), 5e-3));
  }
  void noiseless_images_are_found() {
    test::ParticlesSpec of;
    of.images = 40, of.ratio = 0, of.shift = 1.5;
    const test::Particles p = test::particles(of);
    const Searched s = searched(p);
    std::vector<double> errors, rotations, shifts;
    for (int64_t i = 0; i < of.images; ++i) {
      const ImagePose& pose = s.poses[static_cast<std::size_t>(i)];
      View found;
      found.beam = -1 * pose.axes.towards, found.u = pose.axes.right, found.v = pose.axes.up;
      const View& truth = p.geometry.view(i);
      errors.push_back(test::direction_error(found, truth));
      rotations.push_back(test::rotation_error(found, truth));
      const ScanGeometry::Hit hit = p.geometry.project(i, {});
      const double middle = 0.5 * static_cast<double>(of.size - 1);
      shifts.push_back(std::hypot(hit.col - middle - pose.col, hit.row - middle - pose.row));
      QVERIFY2(pose.correlation() > 0.97, std::to_string(pose.correlation()).c_str());
    }
    // Directions lie 7 degrees apart; without noise, what is left is the interpolation between them (1.1, 1.5, 0.07).
    const std::string text = std::to_string(test::median_of(errors)) + " " +
                             std::to_string(test::median_of(rotations)) + " " +
                             std::to_string(test::median_of(shifts)) + ", worst " +
                             std::to_string(*std::max_element(errors.begin(), errors.end()));
    qInfo("%s", text.c_str());
    QVERIFY2(test::median_of(errors) < 1.5 && test::median_of(rotations) < 2 && test::median_of(shifts) < 0.1,
             text.c_str());
    QVERIFY2(*std::max_element(errors.begin(), errors.end()) < 7, text.c_str());
  }
  void threads_do_not_change_matches() {
    test::ParticlesSpec of;
    of.images = 20;
    const test::Particles p = test::particles(of);
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const Searched one = searched(p);
    at::set_num_threads(2);
    const Searched two = searched(p);
    at::set_num_threads(before);
    QVERIFY(one.coarse.likeness.equal(two.coarse.likeness) && one.coarse.match.equal(two.coarse.match));
    QVERIFY(one.coarse.far_match.equal(two.coarse.far_match));
    for (std::size_t i = 0; i < one.poses.size(); ++i) QCOMPARE(one.poses[i].likeness, two.poses[i].likeness);
  }
  void references_that_show_nothing() {
    test::ParticlesSpec of;
    of.images = 1;
    const test::Particles p = test::particles(of);
    ReferenceSpec spec = reference_of(p);
    spec.volume = at::zeros_like(spec.volume);
    QVERIFY(!ReferenceViews::make(spec).ok());
    spec.volume[0][0][0] = std::nanf("");
    const auto refused = ReferenceViews::make(spec);
    QVERIFY(!refused.ok() && refused.error().message().find("finite") != std::string::npos);
  }
};

TL_TEST_CASE(DirectionsOfImages)

}  // namespace tl::directions_of_images_test

#include "directions.moc"
