// Threads: our files are compiled with OpenMP; otherwise ATen's parallel_for would silently be serial.
#include <ATen/Parallel.h>

#include <atomic>
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
};

TL_TEST_CASE(ThreadsTest)

}  // namespace tl::threads_test

#include "threads.moc"
