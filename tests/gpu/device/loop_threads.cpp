// Long loops have the most threads whatever others do, short ones as many as cores are free; decided by what the loop
// of one place took before.
#include "gpu/device/loop_threads.h"

#include <ATen/Parallel.h>

#include "gpu/device/parallel_for.h"
#include "gpu/device/threads.h"
#include "tests/support/test_case.h"

namespace tl::loop_threads_test {

class LoopThreadsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void an_unknown_loop_is_short() {
    const ops::LoopHistory history;
    QVERIFY(!history.is_long(1e12));
  }

  void length_grows_with_the_work() {
    ops::LoopHistory history;
    history.add(10, 10 * 1e-4);
    QVERIFY(!history.is_long(10));
    QVERIFY(!history.is_long(0.99 * ops::long_loop_s / 1e-4));
    QVERIFY(history.is_long(1.01 * ops::long_loop_s / 1e-4));
  }

  void the_shorter_of_two_runs_counts() {
    ops::LoopHistory history;
    history.add(1, 10 * ops::long_loop_s);
    QVERIFY(history.is_long(1));
    history.add(1, 0.1 * ops::long_loop_s);
    QVERIFY(!history.is_long(1));
    history.add(1, 10 * ops::long_loop_s);
    QVERIFY(!history.is_long(1));
    history.add(1, 10 * ops::long_loop_s);
    QVERIFY(history.is_long(1));
    history.add(0, 0);  // nothing was done: nothing is known
    QVERIFY(history.is_long(1));
  }

  void what_was_set_is_set_again() {
    limit_threads(2);
    ops::LoopHistory history;
    follow_free_cores();
    const int before = at::get_num_threads();
    history.add(1, 10 * ops::long_loop_s);
    {
      const ops::LoopThreads loop(history, 1);
      QCOMPARE(at::get_num_threads(), 2);
      QCOMPARE(ops::threads_of_loop(), int64_t{2});  // held: others do not change it now
      ops::LoopHistory other;
      const ops::LoopThreads inner(other, 1);  // does nothing
      QCOMPARE(at::get_num_threads(), 2);
    }
    QCOMPARE(at::get_num_threads(), before);
  }

  void short_loops_keep_what_is_free() {
    limit_threads(2);
    ops::LoopHistory history;
    history.add(1, 0.1 * ops::long_loop_s);
    follow_free_cores();
    const ops::LoopThreads loop(history, 1);
    QVERIFY(at::get_num_threads() <= 2);
    QCOMPARE(ops::threads_of_loop(), static_cast<int64_t>(at::get_num_threads()));
  }
};

TL_TEST_CASE(LoopThreadsTest)

}  // namespace tl::loop_threads_test

#include "loop_threads.moc"
