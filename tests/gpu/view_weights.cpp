// View weights: complete scans sum to pi, repeated and shuffled angles share, missing data is left out and said.
#include "gpu/ops/view_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/random.h"
#include "core/base/units.h"
#include "tests/support/test_main.h"

using namespace tl;
using namespace tl::ops;

namespace {
constexpr double degree = pi / 180;
const DetectorShape detector{1, 8, 1, 1};

ViewWeights parallel(const std::vector<double>& angles) {
  return view_weights(ScanGeometry::parallel(angles, detector).or_throw()).or_throw();
}
ViewWeights cone(const std::vector<double>& angles) {
  return view_weights(ScanGeometry::cone(angles, detector, 100, 100).or_throw()).or_throw();
}
double total(const ViewWeights& w) { return std::accumulate(w.weights.begin(), w.weights.end(), 0.0); }
bool all_equal(const ViewWeights& w, double value) {
  return std::all_of(w.weights.begin(), w.weights.end(), [&](double x) { return std::abs(x - value) < 1e-12; });
}
}  // namespace

class ViewWeightsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void equidistant_scans() {
    QVERIFY(all_equal(parallel(equidistant_angles(180, pi)), pi / 180));
    QVERIFY(all_equal(parallel(equidistant_angles(180, -pi, 0.3)), pi / 180));
    QVERIFY(all_equal(parallel(equidistant_angles(360, 2 * pi)), pi / 360));
    QVERIFY(all_equal(parallel(equidistant_angles(361, 2 * pi)), pi / 361));
    QVERIFY(all_equal(parallel(equidistant_angles(540, 3 * pi)), pi / 540));
    QVERIFY(all_equal(cone(equidistant_angles(360, 2 * pi)), pi / 360));
    QVERIFY(all_equal(cone(equidistant_angles(720, 4 * pi)), pi / 720));
    QVERIFY(all_equal(parallel({0.4}), pi));
    QVERIFY(parallel(equidistant_angles(180, pi)).complete());
  }
  void both_ends_measured() {  // 0, 1 ... 180 degrees: the first and the last view see the same rays
    const ViewWeights w = parallel(equidistant_angles(181, 181 * degree));
    QVERIFY(std::abs(w.weights.front() - degree / 2) < 1e-12 && std::abs(w.weights.back() - degree / 2) < 1e-12);
    QVERIFY(std::abs(w.weights[90] - degree) < 1e-12);
    QVERIFY(w.complete());
  }
  void the_tooth() {  // 181 views that end at 179.0055 degrees
    const double step = 179.0055 / 180;
    const ViewWeights w = parallel(equidistant_angles(181, 181 * step * degree));
    QVERIFY(std::abs(total(w) - pi) < 1e-12 && w.complete());
    QVERIFY(std::abs(w.weights[90] - step * degree) < 1e-12);
    QVERIFY(std::abs(w.weights[0] - w.weights[90]) < 1e-6);
  }
  void order_does_not_matter_and_repeats_share() {
    std::vector<double> angles = equidistant_angles(50, pi), shuffled;
    for (std::size_t i = 0; i < 50; ++i) shuffled.push_back(angles[(i * 17) % 50] - 6 * pi);
    shuffled.push_back(angles[3]);
    shuffled.push_back(angles[3] + pi);
    const ViewWeights w = parallel(shuffled);
    QVERIFY(std::abs(total(w) - pi) < 1e-12);
    for (std::size_t i = 0; i < 52; ++i) {
      const double share = i >= 50 || (i * 17) % 50 == 3 ? 3 : 1;
      QVERIFY(std::abs(w.weights[i] - pi / 50 / share) < 1e-9);
    }
  }
  void second_turn_slightly_off_is_not_missing_data() {
    std::vector<double> angles = equidistant_angles(180, pi);
    for (int64_t i = 0; i < 180; ++i) angles.push_back(angles[static_cast<std::size_t>(i)] + pi + 0.01 * degree);
    const ViewWeights w = parallel(angles);
    QVERIFY(w.complete());
    QVERIFY(all_equal(w, pi / 360));
  }
  // Integrates cos^2 over random angles: trapezoid error falls with the square of the gaps.
  void uneven_angles_integrate() {
    std::vector<double> angles;
    for (uint64_t i = 0; i < 2000; ++i) angles.push_back(pi * Philox{5, 0}.uniform(i));
    const ViewWeights w = parallel(angles);
    double integral = 0;
    for (std::size_t i = 0; i < angles.size(); ++i) integral += w.weights[i] * std::pow(std::cos(angles[i]), 2);
    QVERIFY(w.complete());
    QVERIFY(std::abs(total(w) - pi) < 1e-12);
    QVERIFY(std::abs(integral - pi / 2) < 1e-4);
  }
  void missing_wedge() {
    const ViewWeights w = parallel(equidistant_angles(120, 120 * degree, 30 * degree));
    QVERIFY(!w.complete());
    QVERIFY(all_equal(w, degree));
    QVERIFY(std::abs(w.covered - 120 * degree) < 1e-12 && w.period == pi);
    const ViewWeights half = cone(equidistant_angles(200, 200 * degree));
    QVERIFY(!half.complete() && std::abs(half.covered - 200 * degree) < 1e-12);
    QVERIFY(all_equal(half, degree / 2));
  }
  void laminography_needs_a_full_turn_and_its_jacobian() {
    const double lean = 30 * degree;
    const auto g = ScanGeometry::laminography(equidistant_angles(90, 2 * pi), detector, lean).or_throw();
    const ViewWeights w = view_weights(g).or_throw();
    QVERIFY(w.period == 2 * pi && w.complete());
    QVERIFY(all_equal(w, pi / 90 * std::cos(lean)));
  }
};

TL_TEST_MAIN(ViewWeightsTest)
#include "view_weights.moc"
