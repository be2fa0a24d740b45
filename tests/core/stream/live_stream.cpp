// A stream that is received live: recorded from any moment on with the references of before, watched, its values kept.
#include "core/stream/live_stream.h"

#include <QTemporaryDir>
#include <limits>
#include <mutex>

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
  LiveStreamOptions options;
  std::unique_ptr<LiveStream> live;
  [[nodiscard]] bool open() {
    options.receiver.address = sender.address().toStdString();
    options.receiver.end = SocketEnd::binds;
    auto opened = LiveStream::open(options);
    if (opened.ok()) live = std::move(opened).value();
    return live != nullptr && sender.open();
  }
  [[nodiscard]] bool has(int64_t frames) {
    return QTest::qWaitFor([&] { return live->scans().counts().taken() == frames; }, test::patience_ms);
  }
};

RecorderOptions record(const std::filesystem::path& name) {
  RecorderOptions options;
  options.name = name;
  options.rules = io::no_inputs(io::Overwrite::refuse);
  return options;
}

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
    Scans& scans = s.live->scans();
    QVERIFY(!scans.is_recording());
    QVERIFY(scans.begin_record(record(name)).ok());
    QVERIFY(!scans.begin_record(record(name)).ok());  // one goes on
    QVERIFY(s.sender.send(FrameKind::view, 507, 20, 5, 6) && s.has(527));
    QTRY_COMPARE(scans.recorded(), int64_t{27});
    const auto ended = scans.end_record();
    QVERIFY(ended.ok());
    QCOMPARE(ended.value().size(), std::size_t{1});
    QCOMPARE(ended.value()[0].views, int64_t{20});
    QCOMPARE(ended.value()[0].flats, int64_t{4});
    QCOMPARE(ended.value()[0].darks, int64_t{3});
    // Row numbers follow frame numbers: the 500 views before it are not lost ones.
    QCOMPARE(ended.value()[0].lost, int64_t{0});
    QVERIFY(!scans.is_recording());
    // The stream goes on, and another record may begin; that name is taken.
    QVERIFY(!scans.begin_record(record(name)).ok());
    QVERIFY(scans.begin_record(record(s.folder.filePath("r2.nx").toStdString())).ok());
    QVERIFY(scans.end_record().value().empty());  // no frame came
  }

  void another_scan_begins_windows_and_counts_of_its_own() {
    Stream s;
    s.options.windows = {10, 5};
    std::mutex mutex;
    std::vector<std::shared_ptr<const Window>> windows;
    int begun = 0;
    s.options.window = [&](std::shared_ptr<const Window> window) {
      const std::lock_guard lock(mutex);
      windows.push_back(std::move(window));
    };
    s.options.windows_begin = [&] { ++begun; };
    QVERIFY(s.open());
    QVERIFY(s.sender.send(FrameKind::flat, 0, 2, 5, 6) && s.sender.send(FrameKind::view, 2, 10, 5, 6) &&
            s.sender.send(FrameKind::view, 15, 1, 5, 6) && s.has(13));
    QCOMPARE(s.live->status().lost_share, 3.0 / 10);
    QVERIFY(s.sender.send(FrameKind::flat, 16, 2, 7, 6) && s.sender.send(FrameKind::view, 18, 10, 7, 6) && s.has(25));
    QTRY_COMPARE(s.live->status().windows, int64_t{2});
    const StreamStatus status = s.live->status();
    QCOMPARE(status.scan, int64_t{2});
    QCOMPARE(begun, 1);
    QCOMPARE(status.missing.size(), std::size_t{3});  // of the first scan
    QCOMPARE(status.lost_share, 0.0);
    QCOMPARE(status.newest_view->rows, int64_t{7});
    const std::lock_guard lock(mutex);
    QCOMPARE(windows.back()->index, int64_t{0});
    QCOMPARE(windows.back()->views.front().frame->rows, int64_t{7});
    QCOMPARE(windows.back()->flats.size(), std::size_t{2});
  }

  void a_log_is_received_next_to_the_frames() {
    Stream s;
    test::LogSender log(s.folder.path());
    s.options.log = log.address().toStdString();
    QVERIFY(s.open());
    QVERIFY(log.send("load", 5.5, "N") && log.send("load", 5.5, "N") && log.send("", 1, ""));  // the last has no name
    QTRY_COMPARE(s.live->status().bad_lines, int64_t{1});
    const auto values = s.live->scans().values().series();
    QCOMPARE(values.at("load").count, int64_t{2});
    QCOMPARE(values.at("load").value, (std::vector<double>{5.5, 5.5}));
    QCOMPARE(values.at("load").unit, std::string("N"));
    s.live->close();  // the counts stay, the addresses are free
    QCOMPARE(s.live->status().bad_lines, int64_t{1});
    QVERIFY(LiveStream::open(s.options).ok());
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
    QCOMPARE(s.live->scans().values().series().at("temperature").value.size(), std::size_t{66});
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
