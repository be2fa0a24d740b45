// Progress: the time left follows the pace, and a line never exceeds the terminal's width.
#include "core/run/common/progress.h"

#include "tests/support/test_case.h"

namespace tl::progress_test {

class ProgressTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void nothing_is_known_at_first() {
    ProgressEstimate e;
    QVERIFY(e.seconds_left() < 0);
    QCOMPARE(e.fraction(), 0.0);
    e.update(0, 10, 0.5);
    QVERIFY(e.seconds_left() < 0);
  }
  void an_even_pace_is_exact() {
    ProgressEstimate e;
    for (int i = 1; i <= 10; ++i) {
      e.update(i, 10, 2.0 * i);
      QVERIFY(std::abs(e.seconds_left() - 2.0 * (10 - i)) < 1e-9);
    }
    QCOMPARE(e.fraction(), 1.0);
  }
  // The first block pays for plans and caches: ten blocks later it must be nearly forgotten (0.8^20 = 1 %).
  void a_slow_start_is_forgotten() {
    ProgressEstimate e;
    e.update(1, 100, 30);
    for (int i = 2; i <= 21; ++i) e.update(i, 100, 30 + i - 1);
    QVERIFY2(std::abs(e.seconds_left() - 79) < 0.02 * 30 * 79 / 20 + 27, qPrintable(QString::number(e.seconds_left())));
    QVERIFY(e.seconds_left() > 79);
  }
  // Several blocks at once weigh as much as the same blocks one by one.
  void jumps_equal_single_steps() {
    ProgressEstimate one, many;
    one.update(1, 20, 5);
    many.update(1, 20, 5);
    for (int i = 2; i <= 6; ++i) one.update(i, 20, 5 + (i - 1) * 1.0);
    many.update(6, 20, 10);
    QVERIFY(std::abs(one.seconds_left() - many.seconds_left()) < 1e-9);
  }
  void repeated_reports_change_nothing() {
    ProgressEstimate e;
    e.update(2, 10, 4);
    const double left = e.seconds_left();
    e.update(2, 10, 5);
    QCOMPARE(e.seconds_left(), left);
  }
  // One block of many iterations, as a solver that cannot be cut: per cent and time left come from these.
  void steps_of_a_block_count() {
    ProgressEstimate e;
    e.update_block(1, 4, 1);
    QCOMPARE(e.fraction(), 0.0);  // of how many blocks is not known
    e.update(0, 2, 0);
    QVERIFY(e.seconds_left() < 0);
    e.update_block(1, 4, 3);
    QCOMPARE(e.fraction(), 0.125);
    QCOMPARE(e.seconds_left(), 21.0);
    e.update_block(4, 4, 12);
    QCOMPARE(e.fraction(), 0.5);
    e.update(1, 2, 12);
    QCOMPARE(e.fraction(), 0.5);
    QCOMPARE(e.seconds_left(), 12.0);
    e.update_block(2, 4, 18);
    QCOMPARE(e.fraction(), 0.75);
    QCOMPARE(e.seconds_left(), 6.0);
    e.update_block(1, 0, 19);  // of unknown many: nothing
    QCOMPARE(e.fraction(), 0.75);
  }
  void durations() {
    QCOMPARE(format_duration(0.4), std::string("0 s"));
    QCOMPARE(format_duration(59.4), std::string("59 s"));
    QCOMPARE(format_duration(59.6), std::string("1 min 00 s"));
    QCOMPARE(format_duration(125), std::string("2 min 05 s"));
    QCOMPARE(format_duration(3600 * 3.5), std::string("3 h 30 min"));
  }
  void a_line_shows_all_and_fits() {
    ProgressEstimate e;
    e.update(3, 12, 6);
    const std::string line = progress_line(e, 2.5e7, "fbp", 200);
    QCOMPARE(line, std::string("[######..................]  25 %, 18 s left, 25.0 Mvoxel/s, fbp"));
    for (int width : {1, 20, 40, 79})
      QVERIFY(static_cast<int>(progress_line(e, 2.5e7, "a_long_node_name", width).size()) <= width);
  }
};

TL_TEST_CASE(ProgressTest)

}  // namespace tl::progress_test

#include "progress.moc"
