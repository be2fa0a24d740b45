// A stream that is received live: recorded from any moment on with the references of before, watched, its values kept.
#include "core/stream/live_stream.h"

#include <QTemporaryDir>
#include <algorithm>
#include <limits>

#include "core/stream/frames/grey_view.h"
#include "tests/support/patience.h"
#include "tests/support/stream_sender.h"
#include "tests/support/test_case.h"

namespace tl::live_stream_test {

using namespace tl::stream;

namespace {

struct Stream {
  QTemporaryDir folder;
  test::StreamSender sender{folder.path()};
  std::unique_ptr<LiveStream> live;
  [[nodiscard]] bool open() {
    LiveStreamOptions options;
    options.receiver.address = sender.address().toStdString();
    options.receiver.end = SocketEnd::binds;
    auto opened = LiveStream::open(options);
    if (opened.ok()) live = std::move(opened).value();
    return live != nullptr && sender.open();
  }
  [[nodiscard]] bool has(int64_t frames) {
    return QTest::qWaitFor([&] { return live->intake().counts().taken() == frames; }, test::patience_ms);
  }
};

}  // namespace

class LiveStreamTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void a_record_begins_at_any_moment_with_the_references_of_before() {
    Stream s;
    QVERIFY(s.open());
    QVERIFY(s.sender.send(FrameKind::dark, 0, 3, 5, 6) && s.sender.send(FrameKind::flat, 3, 4, 5, 6) &&
            s.sender.send(FrameKind::view, 7, 500, 5, 6) && s.has(507));
    const std::filesystem::path name = s.folder.filePath("r.nx").toStdString();
    QVERIFY(!s.live->is_recording());
    QVERIFY(s.live->begin_record(name, io::no_inputs(io::Overwrite::refuse)).ok());
    QVERIFY(!s.live->begin_record(name, io::no_inputs(io::Overwrite::refuse)).ok());  // one goes on
    QVERIFY(s.sender.send(FrameKind::view, 507, 20, 5, 6) && s.has(527));
    QTRY_COMPARE(s.live->recorded(), int64_t{27});
    const auto record = s.live->end_record();
    QVERIFY(record.ok() && record.value().has_value());
    QCOMPARE(record.value()->views, int64_t{20});
    QCOMPARE(record.value()->flats, int64_t{4});
    QCOMPARE(record.value()->darks, int64_t{3});
    // Row numbers follow frame numbers: without new numbers of the references 500 rows would be lost.
    QVERIFY(record.value()->lost <= RecordRows::room_before);
    QVERIFY(!s.live->is_recording());
    // The stream goes on, and another record may begin; that name is taken.
    QVERIFY(!s.live->begin_record(name, io::no_inputs(io::Overwrite::refuse)).ok());
    QVERIFY(s.live->begin_record(s.folder.filePath("r2.nx").toStdString(), io::no_inputs(io::Overwrite::refuse)).ok());
    QVERIFY(!s.live->end_record().value().has_value());  // no frame came
  }

  void references_keep_their_numbers_where_they_follow() {
    const std::vector<FramePtr> flats = {test::shared_frame(0, FrameKind::flat),
                                         test::shared_frame(1, FrameKind::flat)};
    const auto numbers = [](const std::vector<FramePtr>& frames) {
      return std::pair(*frames.front()->number, *frames.back()->number);
    };
    QCOMPARE(numbers(renumbered_before(flats, test::stream_frame(2), Numbering::through_all_kinds)),
             (std::pair<int64_t, int64_t>(0, 1)));
    QCOMPARE(numbers(renumbered_before(flats, test::stream_frame(900), Numbering::through_all_kinds)),
             (std::pair<int64_t, int64_t>(898, 899)));
    QCOMPARE(numbers(renumbered_before(flats, test::stream_frame(900), Numbering::per_kind)),
             (std::pair<int64_t, int64_t>(0, 1)));
  }

  void lost_frames_and_a_camera_that_stops_are_in_the_status() {
    Stream s;
    QVERIFY(s.open());
    QVERIFY(s.sender.send(FrameKind::view, 0, 50, 5, 6) && s.sender.send(FrameKind::view, 65, 15, 5, 6) && s.has(65));
    StreamStatus status = s.live->status();
    QCOMPARE(status.missing.size(), std::size_t{15});
    QCOMPARE(status.lost_share, 15.0 / 60);
    QCOMPARE(*status.newest_view->number, int64_t{79});
    QVERIFY(!status.events.empty() && status.events.front().kind == StreamEvent::Kind::first_frame);
    QTRY_VERIFY_WITH_TIMEOUT(s.live->status().silent, test::patience_ms);
    QVERIFY(s.sender.send(FrameKind::view, 80, 1, 5, 6) && s.has(66));
    QTRY_VERIFY(!s.live->status().silent);
    QCOMPARE(s.live->values().at("temperature").value.size(), std::size_t{66});
  }

  void curves_are_bounded_and_keep_their_newest_points() {
    ValueCurves curves;
    const std::size_t points = 5 * ValueCurves::max_points;
    for (std::size_t i = 0; i < points; ++i)
      curves.add({"load", static_cast<double>(i), "N"}, 100 + static_cast<double>(i));
    for (std::size_t i = 0; i < 2 * ValueCurves::max_names; ++i) curves.add({"n" + std::to_string(i), 1, ""}, 5000);
    curves.add({"load", no_time, "N"}, 0);
    const auto all = curves.curves();
    QCOMPARE(all.size(), ValueCurves::max_names);
    const ValueCurve& load = all.at("load");
    QVERIFY(load.value.size() <= ValueCurves::max_points);
    QCOMPARE(load.value.back(), static_cast<double>(points - 1));
    QCOMPARE(load.time, load.value);  // also what is left belongs together
    QVERIFY(std::is_sorted(load.time.begin(), load.time.end()));
  }

  void a_grey_view_shows_what_the_frame_has_data() {
    QTest::addColumn<int>("type");
    for (const PixelType type : {PixelType::uint8, PixelType::uint16, PixelType::float32})
      QTest::addRow("%s", std::string(to_string(type)).c_str()) << static_cast<int>(type);
  }
  void a_grey_view_shows_what_the_frame_has() {
    QFETCH(const int, type);
    Frame frame;
    frame.rows = 100;
    frame.cols = 200;
    frame.type = static_cast<PixelType>(type);
    for (int64_t i = 0; i < frame.rows * frame.cols; ++i) {
      const int64_t col = i % frame.cols;
      const auto put = [&](const auto& value) {
        const auto* bytes = reinterpret_cast<const std::byte*>(&value);
        frame.pixels.insert(frame.pixels.end(), bytes, bytes + sizeof(value));
      };
      if (frame.type == PixelType::uint8) put(static_cast<uint8_t>(col));
      if (frame.type == PixelType::uint16) put(static_cast<uint16_t>(100 * col));
      if (frame.type == PixelType::float32)
        put(i == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(col));
    }
    const GreyView view = grey_view(frame, 50);
    QCOMPARE(view.rows, int64_t{25});
    QCOMPARE(view.cols, int64_t{50});
    QCOMPARE(view.grey.size(), std::size_t{25 * 50});
    QCOMPARE(view.grey.front(), uint8_t{0});
    QCOMPARE(view.grey.back(), uint8_t{255});
    QVERIFY(view.grey[25] > 100 && view.grey[25] < 155);
  }
};

TL_TEST_CASE(LiveStreamTest)

}  // namespace tl::live_stream_test

#include "live_stream.moc"
