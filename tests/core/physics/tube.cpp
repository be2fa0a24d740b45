// Tubes: Kramers' law, filter and scintillator, the bilinear attenuation, materials by label, and what is refused.
#include "core/physics/tube.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "core/physics/materials.h"
#include "core/values/values.h"
#include "tests/support/test_case.h"

namespace tl::tube_test {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double mean_energy(const TubeSpec& tube) {
  return effective_energy(tube_spectrum(tube).or_throw(), DetectorResponse::counting);
}

bool refused(const TubeSpec& tube) {
  const auto r = tube_spectrum(tube);
  return !r.ok() && r.error().kind == ErrorKind::invalid && !r.error().what.empty();
}

}  // namespace

class Tube : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void photons_follow_kramers_law() {
    QCOMPARE(kramers_spectrum(60, 30), 1.0);
    QCOMPARE(kramers_spectrum(60, 20), 2.0);
    QCOMPARE(kramers_spectrum(60, 60), 0.0);
    QCOMPARE(kramers_spectrum(60, 90), 0.0);
    // Without filter, and with everything absorbed: photons times their energy, V - E.
    TubeSpec tube;
    tube.filter.thickness = tube.scintillator.thickness = 0;
    tube.energies = 12;
    const Spectrum s = tube_spectrum(tube).or_throw();
    QCOMPARE(s.energy.front(), 5.0);
    QCOMPARE(s.energy.back(), 60.0);
    double sum = 0;
    for (const double e : s.energy) sum += 60 - e;
    for (std::size_t i = 0; i < s.energy.size(); ++i) QVERIFY(std::abs(s.weight[i] - (60 - s.energy[i]) / sum) < 1e-14);
  }

  void each_part_of_the_default_tube() {
    const TubeSpec tube;
    const Spectrum s = tube_spectrum(tube).or_throw();
    QCOMPARE(s.energy.size(), std::size_t{128});
    QVERIFY(std::abs(std::accumulate(s.weight.begin(), s.weight.end(), 0.0) - 1) < 1e-13);
    // Ratio of two energies, from the formula of each part.
    const auto part = [](double e) {
      const double filter = refractive_index("Al", 2.7, e).or_throw().attenuation;
      const double absorbed = photo_absorption("CsI", 4.51, e).or_throw();
      return kramers_spectrum(60, e) * std::exp(-filter * 2.5) * (1 - std::exp(-absorbed * 0.5)) * e;
    };
    const std::size_t a = 60, b = 100;
    QVERIFY(std::abs(s.weight[a] / s.weight[b] / (part(s.energy[a]) / part(s.energy[b])) - 1) < 1e-12);
  }

  void more_filter_and_more_voltage_make_harder_beams() {
    TubeSpec tube;
    double last = 0;
    for (const double mm : {0.0, 0.5, 2.5, 10.0}) {
      tube.filter.thickness = mm;
      QVERIFY(mean_energy(tube) > last);
      last = mean_energy(tube);
    }
    TubeSpec higher = tube;
    higher.voltage = 90;
    QVERIFY(mean_energy(higher) > mean_energy(tube));
  }

  void scintillators_lose_photons_of_high_energy() {
    const std::vector<double> response = scintillator_response({20, 33, 34, 100}, {"CsI", 4.51, 0.1}).or_throw();
    QVERIFY(response[0] / 20 < 1 && response[3] / 100 < 0.5 * response[0] / 20);
    QVERIFY(response[2] / 34 > response[1] / 33);  // the K edge of iodine is at 33.17 keV
  }

  // Ground truth: 0.52894 at 30 keV and 0.88662 at 60 keV.
  void bilinear_attenuation_of_martinez() {
    QVERIFY(std::abs(compton_share(30) - 0.52894) < 5e-5);
    QVERIFY(std::abs(compton_share(60) - 0.88662) < 5e-5);
    const double water = refractive_index("Water, Liquid", {}, 40).or_throw().attenuation;
    QVERIFY(std::abs(bilinear_attenuation(1, 40).or_throw() - water) < 1e-14);
    const double bone = std::pow(1.8, 3.21), share = compton_share(40);
    QVERIFY(std::abs(bilinear_attenuation(1.8, 40).or_throw() - water * (share * (1 - bone) + bone)) < 1e-14);
    QVERIFY(!bilinear_attenuation(nan, 40).ok() && !bilinear_attenuation(-1, 40).ok());
  }

  void materials_by_label() {
    const auto list = parse_materials("C5O2H8 1.18; Al ;Water, Liquid; bilinear 1.5").or_throw();
    QCOMPARE(list.size(), std::size_t{4});
    QVERIFY(list[0].name == "C5O2H8" && list[0].density == 1.18);
    QVERIFY(list[1].name == "Al" && !list[1].density);
    QVERIFY(list[2].name == "Water, Liquid" && !list[2].density);
    QVERIFY(list[3].number_ratio == 1.5);
    const auto mu = attenuations(list, {20, 40}).or_throw();
    QVERIFY(mu.size() == 4 && mu[0].size() == 2);
    for (const auto& m : mu) QVERIFY(m[0] > m[1]);
    QVERIFY(std::abs(mu[1][1] - refractive_index("Al", {}, 40).or_throw().attenuation) < 1e-15);
    for (const char* text : {"", " ", "Al;;Mg", ";Al", "Al -1", "Al nan", "Al 0"})
      QVERIFY2(!parse_materials(text).ok(), text);
    for (const char* text : {"Xx 1", "C5O2H8", "CaCO3 ; Al"}) {
      const auto materials = parse_materials(text);
      QVERIFY2(materials.ok() && !attenuations(materials.value(), {20}).ok(), text);
    }
  }

  void what_no_table_holds_is_refused() {
    TubeSpec tube;
    for (const double voltage : {0.5, 5.0, 201.0, -60.0, nan, std::numeric_limits<double>::infinity()}) {
      tube.voltage = voltage;
      QVERIFY2(refused(tube), std::to_string(voltage).c_str());
    }
    tube = {};
    for (const double lowest : {0.5, 60.0, nan}) {
      tube.lowest = lowest;
      QVERIFY(refused(tube));
    }
    tube = {};
    for (const int64_t count : {int64_t{1}, int64_t{0}, int64_t{-4}, int64_t{1} << 40}) {
      tube.energies = count;
      QVERIFY(refused(tube));
    }
    tube = {};
    tube.filter = {"Pb", {}, 900};  // nothing gets through
    QVERIFY(refused(tube));
    tube.filter = {"CaCO3", {}, 1};  // no tabulated density
    QVERIFY(refused(tube));
    tube = {};
    tube.scintillator = {"Nothing", 4.5, 1};
    QVERIFY(refused(tube));
  }
};

TL_TEST_CASE(Tube)

}  // namespace tl::tube_test

#include "tube.moc"
