// Samples along lines of tilted detectors: exact adjoint, correct slopes, noise independent of the position.
#include "gpu/projection/oblique_rows.h"

#include <cmath>

#include "core/base/units.h"
#include "gpu/operator/forward_mode.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::oblique_rows_test {

using ops::DetectorLines;
using ops::LineParts;

namespace {

DetectorLines points(const std::vector<double>& row, const std::vector<double>& col) {
  const auto line = [](const std::vector<double>& v) {
    return at::tensor(at::ArrayRef<double>(v), at::kDouble).view({1, -1});
  };
  return {line(row), line(col)};
}

// Positions in the middle of the field with all fractions of a pixel.
DetectorLines all_fractions() {
  std::vector<double> row, col;
  for (int n = 0; n < 40; ++n) {
    row.push_back(12 + 0.137 * n);
    col.push_back(14 + 0.231 * n);
  }
  return points(row, col);
}

constexpr DetectorShape detector{30, 40, 0.5, 0.5};

at::Tensor vectors_of(const at::Tensor& tilt, const at::Tensor& axis) {
  Orbit o;
  o.angles = equidistant_angles(5, pi);
  o.axis_to_detector = 10;
  const auto upright = ScanGeometry::from_orbit(o, detector).or_throw().vectors();
  const at::Tensor v = at::tensor(at::ArrayRef<double>(upright), at::kDouble).view({5, 12});
  const at::Tensor u = v.narrow(1, 6, 3), w = v.narrow(1, 9, 3), c = tilt.cos(), s = tilt.sin();
  const at::Tensor turned_u = c * u + s * w, turned_w = c * w - s * u;
  return at::cat({v.narrow(1, 0, 3), v.narrow(1, 3, 3) - axis * turned_u, turned_u, turned_w}, 1);
}

at::Tensor score(const at::Tensor& views, const at::Tensor& tilt) {
  const at::Tensor axis = at::scalar_tensor(1.3, at::kDouble);
  const at::Tensor lines =
      ops::sample_lines(views, ops::horizontal_lines(vectors_of(tilt, axis), detector, {-7.1, 0.4, 8}));
  return (lines * test::gaussian(lines.sizes().vec(), at::kDouble, 5)).sum();
}

}  // namespace

class ObliqueRowsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_transpose_is_exact() {
    // Positions beyond the detector and detectors smaller than the window among them.
    const DetectorLines wild = points({-20, -0.3, 0, 3.7, 9.2, 11, 40}, {2.2, -9, 0.5, 4.4, 12.9, 90, 7});
    for (const LineParts parts : {LineParts::values, LineParts::with_slopes})
      for (const auto& shape : {std::vector<int64_t>{3, 12, 14}, std::vector<int64_t>{2, 3, 5}}) {
        QVERIFY(test::worst_adjoint_error(*ops::make_line_samples(shape, at::kDouble, wild, parts), at::kDouble) <
                1e-13);
      }
  }

  // About another point a tilt would move them to other slices.
  void lines_turn_about_the_axis() {
    constexpr double axis = 6.5, middle_row = 14.5, column = 19.5 + axis;
    for (const double tilt : {0.0, 0.05, -0.1}) {
      const DetectorLines line = ops::horizontal_lines(
          vectors_of(at::scalar_tensor(tilt, at::kDouble), at::scalar_tensor(axis, at::kDouble)), detector, {0});
      const auto at = [](const at::Tensor& x, int64_t i) { return x[0][i].item<double>(); };
      const double slope = (at(line.row, 39) - at(line.row, 0)) / (at(line.col, 39) - at(line.col, 0));
      const double row = at(line.row, 0) + slope * (column - at(line.col, 0));
      QVERIFY(std::abs(std::abs(slope) - std::abs(std::tan(tilt))) < 1e-12);
      QVERIFY2(std::abs(row - middle_row) < 1e-9, qPrintable(QString::number(row)));
    }
  }

  void flat_and_sloping_images_stay_unchanged() {
    const DetectorLines at = all_fractions();
    const at::Tensor rows = at::arange(30, at::kDouble).view({1, -1, 1}),
                     cols = at::arange(40, at::kDouble).view({1, 1, -1});
    const at::Tensor sampled = ops::sample_lines((2 + 0.3 * rows - 0.7 * cols).contiguous(), at);
    QVERIFY(test::max_difference(sampled[0], 2 + 0.3 * at.row - 0.7 * at.col) < 1e-4);
    // Beyond the edge it goes on.
    const at::Tensor outside =
        ops::sample_lines(at::full({1, 30, 40}, 3, at::kFloat), points({-30, 60, 4}, {5, -3, 80}));
    QVERIFY(test::max_difference(outside, at::full_like(outside, 3)) < 2e-5);
  }

  void noise_variance_is_the_same_everywhere_between_pixels() {
    const DetectorLines at = all_fractions();
    const auto op = ops::make_line_samples({1, 30, 40}, at::kDouble, at, LineParts::values);
    double least = 1e9, most = 0;
    for (int64_t n = 0; n < at.row.numel(); ++n) {
      at::Tensor one = at::zeros(op->range(), at::kDouble);
      one[0][0][0][n] = 1;
      const double variance = total_of_squares(op->adjoint(one));
      least = std::min(least, variance);
      most = std::max(most, variance);
    }
    QVERIFY2(most < 1.0003 * least, std::to_string(most / least).c_str());
    QVERIFY(least > 0.05 && most < 0.12);  // about 1 / (4 pi)
  }

  void slopes_are_those_of_the_samples() {
    const at::Tensor picture = test::gaussian({2, 30, 40}, at::kDouble, 3);
    const DetectorLines at = all_fractions();
    const at::Tensor parts =
        ops::make_line_samples({2, 30, 40}, at::kDouble, at, LineParts::with_slopes)->apply(picture);
    const double h = 1e-5;
    const auto difference = [&](double down, double right) {
      const auto moved = [&](double sign) {
        return ops::sample_lines(picture, {at.row + sign * h * down, at.col + sign * h * right});
      };
      return (moved(1) - moved(-1)) / (2 * h);
    };
    QVERIFY(test::max_difference(parts[1], difference(1, 0)) < 1e-7);
    QVERIFY(test::max_difference(parts[2], difference(0, 1)) < 1e-7);
  }

  void a_tilt_has_its_gradient_in_both_modes() {
    const at::Tensor views = test::gaussian({5, 30, 40}, at::kDouble, 9);
    for (const double angle : {0.0, 0.011, -0.2}) {
      const double h = 1e-6;
      const auto value = [&](double t) { return score(views, at::scalar_tensor(t, at::kDouble)).item<double>(); };
      const double difference = (value(angle + h) - value(angle - h)) / (2 * h);
      const at::Tensor leaf = at::scalar_tensor(angle, at::kDouble).requires_grad_();
      score(views, leaf).backward();
      QVERIFY(std::abs(leaf.grad().item<double>() - difference) < 1e-6 * (1 + std::abs(difference)));
      const ForwardDirection direction;
      const at::Tensor along = at::scalar_tensor(angle, at::kDouble);
      const double slope = tangent(score(views, dual(along, at::ones_like(along)))).item<double>();
      QVERIFY(std::abs(slope - difference) < 1e-6 * (1 + std::abs(difference)));
    }
  }

  void lines_follow_the_axis_of_a_tilted_detector() {
    // Points of one height in the object's frame: a positive tilt leans the axis' top towards larger columns.
    const at::Tensor zero = at::scalar_tensor(0, at::kDouble), tilt = at::scalar_tensor(0.1, at::kDouble);
    const DetectorLines lines = ops::horizontal_lines(vectors_of(tilt, zero), detector, {-6, 6});
    const auto middle = [&](int64_t height) {
      return 0.5 * (lines.col[height][19].item<double>() + lines.col[height][20].item<double>());
    };
    QVERIFY(std::abs(middle(1) - middle(0) - 12 * std::sin(0.1)) < 1e-9);
    QVERIFY(lines.row[1][20].item<double>() < lines.row[0][20].item<double>());
  }
};

TL_TEST_CASE(ObliqueRowsTest)

}  // namespace tl::oblique_rows_test

#include "oblique_rows.moc"
