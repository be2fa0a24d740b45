// BackgroundCalls: calls happen one after the other, and no error or exception of one is lost.
#include "core/io/output/background_calls.h"

#include <atomic>
#include <latch>
#include <stdexcept>
#include <vector>

#include "tests/support/test_case.h"

namespace tl::background_calls_test {

class BackgroundCallsTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void calls_run_in_order_while_the_caller_goes_on();
  void errors_reach_the_next_call();
  void exceptions_reach_the_caller();
  void the_end_waits();
};

void BackgroundCallsTest::calls_run_in_order_while_the_caller_goes_on() {
  io::BackgroundCalls calls;
  std::vector<int> order;
  std::latch go(1);
  QVERIFY(calls
              .start([&] {
                go.wait();  // the caller is not blocked
                order.push_back(0);
                return ok();
              })
              .ok());
  go.count_down();
  for (int i = 1; i < 50; ++i)
    QVERIFY(calls
                .start([&order, i] {
                  order.push_back(i);
                  return ok();
                })
                .ok());
  QVERIFY(calls.wait().ok());
  QCOMPARE(order.size(), std::size_t{50});
  for (int i = 0; i < 50; ++i) QCOMPARE(order[static_cast<std::size_t>(i)], i);
}

void BackgroundCallsTest::errors_reach_the_next_call() {
  io::BackgroundCalls calls;
  const auto fails = []() -> Result<void> { return io_error("the disk is full", "a file"); };
  bool called = false;
  QVERIFY(calls.start(fails).ok());
  const auto next = calls.start([&] {
    called = true;
    return ok();
  });
  QVERIFY(!next.ok() && next.error().kind == ErrorKind::io);
  QVERIFY(calls.wait().ok());  // reported once
  QVERIFY2(!called, "a call was begun behind one that failed");
  QVERIFY(calls.start(fails).ok());
  QVERIFY(!calls.wait().ok());
}

void BackgroundCallsTest::exceptions_reach_the_caller() {
  io::BackgroundCalls calls;
  QVERIFY(calls.start([]() -> Result<void> { throw std::runtime_error("no memory"); }).ok());
  bool caught = false;
  try {
    (void)calls.wait();
  } catch (const std::runtime_error&) {
    caught = true;
  }
  QVERIFY(caught);
  QVERIFY(calls.wait().ok());
}

void BackgroundCallsTest::the_end_waits() {
  std::atomic<bool> done = false;
  {
    io::BackgroundCalls calls;
    QVERIFY(calls
                .start([&] {
                  done = true;
                  return ok();
                })
                .ok());
  }
  QVERIFY(done);
}

TL_TEST_CASE(BackgroundCallsTest)

}  // namespace tl::background_calls_test

#include "background_calls.moc"
