// View weights: complete scans sum to pi, repeated angles share weight, missing data is redistributed and reported.
#include "gpu/projection/view_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/random.h"
#include "core/base/units.h"
#include "tests/support/test_case.h"

namespace tl::view_weights_test {

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
  void a_second_turn_slightly_off_leaves_no_gap() {
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
  // A wedge of 60 of 180 degrees: the measured part keeps its angle, the rest goes to the views near the ends.
  void missing_wedge() {
    const ViewWeights w = parallel(equidistant_angles(120, 120 * degree, 30 * degree));
    QVERIFY(!w.complete());
    QVERIFY(std::abs(w.covered - 120 * degree) < 1e-12 && w.period == pi);
    QVERIFY(std::abs(w.filled - 60 * degree) < 1e-9 && std::abs(total(w) - pi) < 1e-9);
    QVERIFY(w.gaps.size() == 1 && std::abs(w.gaps[0].angle - 61 * degree) < 1e-9);
    QVERIFY(w.gaps[0].before == 119 && w.gaps[0].after == 0);
    QVERIFY(std::abs(w.weights[60] - degree) < 1e-12);  // farther than half of the gap from it
    QVERIFY(w.weights[0] > w.weights[1] && w.weights[119] > w.weights[118] && w.weights[0] < 3.2 * degree);
    const ScanGeometry short_scan =
        ScanGeometry::cone(equidistant_angles(200, 200 * degree), detector, 100, 100).or_throw();
    const ViewWeights half = view_weights(short_scan, Turn::whole).or_throw();
    QVERIFY(half.missing == 1 && std::abs(half.range() - 200 * degree) < 1e-12 && half.gaps.empty());
    QVERIFY(all_equal(half, degree));
  }
  // However many views are missing, and wherever: nothing changes where nothing is missing, and the sum is kept.
  void holes_are_shared_out() {
    for (const int64_t hole : {5, 10, 20, 40}) {
      std::vector<double> angles;
      for (int64_t i = 0; i < 200; ++i)
        if (i < 77 || i >= 77 + hole) angles.push_back(static_cast<double>(i) * pi / 200);
      const ViewWeights w = parallel(angles);
      QVERIFY2(std::abs(total(w) - pi) < 1e-9, std::to_string(total(w)).c_str());
      QVERIFY(w.gaps.size() == (hole < 10 ? 0U : 1U));
      QVERIFY(std::abs(w.weights[20] - pi / 200) < 1e-12);
      QVERIFY(w.weights[76] > 1.5 * pi / 200 && w.weights[77] > 1.5 * pi / 200);
      if (hole >= 10) QVERIFY(w.weights[76] < 3.5 * pi / 200 && w.gaps[0].before == 76 && w.gaps[0].after == 77);
      // Half a turn of a cone's short scan keeps its open end.
      const auto cone_scan = ScanGeometry::cone(angles, detector, 100, 100).or_throw();
      const ViewWeights whole = view_weights(cone_scan, Turn::whole).or_throw();
      QVERIFY(whole.missing == 1 && std::abs(whole.range() - pi) < 1e-9 && std::abs(total(whole) - pi) < 1e-9);
      const ViewWeights closed = view_weights(cone_scan, Turn::closed).or_throw();
      QVERIFY(closed.missing == 0 && std::abs(total(closed) - 2 * pi) < 1e-9);
    }
  }
  // Golden angle, random angles, few views, two views, two clusters: a complete scan whatever the order.
  void any_angles_sum_to_half_a_turn() {
    std::vector<std::vector<double>> sets(6);
    for (uint64_t i = 0; i < 89; ++i) sets[0].push_back(static_cast<double>(i) * 111.246117975 * degree);
    for (uint64_t i = 0; i < 200; ++i) sets[1].push_back(2 * pi * Philox{6, 0}.uniform(i));
    sets[2] = equidistant_angles(7, pi, 1);
    sets[3] = {0.1, 0.2};
    for (int i = 0; i < 40; ++i) sets[4].push_back((i < 20 ? 0 : 70) * degree + i * degree);
    sets[5] = {0.3, 1.4, 1.41, 1.42, 1.43, 1.44, 1.45, 1.46};
    for (const auto& angles : sets) {
      for (const ViewWeights& w : {parallel(angles), cone(angles)}) {
        QVERIFY2(std::abs(total(w) - pi) < 1e-9, std::to_string(total(w)).c_str());
        QVERIFY(*std::min_element(w.weights.begin(), w.weights.end()) > 0);
      }
    }
  }
  void laminography_needs_a_full_turn_and_its_jacobian() {
    const double lean = 30 * degree;
    const auto g = ScanGeometry::laminography(equidistant_angles(90, 2 * pi), detector, lean).or_throw();
    const ViewWeights w = view_weights(g).or_throw();
    QVERIFY(w.period == 2 * pi && w.complete());
    QVERIFY(all_equal(w, pi / 90 * std::cos(lean)));
  }
};

TL_TEST_CASE(ViewWeightsTest)

}  // namespace tl::view_weights_test

#include "view_weights.moc"
