// Redundancy weights: the advice for each kind of scan, every ray counts once, and analytic objects are reconstructed.
#include "gpu/projection/redundancy.h"

#include <cmath>

#include "core/base/larger.h"
#include "core/base/units.h"
#include "gpu/filtering/fdk_weights.h"
#include "gpu/filtering/ramp_filter.h"
#include "gpu/projection/back_projector/back_projector.h"
#include "gpu/projection/view_weights.h"
#include "gpu/simulate/phantom_library.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::redundancy_test {

using namespace tl::ops;

namespace {

constexpr double degree = pi / 180;

ScanGeometry cone(double range, int64_t views, double axis = 0, int64_t cols = 160, double start = 0.3) {
  Orbit o;
  o.beam = Beam::cone;
  o.angles = equidistant_angles(views, range, start);
  o.source_to_axis = 300;
  o.axis_to_detector = 100;
  o.axis = axis;
  return ScanGeometry::from_orbit(o, {1, cols, 1, 1}).or_throw();
}
ScanGeometry parallel(double range, int64_t views, double axis = 0, int64_t cols = 120) {
  return ScanGeometry::parallel(equidistant_angles(views, range, 0.3), {1, cols, 1, 1}, axis).or_throw();
}

// Gantry angle of a view, and where the ray of a column lies: its direction and its signed distance from the axis.
struct Line {
  double direction, offset;
};
Line line_of(const ScanGeometry& g, int64_t view, int64_t col) {
  const View& w = g.view(view);
  const Vec3 pixel = w.detector + (static_cast<double>(col) - 0.5 * static_cast<double>(g.detector().cols - 1)) * w.u;
  const Vec3 d = g.is_parallel() ? w.beam : pixel - w.beam;
  const double length = std::hypot(d.x, d.y);
  return {std::atan2(d.y, d.x), (pixel.x * d.y - pixel.y * d.x) / length};
}

// Sum over the scan of weight times |d(direction, offset)| in bins of lines without orientation: with fine sampling
// every line of the field is counted once.
std::vector<double> line_counts(const ScanGeometry& g, const at::Tensor& weights, double radius, int64_t bins) {
  std::vector<double> counts(static_cast<std::size_t>(bins * bins), 0.0);
  const auto w = weights.accessor<double, 3>();
  for (int64_t view = 0; view < g.views(); ++view)
    for (int64_t col = 1; col + 1 < g.detector().cols; ++col) {
      Line l = line_of(g, view, col);
      const double width = 0.5 * std::abs(line_of(g, view, col + 1).offset - line_of(g, view, col - 1).offset);
      if (l.direction < 0) l = {l.direction + pi, -l.offset};
      if (l.direction >= pi) l = {l.direction - pi, -l.offset};
      const auto a = std::min(bins - 1, static_cast<int64_t>(l.direction / pi * static_cast<double>(bins)));
      const double bin = 2 * radius / static_cast<double>(bins);
      for (int64_t s = 0; s < bins; ++s) {  // the part of the pixel's strip inside each bin
        const double low = std::max(l.offset - 0.5 * width, -radius + static_cast<double>(s) * bin);
        const double high = std::min(l.offset + 0.5 * width, -radius + static_cast<double>(s + 1) * bin);
        if (high > low)
          counts.at(static_cast<std::size_t>(a * bins + s)) += (high - low) * w[view][0][w.size(2) == 1 ? 0 : col];
      }
    }
  const double area = pi / static_cast<double>(bins) * 2 * radius / static_cast<double>(bins);
  for (double& c : counts) c /= area;
  return counts;
}

// FBP or FDK of a slice with given weights [view, 1 or row, col].
at::Tensor reconstruct(const ScanGeometry& scan, const at::Tensor& p, const at::Tensor& weights, const VolumeGrid& grid,
                       RowExtension extension = RowExtension::zero, const DetectorMargins& margins = {}) {
  const ScanGeometry g = with_detector_margins(scan, margins);
  const DetectorShape& d = g.detector();
  const at::Tensor weighted =
      at::constant_pad_nd(make_fdk_weights(scan).or_throw()->apply(p) * weights.to(p.scalar_type()),
                          {margins.before, margins.after})
          .contiguous();
  RampFilterSpec ramp;
  ramp.views = g.views();
  ramp.rows = d.rows;
  ramp.cols = d.cols;
  ramp.pitch = d.pitch_u / g.magnification();
  ramp.extension = extension;
  return make_back_projector({g, grid, DistanceWeight::fdk})
      .or_throw()
      ->apply(make_ramp_filter(ramp).or_throw()->apply(weighted));
}
at::Tensor even(const ScanGeometry& g) {
  return at::tensor(at::ArrayRef<double>(view_weights(g).or_throw().weights), at::kDouble).view({-1, 1, 1});
}

// An off-centre disc with a smaller one in it and one next to it, for fields of radius 40.
Phantom discs() {
  Phantom p = disc(22, 1, 8, 5);
  p.parts.push_back(disc(6, 0.5, 14, -2).parts[0]);
  p.parts.push_back(disc(5, 1, -24, -12).parts[0]);
  return p;
}
// Mean absolute error inside a disc, away from edges of the phantom.
double flat_error(const at::Tensor& image, const Phantom& phantom, const VolumeGrid& grid) {
  const at::Tensor truth = phantom_volume(phantom, grid);
  const at::Tensor high = at::max_pool2d(truth, {5, 5}, {1, 1}, {2, 2}),
                   low = -at::max_pool2d(-truth, {5, 5}, {1, 1}, {2, 2});
  return (image - truth).abs().masked_select(high.eq(low)).mean().item<double>();
}

at::Tensor vectors(const ScanGeometry& g) {
  return at::tensor(at::ArrayRef<double>(g.vectors()), at::kDouble).view({g.views(), 12});
}

}  // namespace

class RedundancyTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void advice() {
    const auto kind = [](const ScanGeometry& g) { return advise_redundancy(g).or_throw().kind; };
    QVERIFY(kind(cone(2 * pi, 360)) == Redundancy::none);
    QVERIFY(kind(cone(2 * pi, 360, 4)) == Redundancy::none);  // 4 px of 160 is centred
    QVERIFY(kind(cone(2 * pi, 360, 30)) == Redundancy::displaced);
    QVERIFY(kind(cone(2 * pi, 360, -30)) == Redundancy::displaced);
    QVERIFY(kind(cone(240 * degree, 240)) == Redundancy::parker);
    QVERIFY(kind(cone(330 * degree, 330)) == Redundancy::parker);
    QVERIFY(kind(cone(-240 * degree, 240)) == Redundancy::parker);
    QVERIFY(kind(cone(190 * degree, 190)) == Redundancy::smooth);
    QVERIFY(advise_redundancy(cone(190 * degree, 190)).or_throw().incomplete);
    QVERIFY(advise_redundancy(cone(2 * pi, 360, 90)).or_throw().incomplete);
    QVERIFY(kind(parallel(pi, 180)) == Redundancy::none);
    QVERIFY(kind(parallel(181 * degree, 181)) == Redundancy::none);
    QVERIFY(kind(parallel(220 * degree, 220)) == Redundancy::parker);
    QVERIFY(kind(parallel(2 * pi, 360)) == Redundancy::none);
    QVERIFY(kind(parallel(2 * pi, 360, 40)) == Redundancy::displaced);
    QVERIFY(kind(parallel(pi, 180, 40)) == Redundancy::none);
    QVERIFY(kind(parallel(90 * degree, 90)) == Redundancy::none);
    for (const int64_t few : {1, 2, 3, 5, 9}) QVERIFY(kind(parallel(pi, few, 40)) == Redundancy::none);
    const auto lamino = ScanGeometry::laminography(equidistant_angles(90, 2 * pi), {4, 40, 1, 1}, 0.5, 12).or_throw();
    QVERIFY(kind(lamino) == Redundancy::none);
  }
  void refusals() {
    QVERIFY(!redundancy_weights(cone(190 * degree, 190), Redundancy::parker).ok());
    QVERIFY(!redundancy_weights(cone(240 * degree, 240), Redundancy::displaced).ok());
    QVERIFY(!redundancy_weights(cone(2 * pi, 360, 90), Redundancy::displaced).ok());
    QVERIFY(!redundancy_weights(cone(2 * pi, 360), Redundancy::parker).ok());
    QVERIFY(!redundancy_weights(cone(2 * pi, 360), Redundancy::smooth).ok());
  }

  // Every line through the field counts once, whichever weights serve the scan. The bound is the sampling of the bins.
  void every_line_counts_once() {
    struct Case {
      const char* name;
      ScanGeometry scan;
      Redundancy kind;
    };
    for (const Case& c : {Case{"short cone", cone(240 * degree, 2400), Redundancy::parker},
                          Case{"over cone", cone(320 * degree, 3200), Redundancy::parker},
                          Case{"backwards", cone(-240 * degree, 2400), Redundancy::parker},
                          Case{"smooth", cone(240 * degree, 2400), Redundancy::smooth},
                          Case{"half fan", cone(2 * pi, 3600, 50), Redundancy::displaced},
                          Case{"other half", cone(2 * pi, 3600, -50), Redundancy::displaced},
                          Case{"parallel overscan", parallel(220 * degree, 2200), Redundancy::parker},
                          Case{"half acquisition", parallel(2 * pi, 3600, 40), Redundancy::displaced}}) {
      const at::Tensor w = redundancy_weights(c.scan, c.kind).or_throw();
      double worst = 0;
      for (const double count : line_counts(c.scan, w, 45, 12)) worst = larger_or_nan(worst, std::abs(count - 1));
      QVERIFY2(worst < 0.01, (std::string(c.name) + ": " + std::to_string(worst)).c_str());
    }
  }

  // Partners sum to one exactly: beta, gamma and beta + pi - 2 gamma, -gamma.
  void parker_partners() {
    const double range = 240 * degree;
    const int64_t views = 480;
    const ScanGeometry g = cone(range, views);
    const at::Tensor w = redundancy_weights(g, Redundancy::parker).or_throw() / (range / static_cast<double>(views));
    QVERIFY(w.min().item<double>() >= 0 && w.max().item<double>() <= 1 + 1e-12);
    // The ray through the axis lies between the two middle columns; their mean is its weight to second order.
    const auto a = w.accessor<double, 3>();
    const auto central = [&](int64_t view) { return 0.5 * (a[view][0][79] + a[view][0][80]); };
    for (int64_t view = 0; view < 120; ++view) QVERIFY(std::abs(central(view) + central(view + 360) - 1) < 2e-5);
    for (int64_t view = 121; view < 358; ++view) QVERIFY(std::abs(central(view) - 1) < 2e-5);
  }

  // Half a turn and the fan is as good as a full turn.
  void short_scan() {
    const VolumeGrid grid = VolumeGrid::cubic(1, 80, 80, 1);
    const ScanGeometry full = cone(2 * pi, 360), part = cone(240 * degree, 240);
    const double reference =
        flat_error(reconstruct(full, phantom_projections(discs(), full), even(full), grid), discs(), grid);
    const at::Tensor p = phantom_projections(discs(), part);
    const double found =
        flat_error(reconstruct(part, p, redundancy_weights(part, Redundancy::parker).or_throw(), grid), discs(), grid);
    const double faded =
        flat_error(reconstruct(part, p, redundancy_weights(part, Redundancy::smooth).or_throw(), grid), discs(), grid);
    const double none = flat_error(reconstruct(part, p, even(part), grid), discs(), grid);
    const std::string text = "full " + std::to_string(reference) + ", Parker " + std::to_string(found) + ", smooth " +
                             std::to_string(faded) + ", none " + std::to_string(none);
    qInfo("%s", text.c_str());
    QVERIFY2(found < 1.5 * reference && faded < 2 * reference && none > 5 * reference, text.c_str());
  }
  void parallel_overscan() {
    const VolumeGrid grid = VolumeGrid::cubic(1, 80, 80, 1);
    const ScanGeometry half = parallel(pi, 180), over = parallel(220 * degree, 220);
    const double reference =
        flat_error(reconstruct(half, phantom_projections(discs(), half), even(half), grid), discs(), grid);
    const double found = flat_error(reconstruct(over, phantom_projections(discs(), over),
                                                redundancy_weights(over, Redundancy::parker).or_throw(), grid),
                                    discs(), grid);
    QVERIFY2(found < 1.1 * reference, (std::to_string(found) + " " + std::to_string(reference)).c_str());
  }
  // The detector to one side: the field becomes twice as wide.
  void displaced() {
    const VolumeGrid grid = VolumeGrid::cubic(1, 80, 80, 1);
    for (const double side : {-1.0, 1.0}) {
      const ScanGeometry wide = cone(2 * pi, 360), fan = cone(2 * pi, 360, 30 * side, 84);
      const double reference =
          flat_error(reconstruct(wide, phantom_projections(discs(), wide), even(wide), grid), discs(), grid);
      const at::Tensor p = phantom_projections(discs(), fan);
      const auto with = [&](const ScanGeometry& g) {
        return flat_error(
            reconstruct(g, phantom_projections(discs(), g), redundancy_weights(g, Redundancy::displaced).or_throw(),
                        grid, RowExtension::zero, redundancy_margins(g, Redundancy::displaced).or_throw()),
            discs(), grid);
      };
      const double found = with(fan);
      const double none = flat_error(reconstruct(fan, p, even(fan), grid), discs(), grid);
      const std::string text =
          std::to_string(reference) + ", displaced " + std::to_string(found) + ", none " + std::to_string(none);
      qInfo("%s", text.c_str());
      QVERIFY2(found < 1.5 * reference && none > 5 * reference, text.c_str());
      const ScanGeometry half = parallel(2 * pi, 360, 30 * side, 84);
      const double acquisition = with(half);
      QVERIFY2(acquisition < 1.5 * reference, std::to_string(acquisition).c_str());
    }
  }
  // A disc wider than the detector: inside the field its value comes back, without the bright rim.
  void truncated() {
    const ScanGeometry g = parallel(pi, 180);
    const VolumeGrid grid = VolumeGrid::cubic(1, 80, 80, 1);
    const Phantom wide = disc(80, 1, 4, -3);
    const at::Tensor p = phantom_projections(wide, g);
    const auto image = [&](RowExtension e) { return reconstruct(g, p, even(g), grid, e); };
    const at::Tensor zero = image(RowExtension::zero), smooth = image(RowExtension::smooth);
    const std::string text = "cupping " + std::to_string(zero.std().item<double>()) + ", smooth " +
                             std::to_string(smooth.std().item<double>()) + "; mean " +
                             std::to_string(zero.mean().item<double>()) + ", smooth " +
                             std::to_string(smooth.mean().item<double>());
    qInfo("%s", text.c_str());
    // The rim is gone; what the cut-off part weighs can only be guessed.
    QVERIFY2(smooth.std().item<double>() < 0.4 * zero.std().item<double>(), text.c_str());
    QVERIFY2(std::abs(smooth.mean().item<double>() - 1) < 0.5 * std::abs(zero.mean().item<double>() - 1), text.c_str());
    // Where nothing is cut off it changes nothing.
    const Phantom inside = disc(30, 1, 4, -3);
    const at::Tensor q = phantom_projections(inside, g);
    QVERIFY(test::max_difference(reconstruct(g, q, even(g), grid, RowExtension::smooth),
                                 reconstruct(g, q, even(g), grid)) < 1e-6);
  }

  // Through a learned axis the weights change as by central differences.
  void follow_a_learned_axis() {
    const auto derivative = [&](const auto& scan, Redundancy kind) {
      constexpr double h = 1e-6;
      const auto at_axis = [&](double axis) { return vectors(scan(axis)); };
      const at::Tensor middle = at_axis(0.37), slope = (at_axis(0.37 + h) - at_axis(0.37 - h)) / (2 * h);
      const at::Tensor t = at::zeros({}, at::kDouble).requires_grad_();
      const at::Tensor w = redundancy_weights(scan(0.37), kind, middle + t * slope).or_throw();
      const at::Tensor y = test::gaussian(w.sizes().vec(), at::kDouble, 9);
      (w * y).sum().backward();
      const auto value = [&](double axis) {
        return (redundancy_weights(scan(axis), kind).or_throw() * y).sum().template item<double>();
      };
      return std::pair{t.grad().item<double>(), (value(0.37 + h) - value(0.37 - h)) / (2 * h)};
    };
    const auto check = [&](const auto& scan, Redundancy kind, const char* name) {
      const auto [exact, numeric] = derivative(scan, kind);
      QVERIFY2(std::abs(exact - numeric) < 1e-6 * std::max(std::abs(exact), 1e-3),
               (std::string(name) + ": " + std::to_string(exact) + " " + std::to_string(numeric)).c_str());
    };
    check([](double a) { return cone(240 * degree, 60, a, 40); }, Redundancy::parker, "parker");
    check([](double a) { return cone(240 * degree, 60, a, 40); }, Redundancy::smooth, "smooth");
    check([](double a) { return cone(2 * pi, 60, 10 + a, 40); }, Redundancy::displaced, "displaced");
    check([](double a) { return parallel(2 * pi, 60, 10 + a, 40); }, Redundancy::displaced, "half acquisition");
  }
  void a_leaning_axis_misses_the_cone_of_directions_about_it() {
    constexpr double radius = 14, value = 0.3;
    constexpr int64_t size = 96;
    // Pixels of a fourteenth of the radius; interpolation.
    constexpr double tolerance = 0.02;
    for (const double lean : {25.0, 35.0, -25.0}) {
      const ScanGeometry g =
          ScanGeometry::laminography(equidistant_angles(240, 2 * pi), {size, size, 1, 1}, lean * pi / 180).or_throw();
      const at::Tensor x = (at::arange(size, at::kDouble) - 0.5 * static_cast<double>(size - 1)).square();
      const at::Tensor chord = 2 * value * (radius * radius - x.view({-1, 1}) - x).clamp_min(0).sqrt();
      const at::Tensor ball =
          reconstruct(g, chord.expand({g.views(), size, size}).contiguous(), even(g), VolumeGrid::cubic(1, 1, 1, 1));
      const double expected = value * std::cos(lean * pi / 180), found = ball.item<double>();
      QVERIFY2(std::abs(found - expected) < tolerance * value, std::to_string(found).c_str());
      const RedundancyAdvice advice = advise_redundancy(g).or_throw();
      QVERIFY(advice.incomplete && advice.reason.find("not to scale") != std::string::npos);
    }
    QVERIFY(
        !advise_redundancy(ScanGeometry::laminography(equidistant_angles(240, 2 * pi), {8, 8, 1, 1}, 0.01).or_throw())
             .or_throw()
             .incomplete);
  }
};

TL_TEST_CASE(RedundancyTest)

}  // namespace tl::redundancy_test

#include "redundancy.moc"
