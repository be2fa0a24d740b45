// Materials: the constants of acceptance case A4, and clear errors.
#include "core/physics/materials.h"

#include <cmath>

#include "core/base/units.h"
#include "tests/support/test_case.h"

namespace tl::materials_test {

class MaterialsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void constants_of_water_and_chalk() {
    // Relative 1e-5, the acceptance's own tolerance.
    const auto close = [](double a, double b) { return std::abs(a - b) <= 1e-5 * std::abs(b); };
    const auto water = refractive_index("H2O", 1.0, 16).or_throw();
    QVERIFY2(close(water.delta, 9.012268e-7), std::to_string(water.delta * 1e7).c_str());
    QVERIFY2(close(water.beta, 8.679286e-10), std::to_string(water.beta * 1e10).c_str());
    const auto chalk = refractive_index("CaCO3", 2.71, 25.3).or_throw();
    QVERIFY2(close(std::log(chalk.beta), -19.5888176), std::to_string(std::log(chalk.beta)).c_str());
    QVERIFY2(close(std::log(chalk.delta), -13.9426918), std::to_string(std::log(chalk.delta)).c_str());
    // mu = 4 pi beta / lambda, two tables of one library; hc = 12.3984198 keV Angstrom.
    const double wavelength_mm = 12.3984198 / 25.3 * 1e-7;
    QVERIFY(std::abs(chalk.attenuation - 4 * pi * chalk.beta / wavelength_mm) < 1e-4 * chalk.attenuation);
  }
  void nist_names_carry_their_density() {
    const auto water = refractive_index("Water, Liquid", {}, 16).or_throw();
    QCOMPARE(water.density, 1.0);
    QVERIFY(std::abs(refractive_index("Al", {}, 16).or_throw().density - 2.699) < 0.01);  // NIST: 2.699 g/cm3
  }
  void every_energy_of_the_range() {
    for (const double e : {1.0, 5.0, 25.0, 100.0, 200.0}) QVERIFY(refractive_index("Al", 2.7, e).or_throw().beta > 0);
  }
  void errors_say_what_is_missing() {
    QCOMPARE(refractive_index("CaCO3", {}, 20).error().where, std::string("density"));
    QCOMPARE(refractive_index("Unobtainium", 1.0, 20).error().where, std::string("material"));
    QCOMPARE(refractive_index("Al", 2.7, 0.5).error().where, std::string("energy"));
  }
};

TL_TEST_CASE(MaterialsTest)

}  // namespace tl::materials_test

#include "materials.moc"
