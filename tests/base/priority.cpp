// Lower priority for a thread and the threads that it starts, and for no other thread.
#include "core/base/priority.h"

#include <algorithm>
#include <thread>

#include "tests/support/test_case.h"

#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tl::priority_test {

namespace {

int niceness() {
#ifdef __linux__
  return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)));
#else
  return 0;
#endif
}

}  // namespace

class PriorityTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void priority_of_a_thread_and_its_children_is_lowered() {
#ifndef __linux__
    QSKIP("threads have no priority of their own on this system");
#endif
    const int before = niceness();
    int self = 0, child = 0;
    std::thread([&] {
      lower_thread_priority();
      self = niceness();
      std::thread([&] { child = niceness(); }).join();
    }).join();
    QCOMPARE(self, std::max(before, 5));
    QCOMPARE(child, self);
    int long_work = 0;
    std::thread([&] {
      lower_thread_priority_for_long_work();
      long_work = niceness();
    }).join();
    QCOMPARE(long_work, std::max(before, 10));
    QCOMPARE(niceness(), before);
  }
  void a_lower_priority_stays() {
#ifdef __linux__
    int low = 0, after = 0;
    std::thread([&] {
      ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), 12);
      low = niceness();
      lower_thread_priority();
      after = niceness();
    }).join();
    QVERIFY(low >= 12);
    QCOMPARE(after, low);
#else
    QSKIP("threads have no priority of their own on this system");
#endif
  }
};

TL_TEST_CASE(PriorityTest)

}  // namespace tl::priority_test

#include "priority.moc"
