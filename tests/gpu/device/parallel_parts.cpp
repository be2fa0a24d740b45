// Parallel parts: each index once, whoever computes it; no waiting for a thread that has not begun; errors arrive.
#include "gpu/device/parallel_parts.h"

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/support/patience.h"
#include "tests/support/test_case.h"

namespace tl::parallel_parts_test {

class ParallelParts : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void cleanup() { at::set_num_threads(2); }

  void each_index_is_computed_once_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("size");
    for (const int count : {0, 1, 7, 1000})
      for (const int size : {1, 3, 1000}) QTest::addRow("%d by %d", count, size) << count << size;
  }
  void each_index_is_computed_once() {
    QFETCH(int, count);
    QFETCH(int, size);
    for (const int threads : {1, 2, 5}) {
      at::set_num_threads(threads);
      std::vector<std::atomic<int>> times(static_cast<std::size_t>(count));
      const auto add = [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) ++times[static_cast<std::size_t>(i)];
      };
      ops::parallel_parts(count, size, [&] { return add; });
      ops::parallel_ranges(count, size, add);
      for (const auto& t : times) QCOMPARE(t.load(), 2);
      QCOMPARE(at::get_num_threads(), threads);
    }
  }

  // All helpers are kept in another loop, as where busy programs have all cores: the caller does everything itself.
  void a_loop_ends_although_no_helper_begins() {
    at::set_num_threads(2);
    std::promise<void> free;
    const std::shared_future<void> freed = free.get_future().share();
    std::atomic<int> held{0};
    constexpr int helpers = 8;  // more than other tests here have
    std::thread other([&] {
      ops::with_helpers(helpers, [&] {
        ++held;
        freed.wait();
      });
    });
    QTRY_COMPARE(held.load(), helpers + 1);
    std::atomic<int> done{0};
    const std::thread::id here = std::this_thread::get_id();
    bool alone = true;
    ops::parallel_ranges(100, 1, [&](int64_t begin, int64_t end) {
      done += static_cast<int>(end - begin);
      if (std::this_thread::get_id() != here) alone = false;
    });
    free.set_value();
    other.join();
    QCOMPARE(done.load(), 100);
    QVERIFY(alone);
  }

  void loops_within_parts_are_serial() {
    at::set_num_threads(2);
    std::atomic<int> nested{0}, within{0};
    ops::parallel_ranges(8, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const std::thread::id here = std::this_thread::get_id();
        const auto count = [&](int64_t first, int64_t last) {
          nested += static_cast<int>(last - first);
          if (std::this_thread::get_id() != here) ++within;
        };
        at::parallel_for(0, 10, 1, count);
        ops::parallel_ranges(10, 1, count);
      }
    });
    QCOMPARE(nested.load(), 160);
    QCOMPARE(within.load(), 0);
  }

  void an_error_ends_the_loop_and_arrives() {
    at::set_num_threads(2);
    std::atomic<int> done{0};
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, ops::parallel_ranges(1000, 1, [&](int64_t begin, int64_t end) {
                               if (begin == 0) throw std::runtime_error("first");
                               done += static_cast<int>(end - begin);
                             }));
    QVERIFY(done < 1000);
    ops::parallel_ranges(10, 1, [&](int64_t begin, int64_t end) { done += static_cast<int>(end - begin); });
  }
};

TL_TEST_CASE(ParallelParts)

}  // namespace tl::parallel_parts_test

#include "parallel_parts.moc"
