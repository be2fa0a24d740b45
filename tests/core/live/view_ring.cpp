// The memory of the views of a stream: windows are parts of it, and what refers to it is never written into.
#include "core/live/windows/view_ring.h"

#include <ATen/ATen.h>

#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/test_case.h"

namespace tl::view_ring_test {

namespace {

using Rows = std::vector<int64_t>;

Rows range(int64_t first, int64_t count) {
  Rows rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

// Pixels that say their row of the record.
at::Tensor views_of(const Rows& rows) {
  at::Tensor views = at::zeros({static_cast<int64_t>(rows.size()), 2, 3}, at::kFloat);
  for (std::size_t i = 0; i < rows.size(); ++i)
    views.select(0, static_cast<int64_t>(i)).fill_(static_cast<double>(rows[i]));
  return views;
}

}  // namespace

class ViewRingTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void windows_are_parts_of_the_memory() {
    constexpr int64_t length = 12, hop = 3;
    ViewRing ring;
    ring.add(range(0, length), views_of(range(0, length)));
    std::set<const void*> memories;
    for (int64_t first = 0; first < 60; first += hop) {
      const Rows rows = range(first, length);
      if (first > 0) {
        ring.drop_before(first);
        ring.add(range(first + length - hop, hop), views_of(range(first + length - hop, hop)));
      }
      const at::Tensor window = ring.window(rows);
      QVERIFY(window.equal(views_of(rows)));
      QVERIFY(window.is_contiguous());
      memories.insert(window.storage().data());
    }
    // No window is copied: the first is what was added, and all others share one memory.
    QCOMPARE(memories.size(), std::size_t{2});
  }

  void what_refers_to_it_stays() {
    ViewRing ring;
    std::vector<std::pair<Rows, at::Tensor>> windows;
    for (int64_t first = 0; first < 40; first += 2) {
      ring.drop_before(first);
      const Rows more = first == 0 ? range(0, 8) : range(first + 6, 2);
      ring.add(more, views_of(more));
      windows.emplace_back(range(first, 8), ring.window(range(first, 8)));
      for (const auto& [rows, window] : windows) QVERIFY(window.equal(views_of(rows)));
    }
  }

  void a_late_view_comes_to_its_place() {
    ViewRing ring;
    const Rows first = {0, 1, 3, 4};
    ring.add(first, views_of(first));
    const at::Tensor before = ring.window(first);
    QVERIFY(before.equal(views_of(first)));
    const Rows late = {2, 5};
    ring.add(late, views_of(late));
    QVERIFY(ring.window(range(1, 5)).equal(views_of(range(1, 5))));
    QVERIFY(before.equal(views_of(first)));
    // Some of the views alone.
    const Rows some = {1, 4, 5};
    QVERIFY(ring.window(some).equal(views_of(some)));
  }
};

TL_TEST_CASE(ViewRingTest)

}  // namespace tl::view_ring_test

#include "view_ring.moc"
