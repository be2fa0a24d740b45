// Steps over rows: each row reads what it waits for, for any number of threads; what fails ends all of them.
#include "gpu/device/row_steps.h"

#include <ATen/Parallel.h>

#include <atomic>
#include <stdexcept>

#include "tests/support/test_case.h"

namespace tl::row_steps_test {

class RowSteps : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void cleanup() { at::set_num_threads(2); }

  // Each step adds, to every row, the row opposite of the step before: all rows wait for all others.
  void rows_are_there_when_they_are_read_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("threads");
    for (const int rows : {1, 15, 40, 333})
      for (const int threads : {1, 2, 3, 7}) QTest::addRow("%d rows, %d threads", rows, threads) << rows << threads;
  }
  void rows_are_there_when_they_are_read() {
    QFETCH(int, rows);
    QFETCH(int, threads);
    at::set_num_threads(threads);
    constexpr std::size_t count = 50;
    std::vector<std::vector<int64_t>> values(count + 1, std::vector<int64_t>(static_cast<std::size_t>(rows), 1));
    std::vector<ops::RowStep> steps;
    for (std::size_t s = 0; s < count; ++s)
      steps.push_back({[&, s](int64_t begin, int64_t end) {
                         for (auto y = static_cast<std::size_t>(begin); y < static_cast<std::size_t>(end); ++y)
                           values[s + 1][y] = (values[s][y] + values[s][values[s].size() - 1 - y] + 1) % 1000;
                       },
                       s});
    ops::run_row_steps(rows, steps, {});
    int64_t expected = 1;
    for (std::size_t s = 0; s < count; ++s) expected = (2 * expected + 1) % 1000;
    for (const int64_t v : values.back()) QCOMPARE(v, expected);
  }

  void no_rows_and_no_steps_are_nothing() {
    ops::run_row_steps(100, {}, {});
    ops::run_row_steps(0, {{[](int64_t begin, int64_t end) { QCOMPARE(begin, end); }, 0}}, {});
  }

  void what_a_step_throws_ends_all() {
    at::set_num_threads(4);
    std::atomic<int> begun = 0;
    const auto fails = [&](int64_t begin, int64_t) {
      if (begin > 0) throw std::runtime_error("this one");
    };
    const std::vector<ops::RowStep> steps{{fails, 0}, {[&](int64_t, int64_t) { ++begun; }, 1}};
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, ops::run_row_steps(100, steps, {}));
    QCOMPARE(begun.load(), 0);
  }

  void is_cancelled_between_steps() {
    const CancelToken cancel;
    int begun = 0;
    const std::vector<ops::RowStep> steps{{[&](int64_t, int64_t) { cancel.cancel(); }, 0},
                                          {[&](int64_t, int64_t) { ++begun; }, 1}};
    try {
      ops::run_row_steps(10, steps, cancel);
      QFAIL("it went on");
    } catch (const Failure& failure) {
      QCOMPARE(failure.error().kind, ErrorKind::cancelled);
    }
    QCOMPARE(begun, 0);
  }
};

TL_TEST_CASE(RowSteps)

}  // namespace tl::row_steps_test

#include "row_steps.moc"
