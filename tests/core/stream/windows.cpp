// Windows of a stream: each hop, any order, gaps, flats, frames that came too late.
#include "core/stream/windows.h"

#include <algorithm>
#include <numeric>

#include "tests/support/stream_frames.h"
#include "tests/support/test_case.h"

namespace tl::windows_test {

using namespace tl::stream;
using tl::test::shared_frame;
using tl::test::stream_frame;
using Numbers = std::vector<int64_t>;
using Needs = Windows::NeedsFlats;

namespace {

Numbers numbers_of(const Window& window) {
  Numbers all;
  for (const Window::View& view : window.views) all.push_back(*view.frame->number);
  return all;
}

Numbers range(int64_t first, int64_t last) {
  Numbers all(static_cast<std::size_t>(last + 1 - first));
  std::iota(all.begin(), all.end(), first);
  return all;
}

void add(Windows& windows, int64_t number, FrameKind kind = FrameKind::view) {
  windows.add(shared_frame(number, kind), Numbering::through_all_kinds, false);
}

}  // namespace

class WindowsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_window_follows_each_hop() {
    for (const int64_t hop : {1, 3, 5, 10}) {
      Windows windows({10, hop});
      int64_t next = 0, made = 0;
      for (int64_t i = 0; i < 60; ++i) {
        add(windows, i);
        while (const auto window = windows.take_next(Needs::no)) {
          QCOMPARE(window->index, made++);
          QCOMPARE(numbers_of(*window), range(next, next + 9));
          QCOMPARE(window->views.front().ordinal, next);
          QCOMPARE(i, next + 9);
          next += hop;
        }
      }
      QCOMPARE(made, (60 - 10) / hop + 1);
      QCOMPARE(windows.skipped(), int64_t{0});
    }
  }

  void the_newest_passes_over_the_others() {
    Windows windows({10, 5});
    for (int64_t i = 0; i < 27; ++i) add(windows, i);
    const auto window = windows.take_newest(Needs::no);
    QVERIFY(window);
    QCOMPARE(numbers_of(*window), range(15, 24));
    QCOMPARE(windows.skipped(), int64_t{3});
    QVERIFY(!windows.take_newest(Needs::no));
  }

  void a_gap_is_waited_for() {
    Windows windows({4, 4});
    for (const int64_t i : {0, 1, 3}) add(windows, i);
    QVERIFY(!windows.take_next(Needs::no));
    add(windows, 2);
    QCOMPARE(numbers_of(*windows.take_next(Needs::no)), range(0, 3));
    for (const int64_t i : {4, 6, 7, 8}) add(windows, i);
    QVERIFY(!windows.take_next(Needs::no));
    for (int64_t i = 9; i <= 7 + Windows::patience; ++i) add(windows, i);
    const auto window = windows.take_next(Needs::no);
    QVERIFY(window);
    QCOMPARE(numbers_of(*window), (Numbers{4, 6, 7}));
    QCOMPARE(window->lost, int64_t{1});
    // It comes too late for its window: views after it count one more before them.
    add(windows, 5);
    QCOMPARE(windows.take_next(Needs::no)->views.front().ordinal, int64_t{8});
    for (const int64_t i : {16, 17, 19}) add(windows, i);
    windows.end();
    QCOMPARE(numbers_of(*windows.take_next(Needs::no)), range(12, 15));
    QCOMPARE(numbers_of(*windows.take_next(Needs::no)), (Numbers{16, 17, 19}));
  }

  void flats_stand_where_they_were_taken() {
    Windows windows({6, 6});
    for (const int64_t i : {0, 1}) add(windows, i, FrameKind::dark);
    for (const int64_t i : {2, 3}) add(windows, i, FrameKind::flat);
    for (int64_t i = 4; i < 8; ++i) add(windows, i);
    for (const int64_t i : {8, 9}) add(windows, i, FrameKind::flat);
    for (int64_t i = 10; i < 12; ++i) add(windows, i);
    const auto window = windows.take_next(Needs::yes);
    QVERIFY(window);
    QCOMPARE(numbers_of(*window), (Numbers{4, 5, 6, 7, 10, 11}));
    QCOMPARE(window->darks.size(), std::size_t{2});
    std::vector<double> positions;
    for (const Window::Flat& flat : window->flats) positions.push_back(flat.position);
    QCOMPARE(positions, (std::vector<double>{-0.5, -0.5, 3.5, 3.5}));
  }

  void without_flats_it_waits() {
    Windows windows({4, 2});
    for (int64_t i = 0; i < 5; ++i) add(windows, i);
    QVERIFY(!windows.take_next(Needs::yes));
    QVERIFY(windows.waits_for_flats());
    QVERIFY(windows.take_next(Needs::no));
  }

  void windows_before_the_first_flats_are_passed_over() {
    Windows windows({4, 2});
    for (int64_t i = 0; i < 5; ++i) add(windows, i);
    QVERIFY(!windows.take_next(Needs::yes));
    add(windows, 5, FrameKind::flat);
    QVERIFY(!windows.take_next(Needs::yes));
    QVERIFY(!windows.waits_for_flats());
    for (int64_t i = 6; i < 9; ++i) add(windows, i);
    QCOMPARE(numbers_of(*windows.take_next(Needs::yes)), (Numbers{2, 3, 4, 6}));
    QCOMPARE(windows.skipped(), int64_t{1});
  }

  void views_without_beam_make_no_window() {
    Windows windows({4, 2});
    for (int64_t i = 0; i < 12; ++i) {
      Frame frame = stream_frame(i);
      frame.has_beam = i != 5;
      windows.add(std::make_shared<const Frame>(std::move(frame)), Numbering::through_all_kinds, false);
    }
    QCOMPARE(numbers_of(*windows.take_next(Needs::no)), range(0, 3));
    QCOMPARE(numbers_of(*windows.take_next(Needs::no)), range(6, 9));
    QCOMPARE(windows.skipped(), int64_t{2});
  }

  void frames_of_which_no_window_is_made_do_not_pile_up() {
    Windows windows({10, 5});
    std::weak_ptr<const Frame> first;
    for (int64_t i = 0; i < 200; ++i) {
      const FramePtr frame = shared_frame(i);
      if (i == 0) first = frame;
      windows.add(frame, Numbering::through_all_kinds, false);
    }
    QVERIFY(first.expired());
    QCOMPARE(numbers_of(*windows.take_newest(Needs::no)), range(190, 199));
  }
};

TL_TEST_CASE(WindowsTest)

}  // namespace tl::windows_test

#include "windows.moc"
