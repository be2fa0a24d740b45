// Threads: our files are compiled with OpenMP; otherwise ATen's parallel_for would silently be serial. How many there
// are follows other programs, control groups and the environment, and they wait passively.
#include "gpu/device/threads.h"

#include <ATen/Parallel.h>

#include <QTemporaryDir>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>

#include "tests/support/test_case.h"

namespace tl::threads_test {

class ThreadsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void parallel_for_uses_two_threads() {
    at::set_num_threads(2);
    std::set<std::thread::id> ids;
    std::mutex guard;
    std::atomic<int> inside = 0;
    at::parallel_for(0, 2, 1, [&](int64_t, int64_t) {
      ++inside;
      const std::lock_guard<std::mutex> lock(guard);
      ids.insert(std::this_thread::get_id());
    });
    QCOMPARE(inside.load(), 2);
    QCOMPARE(ids.size(), std::size_t{2});
  }

  // The program has started itself again with that variable, which OpenMP reads before main().
  void threads_wait_asleep() { QVERIFY(std::getenv("OMP_WAIT_POLICY") != nullptr); }

  void number_follows_other_programs() {
    const auto threads = [](int machine, int cores, double load, int running) {
      return recommended_threads(machine, cores, load, running).threads;
    };
    QCOMPARE(threads(2, 2, 0.0, 0), 2);
    QCOMPARE(threads(2, 2, 0.9, 3), 2);
    QCOMPARE(threads(2, 2, 4.1, 4), 1);
    QCOMPARE(threads(2, 2, 4.1, 0), 2);  // they have just ended
    QCOMPARE(threads(2, 2, 0.1, 4), 2);  // and those have just begun
    QCOMPARE(threads(64, 64, 30.4, 40), 34);
    QCOMPARE(threads(64, 8, 30.4, 40), 8);  // a group with 8 of the cores
    QCOMPARE(threads(64, 8, 61.0, 70), 3);
    QCOMPARE(to_text(recommended_threads(2, 2, 4.1, 4)),
             std::string("1 thread of 2 cores: other programs keep 4.0 of them busy"));
    const ThreadCount here = recommended_threads();
    QVERIFY(here.threads >= 1 && here.threads <= here.cores);
  }

  void number_follows_control_groups() {
    const QTemporaryDir dir;
    const std::filesystem::path mount = dir.path().toStdString();
    const auto put = [&](const std::string& file, const std::string& text) {
      std::filesystem::create_directories((mount / file).parent_path());
      std::ofstream(mount / file) << text << "\n";
    };
    put("membership", "0::/jobs/job_7/task");
    QVERIFY(cores_of_group(mount / "membership", mount) > 1e6);
    put("jobs/cpu.max", "400000 100000");
    put("jobs/job_7/cpu.max", "150000 100000");
    put("jobs/job_7/task/cpu.max", "max 100000");
    QCOMPARE(cores_of_group(mount / "membership", mount), 1.5);
    put("membership", "5:cpu,cpuacct:/batch");
    put("cpu/batch/cpu.cfs_quota_us", "-1");
    put("cpu/batch/cpu.cfs_period_us", "100000");
    QVERIFY(cores_of_group(mount / "membership", mount) > 1e6);
    put("cpu/batch/cpu.cfs_quota_us", "300000");
    QCOMPARE(cores_of_group(mount / "membership", mount), 3.0);
  }
};

TL_TEST_CASE(ThreadsTest)

}  // namespace tl::threads_test

#include "threads.moc"
