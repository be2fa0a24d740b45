// Numbers of threads that follow the cores that other programs leave free: from made-up samples, and of this process
// next to real programs.
#include "gpu/device/free_cores.h"

#include <ATen/Parallel.h>
#include <sched.h>

#include <QElapsedTimer>
#include <QProcess>
#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "gpu/device/parallel_for.h"
#include "gpu/device/threads.h"
#include "tests/support/patience.h"
#include "tests/support/test_case.h"

namespace tl::free_cores_test {

constexpr double no_quota = 1e9;

// A machine on which this process and others want so many cores each; all get equal shares.
class Machine {
 public:
  explicit Machine(int cores) { now_.cores = cores; }
  const CoreSample& after(double seconds, int own_threads, double others) {
    const double wanted = own_threads + others, share = std::min(1.0, now_.cores / wanted);
    now_.time += seconds;
    now_.own += seconds * own_threads * share;
    now_.busy += seconds * wanted * share;
    return now_;
  }
  [[nodiscard]] const CoreSample& now() const { return now_; }

 private:
  CoreSample now_;
};

// As a program on that machine: all threads that it has work.
class Program {
 public:
  Program(int cores, int limit, double quota = no_quota) : machine_(cores), follower_(limit, quota, machine_.now()) {}
  int next(double others, double seconds = 0.1) {
    return threads_ = follower_.follow(machine_.after(seconds, threads_, others), [&] { return at_the_moment_; });
  }
  int settled(double others) {
    for (int i = 0; i < 20; ++i) next(others);
    return threads_;
  }
  void let_free_at_the_moment(double cores) { at_the_moment_ = cores; }
  [[nodiscard]] const ThreadFollower& follower() const { return follower_; }

 private:
  Machine machine_;
  ThreadFollower follower_;
  int threads_ = 1;
  double at_the_moment_ = -1;  // a program that asks although it need not gets one thread
};

class FreeCores : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void counters_are_those_of_the_cores_of_this_process() {
    constexpr const char* text =
        "cpu  60 6 600 6000 60 3 3 3 0 0\n"
        "cpu0 10 1 100 1000 10 1 2 1000 7 7\n"
        "cpu1 20 2 200 2000 20 1 1 1 0 0\n"
        "cpu12 30 3 300 3000 30 1 0 1 0 0\n"
        "intr 12712769 0 0\n";
    const CoreSample all = busy_cores(text, 100, [](int) { return true; });
    QCOMPARE(all.cores, 3);
    QCOMPARE(all.busy, 6.72);  // user, nice, system, irq, softirq
    const CoreSample some = busy_cores(text, 100, [](int core) { return core != 1; });
    QCOMPARE(some.cores, 2);
    QCOMPARE(some.busy, 4.48);
    QCOMPARE(busy_cores("", 100, [](int) { return true; }).cores, 0);
    QCOMPARE(busy_cores("cpu  60 6 600 6000 60 3 3 3 0 0", 100, [](int) { return true; }).cores, 0);
  }

  void this_process_has_cores_that_are_busy() {
    const CoreSample first = sample_cores();
    QVERIFY(first.cores >= 1 && first.busy > 0 && first.own > 0);
    CoreSample now = first;
    while (now.own - first.own < 0.1) now = sample_cores();
    QVERIFY(now.time > first.time && now.busy > first.busy);
    const double free = free_cores(first, now);
    QVERIFY(free >= 0 && free <= now.cores);
  }

  void number_of_threads_data() {
    QTest::addColumn<int>("cores");
    QTest::addColumn<int>("limit");
    QTest::addColumn<double>("quota");
    QTest::addColumn<double>("others");
    QTest::addColumn<int>("threads");
    QTest::newRow("quiet") << 2 << 2 << no_quota << 0.0 << 2;
    QTest::newRow("a window system and the like") << 2 << 2 << no_quota << 0.3 << 2;
    QTest::newRow("one busy program") << 2 << 2 << no_quota << 1.0 << 1;
    QTest::newRow("four busy programs") << 2 << 2 << no_quota << 4.0 << 1;
    QTest::newRow("forty busy programs") << 2 << 2 << no_quota << 40.0 << 1;
    QTest::newRow("half of a large machine") << 64 << 64 << no_quota << 32.0 << 32;
    QTest::newRow("fewer than are free were asked for") << 64 << 8 << no_quota << 32.0 << 8;
    QTest::newRow("more than there are were asked for") << 2 << 16 << no_quota << 0.0 << 2;
    QTest::newRow("one was asked for") << 2 << 1 << no_quota << 0.0 << 1;
    QTest::newRow("a control group with less") << 64 << 64 << 2.6 << 0.0 << 3;
    QTest::newRow("a control group with more than is free") << 64 << 64 << 48.0 << 56.0 << 8;
  }
  void number_of_threads() {
    QFETCH(int, cores);
    QFETCH(int, limit);
    QFETCH(double, quota);
    QFETCH(double, others);
    QFETCH(int, threads);
    Program program(cores, limit, quota);
    QCOMPARE(program.settled(others), threads);
    for (int i = 0; i < 5; ++i) QCOMPARE(program.next(others), threads);
    QVERIFY(program.follower().most() <= limit && program.follower().fewest() >= 1);
  }

  void rises_and_falls_at_once() {
    Program program(2, 2);
    QCOMPARE(program.settled(0), 2);
    QCOMPARE(program.next(4), 1);
    QCOMPARE(program.next(4), 1);
    QCOMPARE(program.next(0), 2);
    QCOMPARE(program.follower().fewest(), 1);
    QCOMPARE(program.follower().most(), 2);
    QVERIFY(program.follower().busiest() > 1 && program.follower().busiest() <= 2);
  }

  void a_load_of_half_a_core_does_not_change_the_number() {
    Program two(2, 2), one(2, 2);
    QCOMPARE(two.settled(0), 2);
    QCOMPARE(one.settled(2), 1);
    for (int i = 0; i < 20; ++i) {
      const double others = i % 2 == 0 ? 0.36 : 0.44;
      QCOMPARE(two.next(others), 2);
      QCOMPARE(one.next(others), 1);
    }
  }

  void first_decision_needs_no_long_sample() {
    Program busy(2, 2), quiet(2, 2);
    busy.let_free_at_the_moment(-3);
    QCOMPARE(busy.next(4, 0.01), 1);
    quiet.let_free_at_the_moment(2);
    QCOMPARE(quiet.next(0, 0.01), 2);
    quiet.let_free_at_the_moment(-3);
    QCOMPARE(quiet.next(4, 0.01), 2);  // too young to say more
    QCOMPARE(quiet.next(4, 0.2), 1);
  }

  void an_idle_program_does_not_decide_on_old_samples() {
    Program program(2, 2);
    QCOMPARE(program.settled(4), 1);
    program.let_free_at_the_moment(2);
    QCOMPARE(program.next(4, 3600), 2);  // they ended a moment ago
    program.let_free_at_the_moment(0);
    QCOMPARE(program.next(0, 3600), 1);
    QCOMPARE(program.next(0), 2);
  }

  void without_counters_the_limit_holds() {
    ThreadFollower follower(5, no_quota, {});
    QCOMPARE(follower.most(), 5);
    QCOMPARE(follower.follow({}, [] { return 0.0; }), 5);
    QCOMPARE(follower.fewest(), 5);
    QCOMPARE(follower.most(), 5);
  }

  void used_threads_are_reported() {
    QCOMPARE(to_text(ThreadsUsed{2, 2, 2, 0.1}), std::string("2 of 2 threads"));
    QCOMPARE(to_text(ThreadsUsed{2, 1, 2, 1.94}),
             std::string("1 to 2 of 2 threads: other programs kept up to 1.9 cores busy"));
    QCOMPARE(to_text(ThreadsUsed{8, 3, 3, 5}), std::string("3 of 8 threads: other programs kept up to 5.0 cores busy"));
  }

  // On two cores of this machine, with programs on the same two.
  void loops_of_this_process_follow_other_programs() {
    cpu_set_t before, two;
    QCOMPARE(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&two);
    for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&two) < 2; ++core)
      if (CPU_ISSET(core, &before)) CPU_SET(core, &two);
    if (CPU_COUNT(&two) < 2) QSKIP("this needs two cores");
    QCOMPARE(sched_setaffinity(0, sizeof two, &two), 0);
    limit_threads(2);
    QCOMPARE(thread_limit(), 2);
    {
      std::vector<std::unique_ptr<QProcess>> loops;
      for (int i = 0; i < 4; ++i) {
        loops.push_back(std::make_unique<QProcess>());
        loops.back()->start(QStringLiteral("sh"), {QStringLiteral("-c"), QStringLiteral("while :; do :; done")});
        QVERIFY(loops.back()->waitForStarted());
      }
      QVERIFY(works_until(1, test::patience_ms));
      for (auto& loop : loops) loop->kill();
      for (auto& loop : loops) loop->waitForFinished();
    }
    QCOMPARE(threads_used().fewest, 1);
    // Whether the machine is quiet now is not in the hand of this test.
    constexpr int enough_of_a_quiet_machine = 60'000;
    const bool returned = works_until(2, enough_of_a_quiet_machine);
    sched_setaffinity(0, sizeof before, &before);
    if (!returned) QSKIP("other programs keep both cores busy");
    QCOMPARE(threads_used().most, 2);
  }

 private:
  // Works with as many threads as there are, until there are so many; false if it takes too long.
  static bool works_until(int threads, int milliseconds) {
    QElapsedTimer timer;
    timer.start();
    std::atomic<int64_t> sum{0};
    while (timer.elapsed() < milliseconds) {
      ops::parallel_for(0, 1'000'000, 1000, [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i) sum.fetch_add(i, std::memory_order_relaxed);
      });
      if (at::get_num_threads() == threads) return true;
    }
    return false;
  }
};

TL_TEST_CASE(FreeCores)

}  // namespace tl::free_cores_test

#include "free_cores.moc"
