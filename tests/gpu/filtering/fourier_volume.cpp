// Fourier reconstruction from any directions: the blob, groups of rotations, exact transposes, gradients, Gaussian
// objects with known projections, missing wedges, comparison with gridrec; and the shell correlation that judges it.
#include "gpu/filtering/fourier_volume/fourier_volume.h"

#include <ATen/Parallel.h>

#include <cmath>
#include <vector>

#include "core/base/units.h"
#include "gpu/filtering/fourier_volume/blob.h"
#include "gpu/filtering/fourier_volume/cells.h"
#include "gpu/filtering/fourier_volume/fourier_projector.h"
#include "gpu/filtering/fourier_volume/symmetry.h"
#include "gpu/filtering/gridrec.h"
#include "gpu/filtering/shell_correlation.h"
#include "gpu/simulate/phantom_library.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::fourier_volume_test {

using namespace tl::ops;

namespace {

constexpr double rounding64 = 1e-13, rounding32 = 2e-5;  // of dot products of a few thousand numbers

// Smooth balls: value * exp(-r^2 / (2 sigma^2)), whose line integrals are Gaussians again.
struct Ball {
  Vec3 centre;
  double sigma, value;
};
const std::vector<Ball> balls{{{3.1, -2.2, 1.4}, 1.3, 1},   {{-4.2, 1.7, -3.3}, 1.1, 0.8},
                              {{0.4, 4.8, 3.9}, 0.9, 1.2},  {{-2.6, -4.1, 2.2}, 1.0, 0.7},
                              {{5.2, 3.3, -2.8}, 0.9, 0.9}, {{1.2, -5.6, -4.4}, 1.0, 1.1},
                              {{-5.3, 4.4, 0.7}, 1.2, -0.6}};

at::Tensor volume_of(const std::vector<Ball>& all, const VolumeGrid& g) {
  at::Tensor v = at::zeros({g.nz, g.ny, g.nx}, at::kDouble);
  auto to = v.accessor<double, 3>();
  for (int64_t k = 0; k < g.nz; ++k)
    for (int64_t j = 0; j < g.ny; ++j)
      for (int64_t i = 0; i < g.nx; ++i)
        for (const Ball& b : all) {
          const Vec3 d = g.position(static_cast<double>(k), static_cast<double>(j), static_cast<double>(i)) - b.centre;
          to[k][j][i] += b.value * std::exp(-dot(d, d) / (2 * b.sigma * b.sigma));
        }
  return v;
}

at::Tensor projections_of(const std::vector<Ball>& all, const ScanGeometry& g) {
  const DetectorShape& d = g.detector();
  at::Tensor p = at::zeros({g.views(), d.rows, d.cols}, at::kDouble);
  auto to = p.accessor<double, 3>();
  for (int64_t n = 0; n < g.views(); ++n) {
    const View& v = g.view(n);
    const Vec3 beam = (1 / norm(v.beam)) * v.beam;
    for (int64_t row = 0; row < d.rows; ++row)
      for (int64_t col = 0; col < d.cols; ++col) {
        const Vec3 pixel = v.detector + (static_cast<double>(col) - 0.5 * static_cast<double>(d.cols - 1)) * v.u -
                           (static_cast<double>(row) - 0.5 * static_cast<double>(d.rows - 1)) * v.v;
        for (const Ball& b : all) {
          const Vec3 to_ball = b.centre - pixel;
          const double along = dot(to_ball, beam), square = dot(to_ball, to_ball) - along * along;
          to[n][row][col] += b.value * b.sigma * std::sqrt(2 * pi) * std::exp(-square / (2 * b.sigma * b.sigma));
        }
      }
  }
  return p;
}

// Views of random directions and rolls, shifted by up to a few pixels; the same for every run.
ScanGeometry random_directions(int64_t views, DetectorShape detector, double shift, uint64_t seed) {
  const Philox random{seed, 3};
  std::vector<View> all;
  for (int64_t i = 0; i < views; ++i) {
    const auto at = static_cast<uint64_t>(8 * i);
    const auto three = [&](uint64_t from) {
      return Vec3{random.normal(at + from), random.normal(at + from + 1), random.normal(at + from + 2)};
    };
    View v;
    v.beam = three(0);
    v.beam = (1 / norm(v.beam)) * v.beam;
    const Vec3 across = cross(three(3), v.beam);
    v.u = (1 / norm(across)) * across;
    v.v = cross(v.u, v.beam);
    v.detector = shift * random.normal(at + 6) * v.u + shift * random.normal(at + 7) * v.v;
    v.u = detector.pitch_u * v.u;
    v.v = detector.pitch_v * v.v;
    all.push_back(v);
  }
  return ScanGeometry::from_views(Beam::parallel, detector, all).or_throw();
}

FourierSampling sampling_of(const ScanGeometry& g, const VolumeGrid& grid) {
  FourierSampling s;
  s.geometry = g;
  s.grid = grid;
  return s;
}
at::Tensor volume_from(const at::Tensor& p, const ScanGeometry& g, const VolumeGrid& grid,
                       const std::string& symmetry = "C1") {
  return fourier_volume(p, {sampling_of(g, grid), symmetry}).or_throw();
}

// Oblong voxels, a grid off the origin, oblong pixels, shifted views.
FourierSampling awkward() {
  const VolumeGrid box{9, 12, 10, {0.21, -0.32, 0.13}, {0.7, 0, 0}, {0, 0.8, 0}, {0, 0, 0.6}};
  return sampling_of(random_directions(7, {14, 19, 0.6, 0.7}, 0.4, 5), box);
}

// The least correlation of shells up to a frequency [cycles per voxel].
double least_correlation(const at::Tensor& a, const at::Tensor& b, double up_to) {
  double least = 1;
  for (const FourierShell& s : shell_correlation(a, b, {1, 1, 1}).or_throw())
    if (s.frequency <= up_to + 1e-9) least = std::min(least, s.correlation);
  return least;
}

double rms(const at::Tensor& x) { return x.to(at::kDouble).square().mean().sqrt().item<double>(); }

}  // namespace

class FourierVolumeTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Values of the definition; the transform at 0 is the integral, at other frequencies that of a quadrature.
  void blob_values() {
    const auto near = [](double a, double b, double relative) { return std::abs(a - b) <= relative * std::abs(b); };
    constexpr double digits = 5e-6;  // of the reference values
    QVERIFY(blob(0) == 1 && blob(1.9001) == 0);
    QVERIFY(near(blob(0.475), 0.631357, digits) && near(blob(0.95), 0.144236, digits));
    QVERIFY(near(blob(1.425), 7.69579e-3, digits) && near(blob(1.9), 2.94421e-6, digits));
    QVERIFY(near(blob_transform(0), 1.720606, digits));
    constexpr int64_t steps = 4000;
    for (const double s : {0.0, 0.11, 0.25, 0.43, 0.87, 1.3}) {
      double sum = 0;
      for (int64_t i = 0; i < steps; ++i) {
        const double r = blob_radius * (static_cast<double>(i) + 0.5) / steps, turn = 2 * pi * s * r;
        sum += 4 * pi * r * r * blob(r) * (turn == 0 ? 1 : std::sin(turn) / turn) * blob_radius / steps;
      }
      QVERIFY2(std::abs(sum - blob_transform(s)) < 1e-5, std::to_string(sum - blob_transform(s)).c_str());
    }
    const BlobTable table;
    for (const double r : {0.0, 0.3, 0.77, 1.41, 1.88}) {
      const double tolerance = r < 1.86 ? 1e-11 : 3e-6;  // where it fades out
      QVERIFY(std::abs(blob_weight(table.entries<double>(), r * r) - blob(r)) < tolerance);
      QVERIFY(std::abs(blob_weight(table.entries<float>(), static_cast<float>(r * r)) - blob(r)) < 4e-6);
      constexpr double step = 1e-4;
      const double difference =
          (blob(std::sqrt(r * r + step)) - blob(std::sqrt(std::max(0.0, r * r - step)))) / 2 / step;
      if (r > 0 && r < 1.86) QVERIFY(std::abs(blob_slope(table.entries<double>(), r * r) - difference) < 1e-6);
    }
  }
  // Orders, closure, and rotations: orthogonal with determinant 1, all different.
  void groups() {
    const auto same = [](const Rotation& a, const Rotation& b) {
      double most = 0;
      for (std::size_t i = 0; i < 9; ++i) most = std::max(most, std::abs(a[i] - b[i]));
      return most < 1e-9;
    };
    for (const auto& [name, order] : std::vector<std::pair<std::string, std::size_t>>{
             {"C1", 1}, {"C7", 7}, {"D1", 2}, {"d5", 10}, {"T", 12}, {"O", 24}, {"I", 60}}) {
      const std::vector<Rotation> group = symmetry_group(name).or_throw();
      QCOMPARE(group.size(), order);
      QVERIFY(same(group[0], {1, 0, 0, 0, 1, 0, 0, 0, 1}));
      for (const Rotation& a : group) {
        const Vec3 x = rotated(a, {1, 0, 0}), y = rotated(a, {0, 1, 0}), z = rotated(a, {0, 0, 1});
        QVERIFY(norm(cross(x, y) - z) < 1e-9 && std::abs(norm(x) - 1) < 1e-9);
        QCOMPARE(std::count_if(group.begin(), group.end(), [&](const Rotation& b) { return same(a, b); }), 1);
        for (const Rotation& b : group) {
          const Rotation product = after(a, b);
          QVERIFY(std::any_of(group.begin(), group.end(), [&](const Rotation& c) { return same(product, c); }));
        }
      }
    }
    for (const char* wrong : {"", "C", "C0", "C361", "D", "X3", "T2", "C-1", "I1", "C99999999999"})
      QVERIFY(!symmetry_group(wrong).ok());
  }
  void exact_transpose() {
    for (const double padding : {1.0, 2.0, 2.7}) {
      FourierSampling s = awkward();
      s.padding = padding;
      const OperatorPtr op = make_fourier_projector(s).or_throw();
      QVERIFY(test::worst_adjoint_error(*op, at::kDouble) < rounding64);
      QVERIFY(test::worst_adjoint_error(*op, at::kFloat) < rounding32);
    }
  }
  // Projections of Gaussian balls: the error is that of the replicas that the blob leaves.
  void slices_are_projections() {
    const VolumeGrid grid = VolumeGrid::cubic(30, 32, 31, 1, {0.3, -0.2, 0.1});
    const ScanGeometry g = random_directions(12, {33, 30, 1, 1}, 0.7, 8);
    std::vector<Ball> wide = balls;  // so that voxels and pixels sample them without aliasing
    for (Ball& b : wide) b.sigma *= 1.4;
    const at::Tensor expected = projections_of(wide, g), volume = volume_of(wide, grid);
    constexpr double bound =
        0.025;  // three times what the blob leaves of a replica, blob_transform(1) / blob_transform(0)
    for (const double padding : {2.0, 3.0}) {
      FourierSampling s = sampling_of(g, grid);
      s.padding = padding;
      const at::Tensor p = make_fourier_projector(s).or_throw()->apply(volume);
      const double error = test::max_difference(p, expected) / expected.abs().max().item<double>();
      qInfo("padding %g: largest error of a slice %.2g", padding, error);
      QVERIFY2(error < bound, std::to_string(error).c_str());
    }
  }
  // By autograd against central differences, for all twelve vectors of every view.
  void gradients() {
    const FourierSampling s = awkward();
    const OperatorPtr op = make_fourier_projector(s).or_throw();
    const at::Tensor x = test::gaussian(op->domain(), at::kDouble, 3), y = test::gaussian(op->range(), at::kDouble, 4);
    const std::vector<double> numbers = s.geometry.vectors();
    const at::Tensor start = at::tensor(at::ArrayRef<double>(numbers), at::kDouble).view({-1, 12});
    const at::Tensor vectors = start.clone().requires_grad_();
    (tl::apply(op, x, vectors) * y).sum().backward();
    const auto loss = [&](const at::Tensor& v) { return inner_product(op->with_vectors(v)->apply(x), y); };
    constexpr double step = 1e-7, bound = 1e-6;  // the law C10
    for (int64_t seed = 0; seed < 6; ++seed) {
      at::Tensor change = test::gaussian({s.geometry.views(), 12}, at::kDouble, static_cast<uint64_t>(40 + seed));
      const double difference = (loss(start + step * change) - loss(start - step * change)) / (2 * step);
      const double exact = (vectors.grad() * change).sum().item<double>();
      const double scale = (vectors.grad() * change).abs().sum().item<double>() / std::sqrt(84.0);
      QVERIFY2(std::abs(difference - exact) < bound * scale,
               (std::to_string(difference) + " " + std::to_string(exact)).c_str());
    }
    // A view's own shift along its columns, and its direction.
    for (const int64_t which : {0, 1, 2, 3, 4, 5, 6, 10}) {
      at::Tensor change = at::zeros_like(start);
      change[2][which] = 1;
      const double difference = (loss(start + step * change) - loss(start - step * change)) / (2 * step);
      const double exact = vectors.grad()[2][which].item<double>();
      QVERIFY2(std::abs(difference - exact) < bound * vectors.grad()[2].abs().max().item<double>(),
               (std::to_string(difference) + " " + std::to_string(exact)).c_str());
    }
  }
  // 1000 random directions, each view shifted: the volume in place and value.
  void gaussian_balls() {
    constexpr int64_t n = 32;
    const VolumeGrid grid = VolumeGrid::cubic(n, n, n, 1);
    const ScanGeometry g = random_directions(1000, {n, n, 1, 1}, 0.6, 9);
    const at::Tensor truth = volume_of(balls, grid);
    const at::Tensor image = volume_from(projections_of(balls, g).to(at::kFloat), g, grid).to(at::kDouble);
    const double least = least_correlation(image, truth, 0.4), error = rms(image - truth) / rms(truth);
    qInfo("least shell correlation to 0.4 cycles/voxel %.5f, error %.4f of the rms", least, error);
    QVERIFY(least >= 0.99);
    QVERIFY(error < 0.03);
    QVERIFY(std::abs(image.sum().item<double>() / truth.sum().item<double>() - 1) < 0.01);
  }
  // Directions within 50 degrees of an axis: what was not measured is left out, without NaN.
  void missing_wedge() {
    const VolumeGrid grid = VolumeGrid::cubic(24, 24, 24, 1);
    const ScanGeometry g = ScanGeometry::parallel(equidistant_angles(40, 100 * pi / 180), {24, 24, 1, 1}).or_throw();
    const at::Tensor image = volume_from(projections_of(balls, g), g, grid);
    QVERIFY(image.isfinite().all().item<bool>());
    QVERIFY(rms(image) > 0.1 * rms(volume_of(balls, grid)));
    const ScanGeometry one = ScanGeometry::parallel({0.3}, {24, 24, 1, 1}).or_throw();
    QVERIFY(volume_from(projections_of(balls, one), one, grid).isfinite().all().item<bool>());
  }
  // A half turn, as gridrec reconstructs it: the error inside the field of view is at most a tenth larger.
  void half_turn_as_gridrec() {
    constexpr int64_t n = 128;
    const ScanGeometry g = ScanGeometry::parallel(equidistant_angles(200, pi, 0.1), {6, n, 1, 1}, 1.3).or_throw();
    const VolumeGrid grid = VolumeGrid::cubic(6, n, n, 1);
    const Phantom phantom = shepp_logan_2d(0.45 * n);
    const at::Tensor p = phantom_projections(phantom, g, {at::kFloat, 4, {}});
    const at::Tensor truth = phantom_volume(phantom, grid, {at::kDouble, 4, {}});
    GridrecSpec spec;
    spec.geometry = g;
    spec.width = n;
    const at::Tensor x = at::arange(n, at::kDouble) - 0.5 * (n - 1);
    const at::Tensor inside = (x.square().view({-1, 1}) + x.square().view({1, -1})).sqrt() <= 0.4 * n;
    const auto error = [&](const at::Tensor& image) {
      return rms((image.to(at::kDouble) - truth).narrow(0, 2, 2).masked_select(inside));
    };
    const double ours = error(volume_from(p, g, grid)), theirs = error(gridrec(p, spec).or_throw());
    qInfo("error inside: %.5f, gridrec %.5f", ours, theirs);
    QVERIFY(ours <= 1.1 * theirs);
  }
  // A quarter of the views with the symmetry of the object, and all of them: the same volume.
  void symmetry_fills_directions() {
    const VolumeGrid grid = VolumeGrid::cubic(24, 24, 24, 1);
    std::vector<Ball> fourfold;
    const std::vector<Rotation> group = symmetry_group("O").or_throw();
    for (const Rotation& r : group) fourfold.push_back({rotated(r, {5.2, 2.9, 0.8}), 1.2, 1});
    const ScanGeometry g = random_directions(60, {24, 24, 1, 1}, 0, 12);
    const at::Tensor truth = volume_of(fourfold, grid);
    const at::Tensor p = projections_of(fourfold, g);
    const double alone = rms(volume_from(p, g, grid) - truth), all = rms(volume_from(p, g, grid, "O") - truth);
    qInfo("error with symmetry %.4f, without %.4f", all, alone);
    QVERIFY(all < 0.5 * alone && all < 0.05 * rms(truth));
    // The result has the symmetry: a quarter turn about z maps it onto itself.
    const at::Tensor image = volume_from(p, g, grid, "O");
    const double gap = test::max_difference(image, at::rot90(image, 1, {1, 2})) / image.abs().max().item<double>();
    QVERIFY2(gap < 1e-6, std::to_string(gap).c_str());
  }
  void any_number_of_threads() {
    const ScanGeometry g = random_directions(20, {17, 20, 1, 1}, 0.4, 13);
    const at::Tensor p = test::gaussian({20, 17, 20}, at::kFloat, 4);
    const int usual = at::get_num_threads();
    std::vector<at::Tensor> images;
    for (const int threads : {1, 2, 3, 8}) {
      at::set_num_threads(threads);
      images.push_back(volume_from(p, g, VolumeGrid::cubic(20, 20, 20, 1), "D3"));
    }
    at::set_num_threads(usual);
    for (const at::Tensor& image : images)
      QVERIFY(test::max_difference(image, images[0]) < 1e-6 * images[0].abs().max().item<double>());
  }
  void refusals() {
    const VolumeGrid grid = VolumeGrid::cubic(8, 8, 8, 1);
    const ScanGeometry g = ScanGeometry::parallel({0, 1}, {8, 8, 1, 1}).or_throw();
    const at::Tensor p = at::ones({2, 8, 8});
    const auto with = [&](auto change) {
      FourierVolumeSpec spec{sampling_of(g, grid), "C1"};
      change(spec);
      return fourier_volume(p, spec).ok();
    };
    QVERIFY(with([](FourierVolumeSpec&) {}));
    QVERIFY(!with([](FourierVolumeSpec& s) { s.sampling.padding = 0.9; }));
    QVERIFY(!with([](FourierVolumeSpec& s) { s.sampling.cutoff = 0; }));
    QVERIFY(!with([](FourierVolumeSpec& s) { s.symmetry = "K"; }));
    QVERIFY(!with([](FourierVolumeSpec& s) { s.sampling.grid.step_x = {1e-9, 0, 0}; }));
    QVERIFY(!with([](FourierVolumeSpec& s) {
      s.sampling.geometry = ScanGeometry::cone({0, 1}, {8, 8, 1, 1}, 50, 50).or_throw();
    }));
    QVERIFY_THROWS_EXCEPTION(Failure, (void)fourier_volume(p[0], {sampling_of(g, grid), "C1"}));
    FourierVolumeSpec stopped{sampling_of(g, grid), "C1"};
    stopped.sampling.cancel.cancel();
    QVERIFY_THROWS_EXCEPTION(Failure, (void)fourier_volume(p, stopped));
  }
};

TL_TEST_CASE(FourierVolumeTest)

}  // namespace tl::fourier_volume_test

#include "fourier_volume.moc"
