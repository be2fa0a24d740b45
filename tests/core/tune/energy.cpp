// The ridge of a power curve and the front of time and energy: generated curves, and a measured one.
#include <cmath>
#include <filesystem>

#include "core/tune/energy/ridge.h"
#include "core/tune/formats/space_file.h"
#include "tests/core/tune/tuning_data.h"
#include "tests/support/test_case.h"

namespace tl::tune_energy_test {

using namespace tune;

namespace {

std::vector<ClockPoint> curve_of(const PowerModel& model, double noise) {
  Random random(7, 0);
  std::vector<ClockPoint> points;
  for (double mhz = 400; mhz <= 1800; mhz += 100)
    points.push_back({mhz, mhz, model.watts(mhz) * (1 + noise * random.normal()), 1e5 / mhz});
  return points;
}

}  // namespace

class Energy : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void the_ridge_of_a_generated_curve_is_found() {
    // Also low ones: the ridge may lie anywhere between the clocks.
    for (const double mhz : {700.0, 1000.0, 1350.0}) {
      const Ridge found = find_ridge(curve_of({mhz, 30, .04, .0012, 1000, 400}, 0)).or_throw();
      QVERIFY2(std::abs(found.model.ridge_mhz - mhz) < .01 * mhz, QByteArray::number(found.model.ridge_mhz));
      const Ridge noisy = find_ridge(curve_of({mhz, 30, .04, .0012, 1000, 400}, .005)).or_throw();
      // Four sigma: a fixed seed, but the sigma is an estimate itself.
      QVERIFY2(std::abs(noisy.model.ridge_mhz - mhz) < 4 * noisy.uncertainty_mhz,
               QByteArray::number(noisy.model.ridge_mhz) + " +- " + QByteArray::number(noisy.uncertainty_mhz));
    }
  }

  void too_few_clocks_are_refused() {
    auto points = curve_of({1000, 30, .04, .0012, 1000, 400}, 0);
    points.resize(5);
    QCOMPARE(find_ridge(points).error().kind, ErrorKind::invalid);
  }

  void a_power_that_was_not_measured_is_not_available() {
    const auto file = parse_space(R"({"device_name": "d", "kernel_name": "k", "tune_params_keys": ["nvml_gr_clock"],
      "tune_params": {"nvml_gr_clock": [500, 600]}, "cache": {"500": {"nvml_gr_clock": 500, "time": 2}}})",
                                  "s.json");
    QCOMPARE(clock_points(file.value().space).error().kind, ErrorKind::unavailable);
  }

  void the_front_has_what_nothing_betters() {
    const std::vector<ClockPoint> points = curve_of({1000, 30, .04, .003, 1000, 400}, .02);
    const std::vector<ClockPoint> front = time_energy_front(points);
    QVERIFY(!front.empty());
    for (const ClockPoint& p : points) {
      bool is_bettered = false, is_there = false;
      for (const ClockPoint& q : points) is_bettered |= q.ms < p.ms && q.millijoules() <= p.millijoules();
      for (const ClockPoint& q : front) is_there |= q.mhz == p.mhz;
      QCOMPARE(is_there, !is_bettered);
    }
  }

  void the_a4000_has_its_ridge_and_its_front() {
    if (!std::filesystem::exists(test::a4000_space()))
      QSKIP("synthetic_fp32_RTX_A4000.json is not there (TL_SHARED_DATA)");
    const auto points = clock_points(read_space(test::a4000_space()).or_throw().space).or_throw();
    QCOMPARE(points.size(), std::size_t{10});
    const Ridge found = find_ridge(points).or_throw();
    QVERIFY2(std::abs(found.model.ridge_mhz - 1350) < .05 * 1350, QByteArray::number(found.model.ridge_mhz));
    std::vector<double> clocks;
    for (const ClockPoint& p : time_energy_front(points)) clocks.push_back(p.setting);
    QCOMPARE(clocks, (std::vector<double>{1905, 1710, 1530, 1335}));
  }
};

TL_TEST_CASE(Energy)

}  // namespace tl::tune_energy_test

#include "energy.moc"
