// Records that begin late: at any moment, or when a trigger holds, with the references and the last seconds before.
#include <QTemporaryDir>
#include <chrono>
#include <limits>

#include "core/stream/scans.h"
#include "core/stream/wires/wires.h"
#include "tests/support/io/hdf5_numbers.h"
#include "tests/support/stream_frames.h"
#include "tests/support/test_case.h"

namespace tl::late_records_test {

using namespace tl::stream;
using tl::test::stream_frame;
namespace fs = std::filesystem;

namespace {

const Wire& array() { return *wire_of_name("array").or_throw(); }

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

class LateRecordsTest : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  fs::path path(const char* name) const { return dir_->filePath(name).toStdString(); }

  RecorderOptions record(const char* name = "r.nx") const {
    RecorderOptions o;
    o.name = path(name);
    o.rules = io::no_inputs(io::Overwrite::refuse);
    return o;
  }
  static void take(Scans& scans, std::initializer_list<int64_t> numbers, FrameKind kind, int64_t rows = 3) {
    for (const int64_t i : numbers) scans.take(stream_frame(i, kind, rows), array());
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void a_trigger_of_the_log_begins_the_record() {
    Scans scans({});
    QVERIFY(scans.begin_record(record(), {Trigger::parse("load > 5").or_throw(), 1e6}).ok());
    TimedValue early;
    early.name = "temperature";
    early.value = 300;
    early.time = 1;
    scans.add(LogLines{{early}, 0});
    take(scans, {0}, FrameKind::dark);
    take(scans, {1}, FrameKind::flat);
    take(scans, {1000, 1001}, FrameKind::view);
    TimedValue load;
    load.name = "load";
    load.value = 5;
    load.time = 7;
    scans.add(LogLines{{load}, 2});
    QVERIFY(!scans.has_triggered());
    load.value = 5.5;
    scans.add(LogLines{{load}, 0});
    QVERIFY(scans.has_triggered());
    take(scans, {1002, 999}, FrameKind::view);  // 999 came before the record, by its number
    load.time = 8;
    scans.add(LogLines{{load}, 0});
    QCOMPARE(scans.bad_lines(), 2);
    QCOMPARE(scans.values().series().at("load").count, 3);
    QCOMPARE(scans.values().series().at("load").highest, 5.5);
    const EndedRecord record = scans.end_record().or_throw().front();
    QCOMPARE(record.views, 3);
    QCOMPARE(record.flats, 1);
    QCOMPARE(record.darks, 1);
    QCOMPARE(record.lost, 0);
    QCOMPARE(test::hdf5_numbers(path("r.nx"), "/entry/instrument/detector/frame_number"),
             (std::vector<double>{0, 1, 1000, 1001, 1002}));
    QCOMPARE(test::hdf5_numbers(path("r.nx"), "/entry/logs/load/value"), (std::vector<double>{5, 5.5, 5.5}));
    QCOMPARE(test::hdf5_numbers(path("r.nx"), "/entry/logs/temperature/value"), (std::vector<double>{300}));
    QCOMPARE(test::hdf5_numbers(path("r.nx"), "/entry/logs/load/time"), (std::vector<double>{7, 7, 8}));
  }

  void a_trigger_that_never_holds_records_nothing() {
    Scans scans({});
    QVERIFY(scans.begin_record(record(), {Trigger::parse("load > 5").or_throw(), 0}).ok());
    take(scans, {0, 1, 2}, FrameKind::view);
    QVERIFY(scans.end_record().or_throw().empty());
    QVERIFY(fs::is_empty(dir_->path().toStdString()));
  }

  void a_record_has_the_references_and_the_seconds_before_it() {
    // The second of the two also ends without a frame that follows.
    for (const bool one_follows : {true, false}) {
      init();
      IntakeOptions options;
      double last = 0;
      options.taken = [&last](const FramePtr& frame, Numbering, bool) { last = frame->arrival_time; };
      Intake intake(options);
      intake.take(stream_frame(0, FrameKind::flat), array());
      for (int64_t i = 1; i <= 15; ++i) intake.take(stream_frame(i), array());
      const double since = last + 1e-3;
      while (seconds_now() <= since) continue;
      for (int64_t i = 16; i <= 20; ++i) intake.take(stream_frame(i), array());
      intake.begin_record(record(), since);
      if (one_follows) intake.take(stream_frame(21), array());
      const auto ended = intake.end_record().or_throw();
      QVERIFY(ended.has_value());
      QCOMPARE(ended->views, one_follows ? 6 : 5);
      QCOMPARE(ended->lost, 0);
      std::vector<double> numbers = {0, 16, 17, 18, 19, 20};
      if (one_follows) numbers.push_back(21);
      QCOMPARE(test::hdf5_numbers(path("r.nx"), "/entry/instrument/detector/frame_number"), numbers);
      QCOMPARE(intake.counts().refused, 0);
      QVERIFY(!intake.end_record().or_throw().has_value());
    }
  }

  // Far from the references, overtaken or not, and with flats first: no row of it is lost.
  void a_record_begins_at_any_moment_without_gaps() {
    const std::vector<std::pair<std::vector<std::pair<int64_t, FrameKind>>, int64_t>> cases = {
        {{{1000, FrameKind::view}, {1001, FrameKind::view}}, 2},
        {{{1001, FrameKind::view}, {1000, FrameKind::view}}, 2},
        {{{1000, FrameKind::flat}, {1001, FrameKind::flat}, {1002, FrameKind::view}}, 1},
        {{{5000, FrameKind::view}, {5001, FrameKind::view}}, 2}};
    for (const auto& [frames, views] : cases) {
      init();
      Intake intake({});
      intake.take(stream_frame(0, FrameKind::dark), array());
      intake.take(stream_frame(1, FrameKind::flat), array());
      for (int64_t i = 2; i < 1000; ++i) intake.take(stream_frame(i), array());
      intake.begin_record(record(), std::numeric_limits<double>::infinity());
      for (const auto& [number, kind] : frames) intake.take(stream_frame(number, kind), array());
      const auto ended = intake.end_record().or_throw();
      QVERIFY(ended.has_value());
      QCOMPARE(ended->views, views);
      QCOMPARE(ended->darks, 1);
      QCOMPARE(ended->lost, 0);
      QCOMPARE(intake.recorded(), std::ssize(frames) + 2);
    }
  }

  void records_begin_and_end_while_the_stream_goes_on() {
    Scans scans({});
    take(scans, {0, 1}, FrameKind::flat);
    take(scans, {2, 3}, FrameKind::view);
    QVERIFY(scans.begin_record(record("a.nx")).ok());
    QVERIFY(!scans.begin_record(record("b.nx")).ok());  // one goes on
    take(scans, {4}, FrameKind::view);
    take(scans, {5, 6}, FrameKind::view, 4);  // another scan
    QCOMPARE(scans.records(), (std::vector<fs::path>{path("a.nx"), path("a-2.nx")}));
    const auto first = scans.end_record().or_throw();
    QCOMPARE(first.size(), std::size_t(2));
    QCOMPARE(first[0].views, 1);
    QCOMPARE(first[0].flats, 2);
    QCOMPARE(first[1].views, 2);
    QVERIFY(!scans.is_recording());
    take(scans, {7}, FrameKind::view, 4);
    QVERIFY(!scans.begin_record(record("a.nx")).ok());  // the name is taken
    QVERIFY(scans.begin_record(record("b.nx"), {Trigger::parse("load > 5").or_throw(), 0}).ok());
    take(scans, {8}, FrameKind::view, 4);
    QVERIFY(!scans.has_triggered());
    take(scans, {9}, FrameKind::view, 5);  // the third scan: the trigger holds in it
    TimedValue load;
    load.name = "load";
    load.value = 6;
    scans.add(LogLines{{load}, 0});
    take(scans, {10, 11}, FrameKind::view, 5);
    const auto second = scans.end_record().or_throw();
    QCOMPARE(second.size(), std::size_t(1));
    QCOMPARE(second[0].path, path("b-2.nx"));
    QCOMPARE(second[0].views, 2);
    QCOMPARE(scans.counts().views, 10);
  }
};

TL_TEST_CASE(LateRecordsTest)

}  // namespace tl::late_records_test

#include "late_records.moc"
