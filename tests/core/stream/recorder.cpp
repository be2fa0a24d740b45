// Records: frames in any order, lost ones, both ways to count, values, a kill, a full disk.
#include "core/stream/recorder.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <atomic>
#include <cmath>

#include "core/io/open_scan.h"
#include "core/stream/record_file.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/hdf5_numbers.h"
#include "tests/support/python_arrays.h"
#include "tests/support/small_disk.h"
#include "tests/support/stream_frames.h"
#include "tests/support/test_case.h"

namespace tl::recorder_test {

using namespace tl::stream;
using tl::test::shared_frame;
using tl::test::stream_frame;
namespace fs = std::filesystem;

namespace {

constexpr const char* keys_name = "/entry/instrument/detector/image_key";

RecorderOptions options_for(const fs::path& name) {
  RecorderOptions options;
  options.name = name;
  options.rules = io::no_inputs(io::Overwrite::refuse);
  return options;
}

// Whether the pixels of frame `index` of its kind are those of the frame with this number.
void compare_pixels(const at::Tensor& frames, int64_t index, int64_t number, FrameKind kind = FrameKind::view) {
  for (int64_t i = 0; i < 12; ++i)
    QCOMPARE(frames[index][i / 4][i % 4].item<float>(), static_cast<float>(test::stream_pixel(number, kind, i)));
}

}  // namespace

class RecorderTest : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  fs::path path(const char* name) const { return dir_->filePath(name).toStdString(); }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void a_record_is_a_scan() {
    Recorder recorder(options_for(path("r.nx")));
    int64_t number = 0;
    for (int i = 0; i < 2; ++i) QVERIFY(recorder.add(shared_frame(number++, FrameKind::dark)));
    for (int i = 0; i < 3; ++i) QVERIFY(recorder.add(shared_frame(number++, FrameKind::flat)));
    // Views 5 to 12: 7 comes late, 9 never.
    for (const int64_t i : {5, 6, 8, 10, 7, 11, 12}) QVERIFY(recorder.add(shared_frame(i)));
    QVERIFY(recorder.add(shared_frame(13, FrameKind::flat)));
    const auto record = recorder.finish().or_throw();
    QVERIFY(record);
    QCOMPARE(record->views, 7);
    QCOMPARE(record->flats, 4);
    QCOMPARE(record->darks, 2);
    QCOMPARE(record->lost, 1);
    QVERIFY(!fs::exists(path("r.nx.recording")));
    QCOMPARE(test::hdf5_numbers(path("r.nx"), keys_name),
             (std::vector<double>{2, 2, 1, 1, 1, 0, 0, 0, 0, 3, 0, 0, 0, 1}));
    const auto numbers = test::hdf5_numbers(path("r.nx"), "/entry/instrument/detector/frame_number");
    for (std::size_t i = 0; i < numbers.size(); ++i) QCOMPARE(numbers[i], i == 9 ? -1.0 : static_cast<double>(i));
    QCOMPARE(test::hdf5_numbers(path("r.nx"), "/entry/instrument/detector/arrival_time")[6], 1001.5);
    QCOMPARE(test::hdf5_numbers(path("r.nx"), "/entry/instrument/detector/sender_time")[6], 1.5);

    const auto scan = io::open_scan(path("r.nx")).or_throw();
    const io::ScanInfo& info = scan->info();
    QCOMPARE(info.format, std::string("nxtomo"));
    QCOMPARE(info.pixel_type, std::string("uint16"));
    QCOMPARE(info.views, 7);
    QCOMPARE(info.kind, PixelKind::counts);
    QCOMPARE(info.flat_positions, (std::vector<double>{-0.5, -0.5, -0.5, 6.5}));
    const std::vector<int64_t> views = {5, 6, 7, 8, 10, 11, 12};
    const at::Tensor pixels = scan->read({{0, 7}, {0, 3}, {0, 4}}).or_throw();
    for (std::size_t i = 0; i < views.size(); ++i) {
      compare_pixels(pixels, static_cast<int64_t>(i), views[i]);
      QVERIFY(std::abs(info.angles.value[i] - 1.5 * static_cast<double>(views[i]) * pi / 180) < 1e-12);
    }
    compare_pixels(scan->read_flats({0, 3}, {0, 4}).or_throw(), 3, 13, FrameKind::flat);
    compare_pixels(scan->read_darks({0, 3}, {0, 4}).or_throw(), 1, 1, FrameKind::dark);
  }

  void each_kind_counted_by_itself() {
    RecorderOptions options = options_for(path("r.nx"));
    options.numbering = Numbering::per_kind;
    Recorder recorder(options);
    for (int64_t i = 0; i < 2; ++i) QVERIFY(recorder.add(shared_frame(i, FrameKind::flat)));
    for (const int64_t i : {0, 2, 1}) QVERIFY(recorder.add(shared_frame(i)));
    QVERIFY(recorder.add(shared_frame(2, FrameKind::flat)));
    for (const int64_t i : {3, 4}) QVERIFY(recorder.add(shared_frame(i)));
    QCOMPARE(recorder.finish().or_throw()->views, 5);
    const auto scan = io::open_scan(path("r.nx")).or_throw();
    QCOMPARE(scan->info().flat_positions, (std::vector<double>{-0.5, -0.5, 2.5}));
    const at::Tensor pixels = scan->read({{0, 5}, {0, 3}, {0, 4}}).or_throw();
    for (int64_t i = 0; i < 5; ++i) compare_pixels(pixels, i, i);
  }

  void values_become_logs() {
    Recorder recorder(options_for(path("r.nx")));
    for (int64_t i = 0; i < 4; ++i) {
      Frame frame = stream_frame(i);
      frame.values = {{"load/N", 2.0 * static_cast<double>(i), "N"}};
      if (i > 1) frame.values.push_back({"temperature", 300, "K"});
      QVERIFY(recorder.add(std::make_shared<const Frame>(std::move(frame))));
    }
    QVERIFY(recorder.finish().ok());
    QCOMPARE(test::hdf5_numbers(path("r.nx"), "/entry/logs/load_N/value"), (std::vector<double>{0, 2, 4, 6}));
    QCOMPARE(test::hdf5_numbers(path("r.nx"), "/entry/logs/load_N/time"),
             (std::vector<double>{1000, 1000.25, 1000.5, 1000.75}));
    QCOMPARE(test::hdf5_numbers(path("r.nx"), "/entry/logs/temperature/value"), (std::vector<double>{300, 300}));
  }

  void without_angles_the_reader_asks() {
    Recorder recorder(options_for(path("r.nx")));
    for (int64_t i = 0; i < 4; ++i) {
      Frame frame = stream_frame(i);
      if (i == 2) frame.angle.reset();
      QVERIFY(recorder.add(std::make_shared<const Frame>(std::move(frame))));
    }
    QVERIFY(recorder.finish().ok());
    const auto scan = io::open_scan(path("r.nx")).or_throw();
    QVERIFY(scan->info().angles.origin == Origin::guessed);
  }

  void other_frames_are_refused() {
    Recorder recorder(options_for(path("r.nx")));
    QVERIFY(recorder.add(shared_frame(0)));
    QVERIFY(recorder.add(std::make_shared<const Frame>(stream_frame(1, FrameKind::view, 5, 4))));
    QVERIFY(recorder.add(shared_frame(2)));
    QCOMPARE(recorder.finish().or_throw()->views, 2);
    QCOMPARE(recorder.refused(), 1);
  }

  void views_without_beam_have_the_key_of_lost_ones() {
    Recorder recorder(options_for(path("r.nx")));
    for (int64_t i = 0; i < 4; ++i) {
      Frame frame = stream_frame(i);
      frame.has_beam = i != 2;
      QVERIFY(recorder.add(std::make_shared<const Frame>(std::move(frame))));
    }
    QCOMPARE(recorder.finish().or_throw()->views, 3);
    QCOMPARE(test::hdf5_numbers(path("r.nx"), keys_name), (std::vector<double>{0, 0, 3, 0}));
    QCOMPARE(test::hdf5_numbers(path("r.nx"), "/entry/instrument/detector/frame_number")[2], 2.0);
  }

  void no_frame_makes_no_file() {
    Recorder recorder(options_for(path("r.nx")));
    QVERIFY(!recorder.finish().or_throw());
    QVERIFY(fs::is_empty(dir_->path().toStdString()));
  }

  void nothing_is_replaced() {
    test::put(path("r.nx.recording"), "of another run");
    {
      Recorder recorder(options_for(path("r.nx")));
      recorder.add(shared_frame(0));
      const auto result = recorder.finish();
      QVERIFY(!result.ok());
      QCOMPARE(result.error().kind, ErrorKind::io);
      QVERIFY(result.error().message().find("--recover") != std::string::npos);
    }
    QCOMPARE(test::contents(path("r.nx.recording")), std::string("of another run"));
    fs::remove(path("r.nx.recording"));
    test::put(path("r.nx"), "taken");
    Recorder recorder(options_for(path("r.nx")));
    recorder.add(shared_frame(0));
    QVERIFY(!recorder.finish().ok());
    QCOMPARE(test::contents(path("r.nx")), std::string("taken"));
    QVERIFY(fs::exists(path("r.nx.recording")));  // complete: only its name was taken
    fs::remove(path("r.nx"));
    QCOMPARE(recover_record(path("r.nx.recording"), io::no_inputs(io::Overwrite::refuse)).or_throw().views, 1);
  }

  // A process that is killed at any time keeps what was flushed; frames after that are lost, and the file is whole.
  void killed_records_are_recovered_data() {
    QTest::addColumn<int>("flushed");
    QTest::addColumn<int>("written");
    for (const auto& [flushed, written] : {std::pair(1, 1), std::pair(5, 9), std::pair(40, 40), std::pair(1500, 2200)})
      QTest::addRow("%d of %d", flushed, written) << flushed << written;
  }
  void killed_records_are_recovered() {
    QFETCH(int, flushed);
    QFETCH(int, written);
    const pid_t child = fork();
    if (child == 0) {
      auto file = RecordFile::create(path("r.nx.recording"), stream_frame(0), "counts").or_throw();
      for (int64_t i = 0; i < written; ++i) {
        Frame frame = stream_frame(i);
        frame.values = {{"load", static_cast<double>(i), "N"}};
        if (!file->add(i, frame).ok()) _exit(1);
        if (i + 1 == flushed && !file->flush().ok()) _exit(2);
      }
      kill(getpid(), SIGKILL);
    }
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY2(WIFSIGNALED(status), "the child was not killed");
    const auto record = recover_record(path("r.nx.recording"), io::no_inputs(io::Overwrite::refuse));
    QVERIFY2(record.ok(), record.ok() ? "" : record.error().message().c_str());
    QVERIFY(record.value().views >= flushed && record.value().views <= written);
    QVERIFY(!fs::exists(path("r.nx.recording")));
    const auto scan = io::open_scan(path("r.nx")).or_throw();
    QCOMPARE(scan->info().views, record.value().views);
    const at::Tensor pixels = scan->read({{0, scan->info().views}, {0, 3}, {0, 4}}).or_throw();
    for (int64_t i = 0; i < flushed; ++i) {
      const auto value = static_cast<uint16_t>(test::stream_pixel(i, FrameKind::view, 0));
      QCOMPARE(pixels[i][0][0].item<float>(), static_cast<float>(value));
    }
    QVERIFY(test::hdf5_numbers(path("r.nx"), "/entry/logs/load/value").size() >= static_cast<std::size_t>(flushed));
  }

  // Also in the middle of a flush, where the library has written some objects and not others.
  void killed_at_any_time() {
    constexpr int trials = 12, frames_per_flush = 20;
    for (int trial = 0; trial < trials; ++trial) {
      fs::remove(path("r.nx"));
      int ends[2];
      QCOMPARE(pipe(ends), 0);
      const pid_t child = fork();
      if (child == 0) {
        auto file = RecordFile::create(path("r.nx.recording"), stream_frame(0), "counts").or_throw();
        for (int32_t i = 0;; ++i) {
          if (!file->add(i, stream_frame(i % 1000)).ok()) _exit(1);
          if (i % frames_per_flush != frames_per_flush - 1) continue;
          if (!file->flush().ok()) _exit(2);
          if (write(ends[1], &i, sizeof(i)) != sizeof(i)) _exit(3);
        }
      }
      int32_t flushed = 0;
      QCOMPARE(read(ends[0], &flushed, sizeof(flushed)), ssize_t(sizeof(flushed)));
      usleep(static_cast<useconds_t>(trial * 1741));
      kill(child, SIGKILL);
      int status = 0;
      waitpid(child, &status, 0);
      QVERIFY(WIFSIGNALED(status));
      close(ends[1]);
      while (read(ends[0], &flushed, sizeof(flushed)) == sizeof(flushed)) {
      }
      close(ends[0]);
      const auto record = recover_record(path("r.nx.recording"), io::no_inputs(io::Overwrite::refuse));
      QVERIFY2(record.ok(), record.ok() ? "" : record.error().message().c_str());
      QVERIFY(record.value().views > flushed);
      QCOMPARE(record.value().lost, 0);
      const auto scan = io::open_scan(path("r.nx")).or_throw();
      const at::Tensor first = scan->read({{0, scan->info().views}, {0, 1}, {0, 1}}).or_throw();
      for (int64_t i = 0; i < first.size(0); ++i)
        QCOMPARE(first[i][0][0].item<float>(), static_cast<float>(test::stream_pixel(i % 1000, FrameKind::view, 0)));
    }
  }

  void only_unfinished_records_are_recovered() {
    const auto rules = io::no_inputs(io::Overwrite::refuse);
    QCOMPARE(recover_record(path("missing.nx.recording"), rules).error().kind, ErrorKind::io);
    QCOMPARE(recover_record(path("r.nx"), rules).error().kind, ErrorKind::invalid);
    test::put(path("text.nx.recording"), "no record at all");
    QCOMPARE(recover_record(path("text.nx.recording"), rules).error().kind, ErrorKind::io);
    QCOMPARE(test::contents(path("text.nx.recording")), std::string("no record at all"));
    auto file = RecordFile::create(path("r.nx.recording"), stream_frame(0), "counts").or_throw();
    const pid_t child = fork();  // locks of a file that was opened twice belong to each opening
    if (child == 0) _exit(recover_record(path("r.nx.recording"), rules).ok() ? 1 : 0);
    int status = 0;
    waitpid(child, &status, 0);
    QVERIFY2(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a record that is written was recovered");
  }

  // By another program: within one process, HDF5 takes writer and reader for one open file.
  void it_can_be_read_while_it_grows() {
    if (const QString why = test::PythonArrays::missing("h5py"); !why.isEmpty()) QSKIP(qPrintable(why));
    auto file = RecordFile::create(path("r.nx.recording"), stream_frame(0), "counts").or_throw();
    for (int64_t i = 0; i < 7; ++i) QVERIFY(file->add(i, stream_frame(i)).ok());
    QVERIFY(file->flush().ok());
    const test::PythonArrays python("h5py");
    python.run(QString("import h5py\n"
                       "with h5py.File('%1', 'r', libver='latest', swmr=True) as f:\n"
                       "    save('shape', f['entry/instrument/detector/data'].shape, 'i8')\n")
                   .arg(QString::fromStdString(path("r.nx.recording").string())));
    QCOMPARE(python.get("shape", at::kLong)[0].item<int64_t>(), 7);
    QVERIFY(file->close().ok());
  }

  // A disk that fills: the record ends in order before it is full, and is whole.
  void a_full_disk_ends_the_record() {
    constexpr int64_t bytes = int64_t{8} << 20, reserve = int64_t{3} << 20;
    test::SmallDisk disk(test::Shortage::disk, bytes);
    if (!disk.is_made()) QSKIP("no file system can be mounted here");
    RecorderOptions options = options_for(disk.folder() / "r.nx");
    options.disk_reserve = reserve;
    std::atomic<int> alarms{0};
    options.alarm = [&](const std::string& what) {
      alarms += what.find("disk will be full") != std::string::npos ? 1 : 0;
    };
    Recorder recorder(options);
    int64_t number = 0;
    const auto begin = std::chrono::steady_clock::now();
    constexpr int64_t side = 128;  // 32 KB
    while (recorder.add(std::make_shared<const Frame>(stream_frame(number, FrameKind::view, side, side)))) {
      ++number;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::minutes(5));
    }
    const auto result = recorder.finish();
    QVERIFY(!result.ok());
    QCOMPARE(result.error().kind, ErrorKind::io);
    QVERIFY2(result.error().message().find("disk is full") != std::string::npos, result.error().message().c_str());
    QCOMPARE(alarms.load(), 1);  // ten minutes before, which is at once here
    const auto scan = io::open_scan(disk.folder() / "r.nx").or_throw();
    QVERIFY(scan->info().views > 20);
    QVERIFY(scan->read({{0, scan->info().views}, {0, 3}, {0, 4}}).ok());
  }

  // The same without any room that was left: what was flushed is there.
  void a_failing_disk_keeps_what_was_flushed() {
    constexpr int64_t bytes = int64_t{2} << 20;
    test::SmallDisk disk(test::Shortage::limit, bytes);
    if (!disk.is_made()) QSKIP("no limit can be set here");
    auto file = RecordFile::create(disk.folder() / "r.nx.recording", stream_frame(0), "counts").or_throw();
    constexpr int64_t flushed = 20;
    for (int64_t i = 0; i < flushed; ++i) QVERIFY(file->add(i, stream_frame(i)).ok());
    QVERIFY(file->flush().ok());
    file.reset();
    disk.end_limit();
    QCOMPARE(recover_record(disk.folder() / "r.nx.recording", io::no_inputs(io::Overwrite::refuse)).or_throw().views,
             flushed);
  }
};

TL_TEST_CASE(RecorderTest)

}  // namespace tl::recorder_test

#include "recorder.moc"
