// Units: every symbol reads back, conversions are inverse to each other, unknown spellings are refused.
#include "core/base/units.h"

#include "tests/support/test_case.h"

namespace tl::units_test {

class UnitsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void every_symbol_reads_back() {
    for (int i = 0; i <= static_cast<int>(Unit::ms); ++i) {
      const Unit unit = static_cast<Unit>(i);
      const auto read = parse_unit(symbol(unit));
      QVERIFY2(read.ok(), std::string(symbol(unit)).c_str());
      QCOMPARE(read.value(), unit);
      QCOMPARE(from_stored(to_stored(1.25, unit), unit), 1.25);
    }
  }
  void spellings_of_scans() {
    QCOMPARE(parse_unit("degree").value(), Unit::deg);
    QCOMPARE(parse_unit("Microns").value(), Unit::um);
    QCOMPARE(parse_unit("µm").value(), Unit::um);
    QVERIFY(!parse_unit("furlong").ok());
    QVERIFY(parse_unit("furlong").error().hint.find("mm") != std::string::npos);
  }
  void known_values() {
    QCOMPARE(convert(1.1, Unit::um, Unit::mm), 1.1e-3);
    QCOMPARE(convert(180, Unit::deg, Unit::rad), pi);
    QCOMPARE(convert(7.9735, Unit::per_cm, Unit::per_mm), 0.79735);
    QCOMPARE(format_quantity(12.5, Unit::um), std::string("12.5 um"));
  }
};

TL_TEST_CASE(UnitsTest)

}  // namespace tl::units_test

#include "units.moc"
