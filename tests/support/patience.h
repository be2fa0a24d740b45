// How long a test waits: as long as a busy machine may take, where the compute thread with its low priority gets a
// small share of a core. Only a failing test waits that long.
#pragma once

#include <QElapsedTimer>
#include <QtTest/QtTest>
#include <ctime>

namespace tl::test {

inline constexpr int patience_ms = 600000;

// Waits for work of this process that takes a minute or more of its CPU time: the time of other programs does not
// count. Gives up after patience_ms of CPU time, or four times that by the clock.
template <class Condition>
bool wait_for_work(Condition condition) {
  const std::clock_t began = std::clock();
  QElapsedTimer by_the_clock;
  by_the_clock.start();
  const auto used_ms = [&] { return 1000 * static_cast<int64_t>(std::clock() - began) / CLOCKS_PER_SEC; };
  while (!condition()) {
    if (used_ms() > patience_ms || by_the_clock.hasExpired(4 * int64_t{patience_ms})) return false;
    if (QTest::qWaitFor(condition, 1000)) return true;
  }
  return true;
}

}  // namespace tl::test

// Qt's own macros give up after 5 s.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(expr) QTRY_VERIFY_WITH_TIMEOUT(expr, ::tl::test::patience_ms)
#define QTRY_VERIFY2(expr, message) QTRY_VERIFY2_WITH_TIMEOUT(expr, message, ::tl::test::patience_ms)
#define QTRY_COMPARE(expr, expected) QTRY_COMPARE_WITH_TIMEOUT(expr, expected, ::tl::test::patience_ms)
