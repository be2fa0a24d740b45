// Consistency of moments: errors it detects and errors it cannot, its gradients, and the jitter of a noisy scan.
#include "gpu/objective/moments.h"

#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "core/base/units.h"
#include "gpu/simulate/phantom.h"
#include "gpu/simulate/poisson.h"
#include "tests/support/operator_laws.h"
#include "tests/support/test_case.h"

namespace tl::objective_moments_test {

namespace {

struct Shifts {
  std::vector<double> u, v;
};

// Uniform in +- reach px, and a drift that grows to `drift` px.
Shifts jitter(int64_t views, double reach, double drift, uint64_t seed) {
  Shifts s;
  const Philox random{seed, 1};
  for (int64_t n = 0; n < views; ++n) {
    const double share = static_cast<double>(n) / static_cast<double>(views - 1);
    s.u.push_back(reach * (2 * random.uniform(static_cast<uint64_t>(2 * n)) - 1) + drift * share);
    s.v.push_back(reach * (2 * random.uniform(static_cast<uint64_t>(2 * n + 1)) - 1) - drift * share);
  }
  return s;
}

// Ellipsoids that fill a field of 256 x 256 x 64 px; the largest value of a projection is about 1.5. height: half of
// the object's [px].
ops::Phantom object(double height) {
  const auto body = [height](double x, double y, double z, double a, double b, double c, double value) {
    ops::Primitive p;
    p.centre = {x, y, z * height};
    p.half = {a, b, c * height};
    p.value = value;
    return p;
  };
  return {{body(3, -2, 0, 95, 80, 1, 0.0065), body(-30, 20, 0.2, 25, 31, 0.5, 0.004),
           body(35, -18, -0.3, 20, 14, 0.4, -0.003), body(10, 40, 0.4, 14, 9, 0.3, 0.006)}};
}

struct Scan {
  at::Tensor data, vectors;
  DetectorShape detector;
  Shifts truth;
  std::vector<double> angles;
};

Scan scan(int64_t views, DetectorShape detector, const Shifts& shifts, const ops::Phantom& phantom, double photons) {
  Orbit o;
  o.angles = equidistant_angles(views, pi);
  Orbit moved = o;
  moved.shift_u = shifts.u;
  moved.shift_v = shifts.v;
  at::Tensor p = ops::phantom_projections(phantom, ScanGeometry::from_orbit(moved, detector).or_throw());
  if (photons > 0) {
    const ops::NoiseFrame frame{5,
                                ops::NoiseSeries::projections,
                                {{0, views}, {0, detector.rows}, {0, detector.cols}},
                                detector.rows,
                                detector.cols};
    p = -at::log(ops::poisson_counts(photons * at::exp(-p), frame).clamp_min(1) / photons);
  }
  const ScanGeometry plain = ScanGeometry::from_orbit(o, detector).or_throw();
  return {p, at::tensor(plain.vectors(), at::kDouble).view({views, 12}), detector, shifts, o.angles};
}

// Vectors with the image of each view moved by u and v px.
at::Tensor shifted(const Scan& s, const at::Tensor& u, const at::Tensor& v) {
  const at::Tensor x = s.vectors;
  const at::Tensor centre = x.narrow(1, 3, 3) - u.unsqueeze(1) * x.narrow(1, 6, 3) - v.unsqueeze(1) * x.narrow(1, 9, 3);
  return at::cat({x.narrow(1, 0, 3), centre, x.narrow(1, 6, 6)}, 1);
}

double loss(const Scan& s, const at::Tensor& u, const at::Tensor& v, const ops::MomentWeights& w = {}) {
  return ops::moment_consistency(s.data, shifted(s, u, v), s.detector, w).item<double>();
}

// The score is a quadratic function of the shifts with the curvature 2 / views wherever it has any: one step is all.
std::pair<at::Tensor, at::Tensor> found(const Scan& s) {
  const auto n = s.vectors.size(0);
  const at::Tensor u = at::zeros({n}, at::kDouble).requires_grad_(), v = at::zeros({n}, at::kDouble).requires_grad_();
  const auto g =
      torch::autograd::grad({ops::moment_consistency(s.data, shifted(s, u, v), s.detector, {0, 1, 1})}, {u, v});
  return {-0.5 * static_cast<double>(n) * g[0], -0.5 * static_cast<double>(n) * g[1]};
}

// Root of the mean square without the parts along some directions.
double rms_without(at::Tensor x, std::vector<at::Tensor> directions) {
  for (std::size_t i = 0; i < directions.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      directions[i] = directions[i] - (directions[i] * directions[j]).sum() * directions[j];
    directions[i] = directions[i] / directions[i].norm();
    x = x - (x * directions[i]).sum() * directions[i];
  }
  return std::sqrt(x.square().mean().item<double>());
}

struct Errors {
  double across, along;
};
Errors errors_of(const Scan& s) {
  const auto [u, v] = found(s);
  const at::Tensor t = at::tensor(s.angles, at::kDouble);
  return {rms_without(u - at::tensor(s.truth.u, at::kDouble), {t.cos(), t.sin()}),
          rms_without(v - at::tensor(s.truth.v, at::kDouble), {at::ones_like(t)})};
}

constexpr DetectorShape full{64, 256, 1, 1};

}  // namespace

class ObjectiveMomentsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // The centres of pixels sample the projections: that leaves some hundredths of a pixel.
  void true_shifts_are_the_minimum() {
    const Scan s = scan(24, full, jitter(24, 2, 1, 3), object(22), 0);
    const at::Tensor u = at::tensor(s.truth.u, at::kDouble), v = at::tensor(s.truth.v, at::kDouble),
                     none = at::zeros_like(u);
    const double right = loss(s, u, v), wrong = loss(s, none, none);
    QVERIFY2(right < 1e-3 && wrong > 1, (std::to_string(right) + " " + std::to_string(wrong)).c_str());
  }

  // A circle of shifts across the axis and a common one along it move the object: nothing can see them.
  void the_object_may_stand_elsewhere() {
    const Scan s = scan(30, full, jitter(30, 2, 0, 7), object(22), 0);
    const at::Tensor t = at::tensor(s.angles, at::kDouble), u = at::tensor(s.truth.u, at::kDouble),
                     v = at::tensor(s.truth.v, at::kDouble);
    const double plain = loss(s, u * 0.3, v * 0.3);
    QVERIFY(std::abs(loss(s, u * 0.3 + 3 * t.cos() - 2 * t.sin(), v * 0.3 + 1.7) - plain) < 1e-9 * plain);
    // The axis can be determined; over half a turn a circle of shifts mimics most of it.
    QVERIFY(loss(s, u + 1, v) > loss(s, u, v) + 0.1);
  }

  void gradients_match_differences() {
    const Scan s = scan(16, full, jitter(16, 2, 1, 9), object(22), 0);
    const at::Tensor data = s.data.to(at::kDouble), w = test::gaussian({16, 12}, at::kDouble, 1) * 0.1,
                     d = test::gaussian(data.sizes().vec(), at::kDouble, 2) * 0.01;
    const at::Tensor x = data.clone().requires_grad_(), vectors = s.vectors.clone().requires_grad_();
    const auto score = [&](const at::Tensor& p, const at::Tensor& q) {
      return ops::moment_consistency(p, q, s.detector, {1, 0.7, 0.3});
    };
    // The beam's direction sets the plane of the score; it is not learned.
    const at::Tensor change = at::cat({at::zeros({16, 3}, at::kDouble), w.narrow(1, 3, 9)}, 1);
    const auto g = torch::autograd::grad({score(x, vectors)}, {x, vectors});
    const double h = 1e-5;
    const double to_data = ((score(data + h * d, s.vectors) - score(data - h * d, s.vectors)) / (2 * h)).item<double>();
    const double to_vectors =
        ((score(data, s.vectors + h * change) - score(data, s.vectors - h * change)) / (2 * h)).item<double>();
    QVERIFY(std::abs((g[0] * d).sum().item<double>() - to_data) < 1e-6 * std::abs(to_data));
    QVERIFY(std::abs((g[1] * change).sum().item<double>() - to_vectors) < 1e-6 * std::abs(to_vectors));
  }

  // Shifts of uniform(-3, 3) px in both directions and a drift of 4 px, 90 views over half a turn, 1e4 photons a pixel.
  void jitter_of_a_noisy_scan() {
    for (const uint64_t seed : {1, 2, 3}) {
      const Scan s = scan(90, full, jitter(90, 3, 4, seed), object(22), 1e4);
      const Errors e = errors_of(s);
      qInfo("p_max %.2f, across %.3f px, along %.3f px", s.data.max().item<double>(), e.across, e.along);
      QVERIFY(e.across < 0.1 && e.along < 0.1);
    }
  }

  // An object that leaves the rows: across the axis little is lost, along it nothing is known.
  void jitter_of_an_object_that_leaves_the_rows() {
    const Errors inside = errors_of(scan(90, full, jitter(90, 3, 4, 1), object(22), 1e4));
    const Errors leaving = errors_of(scan(90, full, jitter(90, 3, 4, 1), object(45), 1e4));
    qInfo("leaving the rows: across %.3f px (inside %.3f), along %.3f px (inside %.3f)", leaving.across, inside.across,
          leaving.along, inside.along);
    QVERIFY(leaving.along > 10 * inside.along);
  }

  // Taller and taller objects: the uncertainty covers the error, and is small while all of the object is visible.
  void doubt_covers_what_the_views_miss() {
    for (const double height : {15.0, 22.0, 30.0, 45.0, 200.0}) {
      const Scan s = scan(90, full, jitter(90, 3, 4, 1), object(height), 0);
      const Errors e = errors_of(s);
      const auto [u, v] = found(s);
      const ops::MomentErrors square = ops::moment_error_estimate(s.data, shifted(s, u, v), s.detector, {0, 1, 1});
      const double across = std::sqrt(square.across), along = std::sqrt(square.along);
      qInfo("half height %g px: across %.3f px (doubt %.3f), along %.3f px (doubt %.3f)", height, e.across, across,
            e.along, along);
      QVERIFY(height > 22 || std::max(across, along) < 0.1);
      QVERIFY(across > 0.7 * e.across || e.across < 0.05);
      QVERIFY(height < 45 || across < 0.1);  // matter at the ends of the rows lies near the middle of the columns
      QVERIFY(along > 0.7 * e.along || e.along < 0.05);
    }
  }
};

TL_TEST_CASE(ObjectiveMomentsTest)

}  // namespace tl::objective_moments_test

#include "objective_moments.moc"
