// Reading ahead: what was read ahead equals what is read on request, is not read twice, and a wrong guess
// changes nothing.
#include <ATen/ATen.h>

#include <deque>
#include <filesystem>

#include "core/io/open_scan.h"
#include "core/io/reader/scan_info.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/node_pipeline.h"
#include "tests/support/test_case.h"

namespace tl::read_ahead_test {

namespace fs = std::filesystem;

namespace {

constexpr int64_t views = 40, rows = 24, cols = 512;  // of a megabyte and more: only such blocks are shared memory

// Counts what is requested of it; every pixel is a number of its own.
class CountingReader final : public io::ScanReader {
 public:
  explicit CountingReader(bool in_halves) : in_halves_(in_halves) {
    info_.views = views;
    info_.rows = rows;
    info_.cols = cols;
    info_.path = "counted";
  }
  [[nodiscard]] const io::ScanInfo& info() const override { return info_; }
  [[nodiscard]] const std::shared_ptr<io::InputFiles>& inputs() const override { return inputs_; }
  Result<void> read_into(const io::FrameRegion& region, const at::Tensor& out, const CancelToken&) override {
    ++read_at_once;
    return fill(region, out);
  }
  Result<bool> begin_reading(const io::FrameRegion& region, const at::Tensor& out) override {
    if (!in_halves_) return false;
    ++begun;
    waiting_.push_back({region, out});
    return true;
  }
  Result<void> finish_reading(const CancelToken&) override {
    const Begun first = waiting_.front();
    waiting_.pop_front();
    if (fails > 0 && fails-- > 0) return io_error("a fault", "counted");
    return fill(first.region, first.out);
  }
  void discard_readings(const CancelToken&) override {
    discarded += static_cast<int>(waiting_.size());
    waiting_.clear();
  }

  int begun = 0, read_at_once = 0, discarded = 0;
  int fails = 0;  // so many of the next readings fail

 private:
  struct Begun {
    io::FrameRegion region;
    at::Tensor out;
  };
  static Result<void> fill(const io::FrameRegion& region, const at::Tensor& out) {
    const at::Tensor v = at::arange(region.frames.begin, region.frames.end, at::kFloat).view({-1, 1, 1}),
                     r = at::arange(region.rows.begin, region.rows.end, at::kFloat).view({1, -1, 1}),
                     c = at::arange(region.cols.begin, region.cols.end, at::kFloat);
    out.copy_((v * rows + r) * cols + c);
    return ok();
  }
  const bool in_halves_;
  io::ScanInfo info_;
  std::shared_ptr<io::InputFiles> inputs_;
  std::deque<Begun> waiting_;
};

std::vector<int64_t> some_views(int64_t first, int64_t count, int64_t step = 1) {
  std::vector<int64_t> all;
  for (int64_t i = 0; i < count; ++i) all.push_back(first + i * step);
  return all;
}

}  // namespace

class ReadAheadTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void what_was_read_ahead_is_not_read_again();
  void a_wrong_guess_changes_nothing();
  void a_fault_is_reported_by_read_views();
  void readers_that_cannot_do_not();
  void files_give_the_same_numbers_data();
  void files_give_the_same_numbers();
  void a_file_that_is_cut_meanwhile_is_an_error();
};

void ReadAheadTest::what_was_read_ahead_is_not_read_again() {
  CountingReader plain(false), ahead(true);
  for (const int64_t step : {1, 3}) {
    const auto wanted = some_views(1, 12, step);
    const Range r{2, 20}, c{0, cols};
    const at::Tensor truth = plain.read_views(wanted, r, c, Samples::floats, {}).or_throw();
    ahead.begun = 0;
    ahead.read_ahead(wanted, r, c, Samples::floats, {});
    const int begun = ahead.begun;
    QCOMPARE(begun, step == 1 ? 1 : 12);  // one request per run of consecutive views
    QVERIFY(at::equal(ahead.read_views(wanted, r, c, Samples::floats, {}).or_throw(), truth));
    QCOMPARE(ahead.begun, begun);
    // It is there once.
    QVERIFY(at::equal(ahead.read_views(wanted, r, c, Samples::floats, {}).or_throw(), truth));
    QCOMPARE(ahead.begun, 2 * begun);
  }
  QCOMPARE(ahead.read_at_once, 0);
  QCOMPARE(ahead.discarded, 0);
}

void ReadAheadTest::a_wrong_guess_changes_nothing() {
  CountingReader plain(false), ahead(true);
  const auto guessed = some_views(0, 10), wanted = some_views(5, 10);
  const Range r{0, rows}, c{0, cols};
  const at::Tensor truth = plain.read_views(wanted, r, c, Samples::floats, {}).or_throw();
  ahead.read_ahead(guessed, r, c, Samples::floats, {});
  QVERIFY(at::equal(ahead.read_views(wanted, r, c, Samples::floats, {}).or_throw(), truth));
  QCOMPARE(ahead.discarded, 1);
  // Other rows, and another guess.
  ahead.read_ahead(wanted, {1, rows}, c, Samples::floats, {});
  ahead.read_ahead(wanted, {0, rows}, {1, cols}, Samples::floats, {});
  QVERIFY(at::equal(ahead.read_views(wanted, r, c, Samples::floats, {}).or_throw(), truth));
  QCOMPARE(ahead.discarded, 3);
  // Nothing, and views that there are not.
  ahead.begun = 0;
  ahead.read_ahead({}, r, c, Samples::floats, {});
  ahead.read_ahead(wanted, {0, rows + 1}, c, Samples::floats, {});
  QCOMPARE(ahead.begun, 0);
}

void ReadAheadTest::a_fault_is_reported_by_read_views() {
  CountingReader reader(true);
  const auto wanted = some_views(0, 10);
  const Range r{0, rows}, c{0, cols};
  reader.read_ahead(wanted, r, c, Samples::floats, {});
  reader.fails = 1;  // a fault that passes
  QVERIFY(reader.read_views(wanted, r, c, Samples::floats, {}).ok());
  QCOMPARE(reader.begun, 2);
  reader.read_ahead(wanted, r, c, Samples::floats, {});
  reader.fails = 2;  // one that stays
  const auto failed = reader.read_views(wanted, r, c, Samples::floats, {});
  QVERIFY(!failed.ok() && failed.error().kind == ErrorKind::io);
}

void ReadAheadTest::readers_that_cannot_do_not() {
  CountingReader reader(false);
  const auto wanted = some_views(0, 10);
  reader.read_ahead(wanted, {0, rows}, {0, cols}, Samples::floats, {});
  QCOMPARE(reader.read_at_once, 0);
  QVERIFY(reader.read_views(wanted, {0, rows}, {0, cols}, Samples::floats, {}).ok());
  QCOMPARE(reader.read_at_once, 1);
}

void ReadAheadTest::files_give_the_same_numbers_data() {
  QTest::addColumn<bool>("counts");
  QTest::newRow("floats") << false;
  QTest::newRow("counts") << true;
}

void ReadAheadTest::files_give_the_same_numbers() {
  QFETCH(bool, counts);
  const Samples samples = counts ? Samples::counts : Samples::floats;
  const QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  test::write_inputs(folder, {views, rows, cols});
  const auto plain = io::open_scan(folder / "scan.nx").or_throw(), ahead = io::open_scan(folder / "scan.nx").or_throw();
  const Range c{0, cols};
  for (int64_t first = 0; first < rows; first += 8) {
    const Range now{first, first + 8}, next{first + 8, std::min(rows, first + 16)};
    const auto all = some_views(0, views);
    const at::Tensor wanted = plain->read_views(all, now, c, samples, {}).or_throw();
    const at::Tensor found = ahead->read_views(all, now, c, samples, {}).or_throw();
    if (next.size() > 0) ahead->read_ahead(all, next, c, samples, {});
    QCOMPARE(found.scalar_type(), wanted.scalar_type());
    // The views that are read meanwhile do not lie in the memory of these.
    for (int look = 0; look < 3; ++look) QVERIFY(at::equal(found.to(at::kFloat), wanted.to(at::kFloat)));
    // Flats in between cost the views that were read ahead, and nothing else.
    if (first == 8) QVERIFY(ahead->read_flats(now, c).or_throw().numel() > 0);
  }
}

void ReadAheadTest::a_file_that_is_cut_meanwhile_is_an_error() {
  const QTemporaryDir dir;
  const fs::path folder = dir.path().toStdString();
  test::write_inputs(folder, {views, rows, cols});
  const auto reader = io::open_scan(folder / "scan.nx").or_throw();
  const auto all = some_views(0, views);
  QVERIFY(reader->read_views(all, {0, 12}, {0, cols}, Samples::floats, {}).ok());
  fs::resize_file(folder / "scan.nx", fs::file_size(folder / "scan.nx") / 2);
  reader->read_ahead(all, {12, rows}, {0, cols}, Samples::floats, {});
  const auto cut = reader->read_views(all, {12, rows}, {0, cols}, Samples::floats, {});
  QVERIFY(!cut.ok());
  QVERIFY2(test::mentions(cut.error().message(), {"scan.nx"}), cut.error().message().c_str());
}

TL_TEST_CASE(ReadAheadTest)

}  // namespace tl::read_ahead_test

#include "read_ahead.moc"
