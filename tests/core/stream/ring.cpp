// The ring and the rows of a record: any order, doubles, late frames, gaps, two ways to count, little memory.
#include "core/stream/ring.h"

#include <algorithm>
#include <set>

#include "core/stream/record_rows.h"
#include "core/stream/spoiled_stream.h"
#include "tests/support/stream_frames.h"
#include "tests/support/test_case.h"

namespace tl::ring_test {

using namespace tl::stream;
using tl::test::shared_frame;
using Numbers = std::vector<int64_t>;

namespace {

constexpr int64_t plenty = int64_t{1} << 30;  // bytes

Numbers numbers_of(const std::vector<FramePtr>& frames) {
  Numbers all;
  for (const FramePtr& frame : frames) all.push_back(*frame->number);
  return all;
}

}  // namespace

class RingTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void integers_are_kept_as_ranges() {
    IntegerSet set;
    std::set<int64_t> plain;
    for (int64_t i = 0; i < 400; ++i) {
      const int64_t number = (i * 7919) % 251;
      QCOMPARE(set.add(number), plain.insert(number).second);
      QVERIFY(set.has(number));
    }
    QCOMPARE(set.lowest(), *plain.begin());
    QCOMPARE(set.highest(), *plain.rbegin());
    IntegerSet gaps;
    const std::set<int64_t> some = {3, 4, 8, 6, 12, 13, 14};
    for (const int64_t n : some) gaps.add(n);
    for (int64_t n = 0; n < 17; ++n) {
      const auto at = some.lower_bound(n), after = some.upper_bound(n);
      QCOMPARE(gaps.below(n), at == some.begin() ? std::nullopt : std::optional(*std::prev(at)));
      QCOMPARE(gaps.above(n), after == some.end() ? std::nullopt : std::optional(*after));
    }
    QCOMPARE(gaps.absent(2, 10), (Numbers{2, 5, 7, 9}));
    QCOMPARE(gaps.absent(4, 7), (Numbers{5}));
  }

  void any_order_is_sorted_data() {
    QTest::addColumn<int>("order");
    QTest::newRow("turn") << static_cast<int>(ViewOrder::turn);
    QTest::newRow("sweep") << static_cast<int>(ViewOrder::sweep);
    QTest::newRow("golden") << static_cast<int>(ViewOrder::golden);
  }
  // Numbers say when a frame was taken; frames that overtake each other come back into that order.
  void any_order_is_sorted() {
    QFETCH(int, order);
    const Numbers views = view_order(60, 2, static_cast<ViewOrder>(order));
    QCOMPARE(views.size(), std::size_t(120));
    Numbers sorted = views;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) QCOMPARE(sorted[i], static_cast<int64_t>(i / 2));
    const SpoiledStream spoiled = spoil(120, {.reorder = 8});
    QVERIFY(spoiled.reordered > 0);
    Ring ring(plenty, 60);
    for (const SentFrame& sent : spoiled.order) {
      auto frame = std::make_shared<Frame>(*shared_frame(sent.frame));
      frame->angle = static_cast<double>(views[static_cast<std::size_t>(sent.frame)]);
      QCOMPARE(ring.add(frame), Arrival::taken);
    }
    const auto frames = ring.frames(FrameKind::view, 0, 1000);
    QCOMPARE(frames.size(), std::size_t(120));
    for (std::size_t i = 0; i < frames.size(); ++i) {
      QCOMPARE(*frames[i]->number, static_cast<int64_t>(i));
      QCOMPARE(*frames[i]->angle, static_cast<double>(views[i]));
    }
    QVERIFY(ring.numbers().missing().empty());
  }

  void golden_order_spreads_every_stretch() {
    const Numbers views = view_order(60, 1, ViewOrder::golden);
    for (std::size_t begin = 0; begin + 12 <= views.size(); ++begin) {
      Numbers part(views.begin() + static_cast<std::ptrdiff_t>(begin),
                   views.begin() + static_cast<std::ptrdiff_t>(begin) + 12);
      std::sort(part.begin(), part.end());
      int64_t widest = part.front() + 60 - part.back();
      for (std::size_t i = 1; i < part.size(); ++i) widest = std::max(widest, part[i] - part[i - 1]);
      QVERIFY2(widest <= 12, QByteArray::number(static_cast<int>(widest)));  // 5 if they were evenly spread
    }
  }

  void the_first_of_doubles_is_kept() {
    Ring ring(plenty, 60);
    const FramePtr first = shared_frame(5);
    QCOMPARE(ring.add(first), Arrival::taken);
    QCOMPARE(ring.add(shared_frame(5)), Arrival::duplicate);
    QCOMPARE(ring.frames(FrameKind::view, 5, 5).front().get(), first.get());
    QCOMPARE(ring.counts().duplicates, 1);
    QCOMPARE(ring.counts().taken, 1);
  }

  void late_frames_are_marked_and_taken() {
    Ring ring(plenty, 10);
    for (int64_t i = 0; i < 30; ++i)
      if (i != 19 && i != 20) QCOMPARE(ring.add(shared_frame(i)), Arrival::taken);
    QCOMPARE(ring.add(shared_frame(20)), Arrival::taken);  // a window of 10 up to 29 begins with it
    QCOMPARE(ring.add(shared_frame(19)), Arrival::late);
    QCOMPARE(ring.counts().late, 1);
    QCOMPARE(numbers_of(ring.frames(FrameKind::view, 18, 21)), (Numbers{18, 19, 20, 21}));
  }

  void gaps_are_listed() {
    Ring ring(plenty, 60);
    for (const int64_t n : {4, 9, 5, 7}) ring.add(shared_frame(n));
    QCOMPARE(ring.numbers().missing(), (Numbers{6, 8}));
    QCOMPARE(ring.numbers().missing_in(2, 12), (Numbers{2, 3, 6, 8, 10, 11}));
  }

  void a_damaged_number_is_not_a_gap() {
    Ring ring(plenty, 60);
    ring.add(shared_frame(0));
    QCOMPARE(ring.add(shared_frame(int64_t{1} << 40)), Arrival::implausible);
    QCOMPARE(ring.add(shared_frame(-1)), Arrival::implausible);
    ring.add(shared_frame(2));
    QCOMPARE(ring.numbers().missing(), (Numbers{1}));
  }

  void numbers_through_all_kinds_or_per_kind() {
    FrameNumbers through;
    for (int64_t i = 0; i < 3; ++i) through.add(FrameKind::dark, i);
    for (int64_t i = 3; i < 6; ++i) through.add(FrameKind::flat, i);
    for (int64_t i = 6; i < 9; ++i)
      if (i != 7) through.add(FrameKind::view, i);
    QCOMPARE(through.numbering(), Numbering::through_all_kinds);
    QCOMPARE(through.missing(), (Numbers{7}));

    FrameNumbers each;
    for (int64_t i = 0; i < 3; ++i) QCOMPARE(each.add(FrameKind::flat, i), FrameNumbers::Added::taken);
    for (const int64_t i : {0, 1, 3}) QCOMPARE(each.add(FrameKind::view, i), FrameNumbers::Added::taken);
    QCOMPARE(each.numbering(), Numbering::per_kind);
    QCOMPARE(each.missing(), (Numbers{2}));
    QCOMPARE(each.add(FrameKind::view, 3), FrameNumbers::Added::duplicate);
  }

  void little_memory_drops_the_oldest_views() {
    const auto bytes = static_cast<int64_t>(shared_frame(0)->pixels.size() + sizeof(Frame));
    Ring ring(5 * bytes, 60);
    ring.add(shared_frame(0, FrameKind::flat));
    for (int64_t i = 1; i < 20; ++i) ring.add(shared_frame(i));
    QCOMPARE(numbers_of(ring.frames(FrameKind::view, 0, 100)), (Numbers{16, 17, 18, 19}));
    QCOMPARE(ring.frames(FrameKind::flat, 0, 100).size(), std::size_t(1));
    QVERIFY(ring.counts().bytes <= 5 * bytes);
    // What was dropped is still known.
    QCOMPARE(ring.add(shared_frame(3)), Arrival::duplicate);
    QVERIFY(ring.numbers().missing().empty());
    // More flats than fit do not push out the newest view.
    for (int64_t i = 100; i < 110; ++i) ring.add(shared_frame(i, FrameKind::flat));
    QCOMPARE(numbers_of(ring.frames(FrameKind::view, 0, 100)), (Numbers{19}));
  }

  void rows_by_number() {
    RecordRows rows;
    QCOMPARE(*rows.add(FrameKind::dark, 1), 1);  // frame 0 may still come
    QCOMPARE(*rows.add(FrameKind::view, 5), 5);
    QCOMPARE(*rows.add(FrameKind::view, 3), 3);
    QCOMPARE(*rows.add(FrameKind::dark, 0), 0);
    QVERIFY(!rows.add(FrameKind::view, 5));
    QCOMPARE(rows.rows(), 6);
    RecordRows later;  // joined late
    QCOMPARE(*later.add(FrameKind::view, 1000), RecordRows::room_before);
    QCOMPARE(*later.add(FrameKind::view, 998), RecordRows::room_before - 2);
    QVERIFY(!later.add(FrameKind::view, 100));
  }

  void rows_where_each_kind_is_counted_data() {
    QTest::addColumn<int>("numbering");
    QTest::newRow("known") << static_cast<int>(Numbering::per_kind);
    QTest::newRow("found out") << static_cast<int>(Numbering::through_all_kinds);
  }
  void rows_where_each_kind_is_counted() {
    QFETCH(int, numbering);
    RecordRows rows(static_cast<Numbering>(numbering));
    for (int64_t i = 0; i < 2; ++i) QCOMPARE(*rows.add(FrameKind::dark, i), i);
    for (int64_t i = 0; i < 3; ++i) QCOMPARE(*rows.add(FrameKind::flat, i), 2 + i);
    // Views 0 to 3, of which 1 comes late and 2 never.
    for (const int64_t i : {0, 3, 1}) QCOMPARE(*rows.add(FrameKind::view, i), 5 + i);
    // New flats: the views after them come behind them, those before stay.
    QCOMPARE(*rows.add(FrameKind::flat, 3), 9);
    QCOMPARE(*rows.add(FrameKind::flat, 4), 10);
    QCOMPARE(*rows.add(FrameKind::view, 5), 12);
    QCOMPARE(*rows.add(FrameKind::view, 4), 11);
    QCOMPARE(*rows.add(FrameKind::view, 2), 7);
    QCOMPARE(*rows.add(FrameKind::view, 6), 13);
  }

  void views_first_then_flats_with_numbers_of_their_own() {
    RecordRows rows;
    for (int64_t i = 0; i < 4; ++i) QCOMPARE(*rows.add(FrameKind::view, i), i);
    QCOMPARE(*rows.add(FrameKind::flat, 0), 4);
    QCOMPARE(*rows.add(FrameKind::view, 4), 5);
    QCOMPARE(*rows.add(FrameKind::flat, 1), 6);
    QCOMPARE(*rows.add(FrameKind::view, 5), 7);
  }
};

TL_TEST_CASE(RingTest)

}  // namespace tl::ring_test

#include "ring.moc"
