// Measured numbers: no digit beyond the uncertainty, value and uncertainty to the same decimal.
#include "core/base/measured.h"

#include "tests/support/test_case.h"

namespace tl::measured_test {

class MeasuredTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void as_many_digits_as_sigma_allows_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("sigma");
    QTest::addColumn<QString>("text");
    QTest::newRow("one figure") << -23.2413 << 0.0412 << "-23.24 ± 0.04";
    QTest::newRow("two figures below 36") << -23.2413 << 0.0148 << "-23.241 ± 0.015";
    QTest::newRow("sigma rounds up") << 2.0 << 0.0097 << "2.000 ± 0.010";
    QTest::newRow("whole") << 1234.4 << 7.0 << "1234 ± 7";
    QTest::newRow("tens") << 1234.4 << 56.0 << "1230 ± 60";
    QTest::newRow("no minus zero") << -0.001 << 0.5 << "0.0 ± 0.5";
    QTest::newRow("tiny") << 1.2345e-9 << 4e-11 << "1.23e-09 ± 4e-11";
    QTest::newRow("huge") << 1.2345e9 << 2e7 << "1.235e+09 ± 2.0e+07";
    QTest::newRow("sigma unknown") << 2.948768 << 0.0 << "2.949";
    QTest::newRow("sigma without end") << 2.948768 << std::numeric_limits<double>::infinity() << "2.949";
  }
  void as_many_digits_as_sigma_allows() {
    QFETCH(double, value);
    QFETCH(double, sigma);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(measured_text(value, sigma)), text);
    QVERIFY(text.startsWith(QString::fromStdString(measured_value(value, sigma))));
  }
};

TL_TEST_CASE(MeasuredTest)

}  // namespace tl::measured_test

#include "measured.moc"
