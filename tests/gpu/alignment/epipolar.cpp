// Line integrals of views are linear with an exact transpose; pairs of views agree in the true geometry, on any orbit.
#include "gpu/alignment/epipolar/epipolar.h"

#include <ATen/ATen.h>

#include <array>
#include <cmath>
#include <string>

#include "core/base/orbit_math.h"
#include "core/base/units.h"
#include "gpu/alignment/epipolar/line_values.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/reduce.h"
#include "gpu/simulate/phantom.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::epipolar_test {

using namespace tl::ops;
using namespace tl::test;

constexpr int64_t unknowns = 4;  // axis [px], tilt, yaw [rad], source to detector [mm]
using Numbers = std::array<double, unknowns>;
const Numbers truth{1.3, 0.01, 0.02, 60};
const DetectorShape detector{48, 48, 0.5, 0.5};
constexpr double source_to_axis = 30;

at::Tensor vectors_of(const at::Tensor& p, int64_t views, const DetectorShape& d = detector) {
  const auto constant = [](double v) { return at::scalar_tensor(v, at::kDouble); };
  const OrbitTerms<at::Tensor> terms{at::tensor(equidistant_angles(views, 2 * pi), at::kDouble),
                                     constant(source_to_axis),
                                     p[3] - source_to_axis,
                                     constant(0),
                                     constant(0),
                                     p[0],
                                     constant(0),
                                     constant(0),
                                     p[1],
                                     constant(0),
                                     p[2],
                                     constant(0),
                                     constant(0),
                                     constant(1)};
  const auto view = orbit_view(terms, Beam::cone, d.pitch_u, d.pitch_v);
  std::vector<at::Tensor> columns;
  for (const at::Tensor& v : view) columns.push_back(v.expand({views}));
  return at::stack(columns, 1).contiguous();
}
at::Tensor plain(const Numbers& p) { return at::tensor(std::vector<double>(p.begin(), p.end()), at::kDouble); }

Phantom bodies() {
  Phantom phantom;
  phantom.parts = {{Solid::ellipsoid, {1.2, -0.8, 0.9}, {1.1, 0.7, 1.3}, 0.3},
                   {Solid::ellipsoid, {-1.5, 0.6, -0.7}, {0.6, 1.2, 0.8}, 0.5},
                   {Solid::ellipsoid, {0.3, 1.7, 0.2}, {0.5, 0.5, 1.6}, 0.4}};
  return phantom;
}
at::Tensor projected(const at::Tensor& vectors, const DetectorShape& d = detector) {
  const auto g = ScanGeometry::from_vectors(
      Beam::cone, d, {vectors.const_data_ptr<double>(), static_cast<std::size_t>(vectors.numel())});
  return phantom_projections(bodies(), g.value(), {at::kDouble, 3, {}});
}
double mean_square(const at::Tensor& x) { return total_of_squares(x.contiguous()) / static_cast<double>(x.numel()); }

class EpipolarTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void line_values_are_transposed() {
    constexpr double rounding = 1e-12, rounding_float = 1e-5;  // sums of some hundred products
    const LineGrid grid = LineGrid::crossing(17, 13);
    const LinesOfViews lines{{0, 2, 2},
                             0.5 * gaussian({3, 5}, at::kDouble, 1),
                             4 * gaussian({3, 5}, at::kDouble, 2),
                             at::ones({3, 5}, at::kBool)};
    for (const LineValue value : {LineValue::integral, LineValue::derivative})
      for (const double width : {0.6, 0.9, 1.6}) {
        QVERIFY(worst_adjoint_error(*make_line_values(3, grid, at::kDouble, value, width, lines), at::kDouble) <
                rounding);
        // Of float views, with values in double.
        const auto op = make_line_values(3, grid, at::kFloat, value, width, lines);
        const at::Tensor x = gaussian(op->domain(), at::kFloat, 5), y = gaussian(op->range(), at::kDouble, 6);
        const at::Tensor ax = op->apply(x), aty = op->adjoint(y);
        QVERIFY(aty.scalar_type() == at::kFloat);
        const double off = inner_product(ax, y) - inner_product(x.to(at::kDouble), aty.to(at::kDouble));
        QVERIFY(std::abs(off) < rounding_float * std::sqrt(total_of_squares(ax) * total_of_squares(y)));
      }
  }

  // Both stages and the cubics together, next to what they stand for: the sum over the columns of a Gaussian about the
  // line, of noise.
  void line_values_are_weighted_sums() {
    constexpr int64_t rows = 41, cols = 37;  // strips of different numbers of columns
    constexpr double width = 0.8;
    const at::Tensor view = gaussian({1, rows, cols}, at::kDouble, 3);
    at::Tensor slope = at::empty({1, 60}, at::kDouble), height = at::empty({1, 60}, at::kDouble);
    for (int64_t n = 0; n < 60; ++n) {
      slope[0][n] = 0.7 * std::sin(1.7 * static_cast<double>(n));
      height[0][n] = 4.3 * std::cos(2.3 * static_cast<double>(n));
    }
    const LinesOfViews lines{{0}, slope, height, at::ones({1, 60}, at::kBool)};
    for (const LineValue value : {LineValue::integral, LineValue::derivative}) {
      const at::Tensor found =
          make_line_values(1, LineGrid::crossing(rows, cols), at::kDouble, value, width, lines)->apply(view);
      at::Tensor expected = at::zeros({1, 60}, at::kDouble);
      for (int64_t n = 0; n < 60; ++n) {
        double sum = 0;
        for (int64_t r = 0; r < rows; ++r)
          for (int64_t c = 0; c < cols; ++c) {
            const double y = 0.5 * static_cast<double>(rows - 1) - static_cast<double>(r),
                         x = static_cast<double>(c) - 0.5 * static_cast<double>(cols - 1);
            const double off = (y - height[0][n].item<double>() - slope[0][n].item<double>() * x) / width;
            const double gauss = std::exp(-0.5 * off * off) / (width * std::sqrt(2 * pi));
            sum += (value == LineValue::integral ? gauss : gauss * off / width) * view[0][r][c].item<double>();
          }
        expected[0][n] = sum;
      }
      // White noise has the most that cubics between half rows can lose: 0.023 here.
      constexpr double lost = 0.03;
      QVERIFY2(std::sqrt(mean_square(found - expected) / mean_square(expected)) < lost,
               std::to_string(std::sqrt(mean_square(found - expected) / mean_square(expected))).c_str());
    }
  }

  // Of a Gaussian blob the integral along every line is known in closed form.
  void line_values_are_line_integrals() {
    constexpr double width = 0.9, blob = 3, x0 = 2.2, y0 = -1.4;
    at::Tensor view = at::empty({1, 40, 36}, at::kDouble);
    for (int64_t r = 0; r < 40; ++r)
      for (int64_t c = 0; c < 36; ++c) {
        const double x = static_cast<double>(c) - 17.5 - x0, y = 19.5 - static_cast<double>(r) - y0;
        view[0][r][c] = std::exp(-0.5 * (x * x + y * y) / (blob * blob));
      }
    at::Tensor slope = at::empty({15, 41}, at::kDouble), height = at::empty({15, 41}, at::kDouble);
    for (int64_t s = 0; s < 15; ++s)
      for (int64_t k = 0; k < 41; ++k) {
        slope[s][k] = 0.065 * (static_cast<double>(s) - 7);
        height[s][k] = 0.35 * (static_cast<double>(k) - 20);
      }
    const LinesOfViews lines{std::vector<int64_t>(15, 0), slope, height, at::ones({15, 41}, at::kBool)};
    const auto op = make_line_values(1, LineGrid::crossing(40, 36), at::kDouble, LineValue::derivative, width, lines);
    const auto found = op->with_slopes(view);
    QVERIFY(max_difference(found.value, op->apply(view)) == 0);
    // Relative to the largest: truncated and sampled Gaussians, and cubics, whose derivatives lose more.
    constexpr double sampled = 2e-3, sampled_slope = 1e-2;
    const double most = found.value.abs().max().item<double>(),
                 most_by_slope = found.by_slope.abs().max().item<double>(),
                 most_by_height = found.by_height.abs().max().item<double>();
    // Smoothed along columns by `width`, then summed along the line: a Gaussian of its distance.
    const auto expected = [&](double m, double h) {
      const double off = h - (y0 - m * x0), square = blob * blob * (1 + m * m) + width * width;
      return -off / square * blob * std::sqrt(2 * pi) * blob / std::sqrt(square) * std::exp(-0.5 * off * off / square);
    };
    for (int64_t s = 0; s < 15; ++s)
      for (int64_t k = 0; k < 41; ++k) {
        const double m = slope[s][k].item<double>(), h = height[s][k].item<double>();
        constexpr double step = 1e-5;
        const double by_slope = (expected(m + step, h) - expected(m - step, h)) / (2 * step),
                     by_height = (expected(m, h + step) - expected(m, h - step)) / (2 * step);
        QVERIFY(std::abs(found.value[s][k].item<double>() - expected(m, h)) < sampled * most);
        QVERIFY(std::abs(found.by_slope[s][k].item<double>() - by_slope) < sampled_slope * most_by_slope);
        QVERIFY(std::abs(found.by_height[s][k].item<double>() - by_height) < sampled_slope * most_by_height);
      }
  }

  // Noise of equal variance has nearly the same at every height: else a loss would prefer some geometries. And what is
  // the same everywhere has no derivative.
  void noise_is_the_same_at_every_height() {
    constexpr int64_t rows = 48, cols = 40, steps = 16;
    at::Tensor slope = at::full({1, steps}, 0.1237, at::kDouble), height = at::empty({1, steps}, at::kDouble);
    for (int64_t n = 0; n < steps; ++n) height[0][n] = static_cast<double>(n) / steps;
    const auto op = make_line_values(1, LineGrid::crossing(rows, cols), at::kDouble, LineValue::derivative, 0.8,
                                     {{0}, slope, height, at::ones({1, steps}, at::kBool)});
    double least = 1e9, most = 0;
    for (int64_t n = 0; n < steps; ++n) {
      at::Tensor one = at::zeros({1, steps}, at::kDouble);
      one[0][n] = 1;
      const double variance = total_of_squares(op->adjoint(one));
      least = std::min(least, variance);
      most = std::max(most, variance);
    }
    constexpr double equal = 0.03, none = 1e-10;  // cubics between half rows lose most half-way
    QVERIFY2(most / least < 1 + equal, std::to_string(most / least).c_str());
    QVERIFY(op->apply(at::ones({1, rows, cols}, at::kDouble)).abs().max().item<double>() < none);
  }

  // Other unknowns stay as they are: what is off by more than twice what smoothing and finite pixels displace agrees
  // less.
  void views_agree_in_the_true_geometry_alone() {
    const at::Tensor right = vectors_of(plain(truth), 24), data = projected(right);
    const EpipolarParams params{Beam::cone, detector};
    const double least = mean_square(epipolar_differences(data, right, params).residual);
    const Numbers off{1, 0.02, 0.05, 6};
    for (std::size_t i = 0; i < unknowns; ++i)
      for (const double sign : {-1.0, 1.0}) {
        Numbers p = truth;
        p[i] += sign * off[i];
        QVERIFY(mean_square(epipolar_differences(data, vectors_of(plain(p), 24), params).residual) > least);
      }
  }

  // The axis by the parabola through three losses, where 97 columns are not a multiple of the pixels averaged: cut off
  // at the wrong end, they would move it by half a column or more.
  void averaged_pixels_keep_the_geometry() {
    const DetectorShape fine{98, 97, 0.25, 0.25};
    Numbers here = truth;
    here[0] = 2.6;
    const at::Tensor data = projected(vectors_of(plain(here), 24, fine), fine);
    for (const int64_t bin : {2, 3}) {
      EpipolarParams params{Beam::cone, fine};
      params.bin = bin;
      double loss[3];
      for (int k = -1; k <= 1; ++k) {
        Numbers p = here;
        p[0] += k;
        loss[k + 1] = mean_square(epipolar_differences(data, vectors_of(plain(p), 24, fine), params).residual);
      }
      const double off = 0.5 * (loss[0] - loss[2]) / (loss[0] + loss[2] - 2 * loss[1]);
      constexpr double of_pixels = 0.1;
      QVERIFY2(loss[1] < loss[0] && loss[1] < loss[2] && std::abs(off) < of_pixels, std::to_string(off).c_str());
    }
  }

  // Across distances at which the pairs of 40 views that are 153 degrees apart begin to count: their planes meet
  // 60 mm / tan(76.5 degrees) from the middle of the detector.
  void the_loss_has_no_jumps() {
    constexpr int64_t views = 40;
    const at::Tensor data = projected(vectors_of(plain(truth), views));
    EpipolarParams params{Beam::cone, detector};
    params.max_values = 200 * detector.rows;  // of 780 pairs
    std::vector<double> losses;
    std::size_t fewest = 1000, most = 0;
    for (double distance = 50; distance < 62; distance += 0.05) {
      Numbers p = truth;
      p[3] = distance;
      const auto found = epipolar_differences(data, vectors_of(plain(p), views), params);
      losses.push_back(mean_square(found.residual));
      fewest = std::min(fewest, found.first.size());
      most = std::max(most, found.first.size());
    }
    QVERIFY(most > fewest);
    double bend = 0, largest = 0;
    for (std::size_t k = 1; k + 1 < losses.size(); ++k) {
      const double here = std::abs(losses[k + 1] + losses[k - 1] - 2 * losses[k]);
      bend += here / static_cast<double>(losses.size() - 2);
      largest = std::max(largest, here);
    }
    constexpr double jump = 20;  // times the mean second difference: what parabolas, cubics and ramps bend by
    QVERIFY2(largest < jump * bend, std::to_string(largest / bend).c_str());
  }

  void descent_finds_the_geometry() {
    const at::Tensor data = projected(vectors_of(plain(truth), 36));
    Numbers p{truth[0] + 1, truth[1] - 0.01, truth[2] + 0.02, truth[3] * 1.02};
    const Numbers unit{1, 0.01, 0.01, 1};
    for (int round = 0; round < 6; ++round) {
      std::vector<at::Tensor> slopes;
      at::Tensor off;
      for (std::size_t i = 0; i < unknowns; ++i) {
        const ForwardDirection direction;
        at::Tensor tangent = at::zeros({unknowns}, at::kDouble);
        tangent[static_cast<int64_t>(i)] = unit[i];
        const auto d = epipolar_differences(data, vectors_of(dual(plain(p), tangent), 36), {Beam::cone, detector});
        const DualParts parts = dual_parts(d.residual);
        off = parts.value.reshape(-1);
        slopes.push_back(parts.tangent.reshape(-1));
      }
      const at::Tensor j = at::stack(slopes), step = at::linalg_solve(j.matmul(j.t()), j.matmul(off));
      for (std::size_t i = 0; i < unknowns; ++i) p[i] -= step[static_cast<int64_t>(i)].item<double>() * unit[i];
    }
    // Without noise; what finite pixels leave on a detector of 48 pixels.
    constexpr double of_axis = 0.03, of_angle = 0.005, of_distance = 0.02;
    QVERIFY2(std::abs(p[0] - truth[0]) < of_axis, std::to_string(p[0]).c_str());
    QVERIFY2(std::abs(p[1] - truth[1]) < of_angle, std::to_string(p[1]).c_str());
    QVERIFY2(std::abs(p[2] - truth[2]) < 2 * of_angle, std::to_string(p[2]).c_str());
    QVERIFY2(std::abs(p[3] / truth[3] - 1) < of_distance, std::to_string(p[3]).c_str());
  }

  // Tangents are the slopes of the loss, and so are gradients to vectors and data.
  void gradients_agree_with_differences() {
    const at::Tensor data = projected(vectors_of(plain(truth), 10));
    Numbers here = truth;
    here[0] += 0.4;
    here[3] += 1;
    const EpipolarParams params{Beam::cone, detector};
    const auto loss = [&](const at::Tensor& x, const at::Tensor& v) {
      return differentiable_sum_of_squares(epipolar_differences(x, v, params).residual.contiguous());
    };
    at::Tensor learned = plain(here).requires_grad_(), x = data.detach().clone().requires_grad_();
    loss(x, vectors_of(learned, 10)).backward();
    const Numbers step{1e-4, 1e-5, 1e-5, 1e-3};
    constexpr double agree = 2e-3;  // kinks of the cubics' second derivative, and of pairs of views that begin to count
    for (std::size_t i = 0; i < unknowns; ++i) {
      Numbers more = here, less = here;
      more[i] += step[i];
      less[i] -= step[i];
      const double difference =
          (loss(data, vectors_of(plain(more), 10)) - loss(data, vectors_of(plain(less), 10))).item<double>() /
          (2 * step[i]);
      const double gradient = learned.grad()[static_cast<int64_t>(i)].item<double>();
      QVERIFY2(std::abs(gradient - difference) < agree * std::abs(difference),
               std::to_string(gradient / difference).c_str());
      const ForwardDirection direction;
      at::Tensor tangent_of = at::zeros({unknowns}, at::kDouble);
      tangent_of[static_cast<int64_t>(i)] = 1;
      const double forward = tangent(loss(data, vectors_of(dual(plain(here), tangent_of), 10))).item<double>();
      QVERIFY(std::abs(forward - gradient) < 1e-9 * std::abs(gradient));
    }
    const at::Tensor change = gaussian(data.sizes().vec(), at::kDouble, 5);
    const at::Tensor v = vectors_of(plain(here), 10);
    const double along = (loss(data + 1e-4 * change, v) - loss(data - 1e-4 * change, v)).item<double>() / 2e-4;
    QVERIFY(std::abs(inner_product(x.grad(), change) - along) < 1e-5 * std::abs(along));  // quadratic in the data
  }

  // The axis moved between source and detector: the same object, larger or smaller.
  void scale_has_no_effect() {
    const at::Tensor right = vectors_of(plain(truth), 24), data = projected(right);
    const EpipolarParams params{Beam::cone, detector};
    const double loss = mean_square(epipolar_differences(data, right, params).residual);
    at::Tensor scaled = right.clone();
    const at::Tensor beam = right.narrow(1, 0, 3);
    scaled.narrow(1, 0, 3) += 0.2 * beam;  // source and detector farther from the axis on one side, nearer on the other
    scaled.narrow(1, 3, 3) += 0.2 * beam;
    const double other = mean_square(epipolar_differences(data, scaled, params).residual);
    QVERIFY2(std::abs(other / loss - 1) < 0.02, std::to_string(other / loss).c_str());  // planes at other places
  }

  void laminography_agrees_in_the_true_geometry() {
    const auto vectors = [](double lean) {
      Orbit o;
      o.angles = equidistant_angles(24, 2 * pi);
      o.lamino = lean;
      o.axis = 1;
      return at::tensor(ScanGeometry::from_orbit(o, {48, 48, 0.16, 0.16}).or_throw().vectors(), at::kDouble)
          .view({24, 12});
    };
    const at::Tensor right = vectors(0.4);
    const DetectorShape shape{48, 48, 0.16, 0.16};
    const auto g = ScanGeometry::from_vectors(Beam::parallel, shape, {right.const_data_ptr<double>(), 24 * 12});
    const at::Tensor data = phantom_projections(bodies(), g.value(), {at::kDouble, 3, {}});
    const EpipolarParams params{Beam::parallel, shape};
    const double least = mean_square(epipolar_differences(data, right, params).residual);
    for (const double off : {-0.02, 0.02})
      QVERIFY(mean_square(epipolar_differences(data, vectors(0.4 + off), params).residual) > 4 * least);
  }

  void one_view_has_nothing_in_common() {
    const at::Tensor one = vectors_of(plain(truth), 1);
    QVERIFY_THROWS_EXCEPTION(Failure, (void)epipolar_differences(projected(one), one, {Beam::cone, detector}));
  }
};

TL_TEST_CASE(EpipolarTest)

}  // namespace tl::epipolar_test

#include "epipolar.moc"
