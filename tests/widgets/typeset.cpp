// Numbers as they are printed: minus signs, plus-minus, degrees and micrometres; everything else stays as it is.
#include "widgets/text/typeset.h"

#include "core/base/measured.h"
#include "tests/support/test_case.h"
#include "widgets/text/quantity_text.h"

namespace tl::ui::typeset_test {

class TypesetTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void numbers_are_typeset_data();
  void numbers_are_typeset();
  void what_is_shown_can_be_typed();
};

void TypesetTest::numbers_are_typeset_data() {
  QTest::addColumn<QString>("plain");
  QTest::addColumn<QString>("shown");
  const auto row = [](const char* name, const char* plain, const char* shown) {
    QTest::newRow(name) << QString::fromUtf8(plain) << QString::fromUtf8(shown);
  };
  row("a found value", "Axis -23.67 +- 0.02 px, resolved", "Axis −23.67 ± 0.02 px, resolved");
  row("a value alone", "-.5", "−.5");
  row("degrees", "tilt 90 deg, -0.3 °", "tilt 90°, −0.3°");
  row("micrometres", "1.1 um", "1.1 µm");
  row("a range", "[-2, -1] (-3) =-4", "[−2, −1] (−3) =−4");
  row("a name of a file", "scan-2.tif, a_-1, 3-4", "scan-2.tif, a_-1, 3-4");
  row("a date", "2026-01-02", "2026-01-02");
  row("an exponent", "1e-05 and -1e-05", "1e-05 and −1e-05");
  row("words", "half-acquisition - umbra 3 degrees", "half-acquisition - umbra 3 degrees");
}

void TypesetTest::numbers_are_typeset() {
  QFETCH(QString, plain);
  QFETCH(QString, shown);
  QCOMPARE(typeset(plain), shown);
  QCOMPARE(typeset(shown), shown);  // a text may pass twice
}

// A value that was copied from a card is read back as the same number.
void TypesetTest::what_is_shown_can_be_typed() {
  const QString shown = typeset(QString::fromStdString(measured_value(-23.67, 0.02))) + QStringLiteral(" px");
  QVERIFY(shown.startsWith(QStringLiteral("−")));
  const auto read = read_number(shown, Unit::px);
  QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
  QCOMPARE(read.value().value, -23.67);
}

TL_TEST_CASE(TypesetTest)

}  // namespace tl::ui::typeset_test

#include "typeset.moc"
