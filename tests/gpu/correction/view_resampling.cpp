// Resampled views: exact adjoints, planes are reproduced exactly, distortion and rotation move points correctly.
#include "gpu/correction/view_resampling.h"

#include <ATen/Parallel.h>

#include <cmath>

#include "core/base/units.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::view_resampling_test {

using namespace tl::ops;

namespace {

struct Grid {
  at::Tensor row, col;  // [rows, cols]
};
Grid grid(int64_t rows, int64_t cols) {
  return {at::arange(rows, at::kDouble).view({rows, 1}).expand({rows, cols}),
          at::arange(cols, at::kDouble).view({1, cols}).expand({rows, cols})};
}
// A spot of 2 px width.
at::Tensor spot(int64_t rows, int64_t cols, double row, double col) {
  const Grid g = grid(rows, cols);
  return (-((g.row - row).square() + (g.col - col).square()) / 8).exp().unsqueeze(0).contiguous();
}
struct Point {
  double row, col;
};
Point centroid(const at::Tensor& picture) {
  const Grid g = grid(picture.size(1), picture.size(2));
  const double sum = picture.sum().item<double>();
  return {(picture[0] * g.row).sum().item<double>() / sum, (picture[0] * g.col).sum().item<double>() / sum};
}

}  // namespace

class ViewResamplingTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_transpose_is_exact() {
    for (const OutsideValue outside : {OutsideValue::edge, OutsideValue::zero}) {
      const at::Tensor row = 3.5 + 4 * test::gaussian({6, 8}, at::kDouble, 1),
                       col = 4.5 + 5 * test::gaussian({6, 8}, at::kDouble, 2);
      const OperatorPtr op = make_resampling({{3, 9, 11}, row, col, outside, {}});
      QVERIFY(test::worst_adjoint_error(*op, at::kFloat) < 1e-6);
      QVERIFY(test::worst_adjoint_error(*op, at::kDouble) < 1e-12);
    }
  }
  void planes_are_exact_and_outside_values_are_as_specified() {
    const Grid g = grid(7, 9);
    const at::Tensor plane = (2 + 0.5 * g.row - 0.25 * g.col).unsqueeze(0).contiguous();
    const at::Tensor row = at::tensor({0.0, 2.3, 6.0, -1.0, 3.0}, at::kDouble).view({1, 5}),
                     col = at::tensor({0.0, 7.9, 8.0, 4.0, 9.5}, at::kDouble).view({1, 5});
    const at::Tensor inside = 2 + 0.5 * row.clamp(0, 6) - 0.25 * col.clamp(0, 8);
    const at::Tensor edge = make_resampling({{1, 7, 9}, row, col, OutsideValue::edge, {}})->apply(plane);
    QVERIFY(test::max_difference(edge[0], inside) < 1e-14);
    const at::Tensor zero = make_resampling({{1, 7, 9}, row, col, OutsideValue::zero, {}})->apply(plane);
    QVERIFY(test::max_difference(zero[0], inside * at::tensor({1.0, 1.0, 1.0, 0.0, 0.0}, at::kDouble)) < 1e-14);
  }
  void single_rows_and_columns() {
    for (const auto& [rows, cols] : {std::pair<int64_t, int64_t>{1, 9}, {9, 1}, {1, 1}}) {
      const at::Tensor x = test::gaussian({2, rows, cols}, at::kFloat, 3);
      QVERIFY(test::max_difference(correct_distortion(x, {0, 0, {1}, {}}).or_throw(), x) == 0);
      QVERIFY(rotate_views(x, {0.3, 1, 1, {}}).or_throw().sizes().equals(x.sizes()));
    }
  }
  void distortion_follows_the_backward_model() {
    // A point at (row, col) of the recorded image appears where r_corrected f(r_corrected) is its distance.
    const DistortionSpec spec{31.5, 23, {0.98, 2e-4, 1e-5}, {}};
    for (const Point p : {Point{20, 40}, Point{35, 25}}) {
      const double dy = p.row - 23, dx = p.col - 31.5, recorded = std::hypot(dy, dx);
      double r = recorded;
      for (int i = 0; i < 50; ++i) r = recorded / (0.98 + 2e-4 * r + 1e-5 * r * r);
      const Point found = centroid(correct_distortion(spot(48, 64, p.row, p.col), spec).or_throw());
      // A spot of 2 px is stretched unevenly by a few thousandths of its width.
      QVERIFY2(std::abs(found.row - (23 + dy * r / recorded)) < 0.02 &&
                   std::abs(found.col - (31.5 + dx * r / recorded)) < 0.02,
               (std::to_string(found.row) + " " + std::to_string(found.col)).c_str());
    }
    const at::Tensor x = test::gaussian({2, 9, 8}, at::kFloat, 4);
    QVERIFY(test::max_difference(correct_distortion(x, {3, 4, {1, 0, 0}, {}}).or_throw(), x) < 1e-6);
    QVERIFY(!correct_distortion(x, {3, 4, {}, {}}).ok());
    QVERIFY(!correct_distortion(x, {std::nan(""), 4, {1}, {}}).ok());
  }
  void rotation_is_counterclockwise_and_uses_the_pixel_shape() {
    // 10 px to the right of the centre, rotated by 90 degrees: 10 px above it.
    Point found = centroid(rotate_views(spot(41, 41, 20, 30), {pi / 2, 1, 1, {}}).or_throw());
    QVERIFY(std::abs(found.row - 10) < 1e-3 && std::abs(found.col - 20) < 1e-3);
    found = centroid(rotate_views(spot(41, 41, 20, 30), {0.3, 1, 1, {}}).or_throw());
    QVERIFY(std::abs(found.row - (20 - 10 * std::sin(0.3))) < 1e-2 &&
            std::abs(found.col - (20 + 10 * std::cos(0.3))) < 1e-2);
    // Rows twice as high as columns are wide.
    found = centroid(rotate_views(spot(41, 41, 20, 30), {0.3, 1, 2, {}}).or_throw());
    QVERIFY2(
        std::abs(found.row - (20 - 5 * std::sin(0.3))) < 0.02 && std::abs(found.col - (20 + 10 * std::cos(0.3))) < 0.02,
        (std::to_string(found.row) + " " + std::to_string(found.col)).c_str());
    const at::Tensor x = test::gaussian({2, 9, 8}, at::kFloat, 5);
    QVERIFY(rotate_views(x, {}).or_throw().equal(x));
  }
  void gradients_and_threads() {
    const at::Tensor x = test::gaussian({2, 9, 8}, at::kDouble, 6).requires_grad_(),
                     w = test::gaussian({2, 9, 8}, at::kDouble, 7);
    const auto loss = [&](const at::Tensor& t) {
      return ((correct_distortion(t, {3, 4, {0.9, 1e-2}, {}}).or_throw() +
               rotate_views(t, {0.2, 1, 1, {}}).or_throw()) *
              w)
          .sum();
    };
    loss(x).backward();
    const at::Tensor direction = test::gaussian({2, 9, 8}, at::kDouble, 8), base = x.detach();
    const double numeric = ((loss(base + direction) - loss(base - direction)) / 2).item<double>();  // linear: any step
    QVERIFY(std::abs((x.grad() * direction).sum().item<double>() - numeric) < 1e-12);
    const at::Tensor big = test::gaussian({3, 40, 50}, at::kFloat, 9);
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const at::Tensor one = rotate_views(big, {0.2, 1, 1, {}}).or_throw();
    at::set_num_threads(2);
    QVERIFY(rotate_views(big, {0.2, 1, 1, {}}).or_throw().equal(one));
    at::set_num_threads(before);
  }
};

TL_TEST_CASE(ViewResamplingTest)

}  // namespace tl::view_resampling_test

#include "view_resampling.moc"
