// Scans of one stream: what begins another one, what its record is called, and the geometry in it.
#include "core/stream/scans.h"

#include <QTemporaryDir>
#include <algorithm>
#include <cmath>

#include "core/io/open_scan.h"
#include "core/stream/record_geometry.h"
#include "core/stream/wires/wires.h"
#include "tests/support/io/hdf5_numbers.h"
#include "tests/support/stream_frames.h"
#include "tests/support/test_case.h"

namespace tl::scans_test {

using namespace tl::stream;
using tl::test::stream_frame;
using Numbers = std::vector<int64_t>;
namespace fs = std::filesystem;

namespace {

const Wire& array() { return *wire_of_name("array").or_throw(); }
const Wire& tomop() { return *wire_of_name("tomop").or_throw(); }

// Vectors as ASTRA makes them of angles [rad]: ray or source, detector, u, v.
std::vector<double> astra_vectors(const std::vector<double>& angles, double source, double detector, double pitch) {
  std::vector<double> all;
  for (const double t : angles) {
    const double s = std::sin(t), c = std::cos(t), far = source > 0 ? source : 1;
    for (const double x :
         {far * s, -far * c, 0.0, -detector * s, detector * c, 0.0, pitch * c, pitch * s, 0.0, 0.0, 0.0, pitch})
      all.push_back(x);
  }
  return all;
}

}  // namespace

class ScansTest : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  std::vector<std::string> reasons_;
  fs::path path(const char* name) const { return dir_->filePath(name).toStdString(); }

  ScansOptions options() {
    ScansOptions o;
    o.begun = [this](int64_t, const std::string& because, const fs::path&) { reasons_.push_back(because); };
    return o;
  }
  RecorderOptions record() const {
    RecorderOptions o;
    o.name = path("r.nx");
    o.rules = io::no_inputs(io::Overwrite::refuse);
    return o;
  }
  // A stream that is recorded from its first frame on.
  struct Recorded : Scans {
    Recorded(ScansOptions options, RecorderOptions record) : Scans(std::move(options)) {
      if (!begin_record(std::move(record)).ok()) qFatal("no record begins");
    }
  };
  static void take(Scans& scans, std::initializer_list<int64_t> numbers, FrameKind kind, int64_t rows = 3) {
    for (const int64_t i : numbers) scans.take(stream_frame(i, kind, rows), array());
  }

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<QTemporaryDir>();
    reasons_.clear();
  }

  void names_of_records() {
    QCOMPARE(record_of_scan("a/r.nx", 1), fs::path("a/r.nx"));
    QCOMPARE(record_of_scan("a/r.nx", 2), fs::path("a/r-2.nx"));
    QCOMPARE(record_of_scan("r", 12), fs::path("r-12"));
  }

  void another_shape_begins_a_scan() {
    Recorded scans(options(), record());
    take(scans, {0, 1}, FrameKind::flat);
    take(scans, {2, 3, 5}, FrameKind::view);
    take(scans, {7, 8}, FrameKind::view, 4);
    take(scans, {6}, FrameKind::view);  // overtaken: of the first scan
    take(scans, {9}, FrameKind::view, 4);
    QCOMPARE(reasons_, std::vector<std::string>{"another shape or type"});
    QCOMPARE(scans.scans(), 2);
    QCOMPARE(scans.counts().views, 7);
    QCOMPARE(scans.counts().refused, 0);
    QCOMPARE(scans.missing(), Numbers{4});
    const auto records = scans.end_record().or_throw();
    QCOMPARE(records.size(), std::size_t(2));
    QCOMPARE(records[0].path, path("r.nx"));
    QCOMPARE(records[0].views, 4);
    QCOMPARE(records[1].path, path("r-2.nx"));
    QCOMPARE(io::open_scan(path("r-2.nx")).or_throw()->info().rows, 4);
    QCOMPARE(io::open_scan(path("r-2.nx")).or_throw()->info().views, 3);
  }

  void new_darks_begin_a_scan_and_new_flats_do_not() {
    Recorded scans(options(), record());
    take(scans, {0, 2}, FrameKind::dark);
    take(scans, {3}, FrameKind::flat);
    take(scans, {4, 5}, FrameKind::view);
    take(scans, {1}, FrameKind::dark);  // overtaken
    take(scans, {0}, FrameKind::dark);  // a copy
    take(scans, {6}, FrameKind::flat);
    take(scans, {7, 8}, FrameKind::view);
    QCOMPARE(scans.scans(), 1);
    take(scans, {11, 10}, FrameKind::dark);  // the first was overtaken
    take(scans, {9}, FrameKind::view);       // of the first scan
    take(scans, {12}, FrameKind::flat);
    take(scans, {13, 14}, FrameKind::view);
    QCOMPARE(reasons_, std::vector<std::string>{"new darks"});
    QCOMPARE(scans.missing(), Numbers{});
    QCOMPARE(scans.counts().duplicates, 1);
    const auto records = scans.end_record().or_throw();
    QCOMPARE(records[0].views, 5);
    QCOMPARE(records[0].darks, 3);
    QCOMPARE(records[1].views, 2);
    QCOMPARE(records[1].darks, 2);
  }

  void a_sender_that_counts_from_0_again_is_recognised_by_its_darks() {
    Recorded scans(options(), record());
    for (int turn = 0; turn < 2; ++turn) {
      Frame dark = stream_frame(0, FrameKind::dark);
      dark.pixels[0] = static_cast<std::byte>(turn);
      scans.take(std::move(dark), array());
      take(scans, {1}, FrameKind::flat);
      take(scans, {2, 3, 4}, FrameKind::view);
    }
    QCOMPARE(reasons_, std::vector<std::string>{"new darks"});
    QCOMPARE(scans.counts().views, 6);
    QCOMPARE(scans.end_record().or_throw().size(), std::size_t(2));
  }

  void darks_after_the_views_belong_to_a_scan_that_has_none() {
    Recorded scans(options(), record());
    take(scans, {0, 1, 2}, FrameKind::view);
    take(scans, {3, 4}, FrameKind::dark);
    QCOMPARE(scans.scans(), 1);
    take(scans, {6}, FrameKind::dark);  // overtakes the next one
    take(scans, {5}, FrameKind::dark);
    QCOMPARE(scans.scans(), 1);
    take(scans, {7, 8}, FrameKind::view);
    take(scans, {9, 10}, FrameKind::dark);
    QCOMPARE(reasons_, std::vector<std::string>{"new darks"});
    const auto records = scans.end_record().or_throw();
    QCOMPARE(records[0].views, 5);
    QCOMPARE(records[0].darks, 4);
    QCOMPARE(records[1].darks, 2);
  }

  void darks_after_the_views_where_each_kind_has_its_numbers_or_none() {
    for (const bool has_numbers : {true, false}) {
      Scans scans(ScansOptions{});
      const auto take_some = [&](int64_t begin, int64_t end, FrameKind kind) {
        for (int64_t i = begin; i < end; ++i) {
          Frame frame = stream_frame(i, kind);
          if (!has_numbers) frame.number.reset();
          scans.take(std::move(frame), array());
        }
      };
      take_some(0, 20, FrameKind::view);
      take_some(0, 3, FrameKind::dark);
      QCOMPARE(scans.scans(), 1);
      take_some(20, 30, FrameKind::view);
      QCOMPARE(scans.scans(), 1);
      take_some(3, 6, FrameKind::dark);
      QCOMPARE(scans.scans(), 2);
      QCOMPARE(scans.counts().views, 30);
      QCOMPARE(scans.counts().darks, 6);
    }
  }

  void another_geometry_and_another_announcement_begin_a_scan() {
    Recorded scans(options(), record());
    StreamGeometry geometry;
    geometry.rows = 3;
    geometry.cols = 4;
    geometry.views = 4;
    geometry.angles = {0, 45, 90, 135};
    const auto views = [&] {
      for (int64_t i = 0; i < 4; ++i) {
        Frame view = stream_frame(i);
        view.angle.reset();
        scans.take(std::move(view), tomop());
      }
    };
    scans.take(ScanSettings{1, 0, false}, tomop());
    scans.take(geometry, tomop());
    scans.take(stream_frame(0, FrameKind::dark), tomop());
    views();
    scans.take(geometry, tomop());  // the same
    QCOMPARE(scans.scans(), 1);
    geometry.angles = {10, 55, 100, 145};
    scans.take(geometry, tomop());
    views();
    scans.take(ScanSettings{1, 0, false}, tomop());
    views();
    QCOMPARE(reasons_, (std::vector<std::string>{"another geometry", "the sender announces a scan"}));
    QCOMPARE(scans.end_record().or_throw().size(), std::size_t(3));
    QVERIFY(std::abs(test::hdf5_numbers(path("r-2.nx"), "/entry/sample/rotation_angle")[1] - 55) < 1e-9);
    QVERIFY(std::abs(test::hdf5_numbers(path("r-3.nx"), "/entry/sample/rotation_angle")[1] - 55) < 1e-9);
  }

  // A name that is taken is not written over, and no frame is lost for it.
  void names_that_are_taken_are_passed_over() {
    {
      std::FILE* file = std::fopen(path("r-2.nx").c_str(), "w");
      std::fclose(file);
    }
    Recorded scans(options(), record());
    take(scans, {0, 1}, FrameKind::view);
    take(scans, {2, 3}, FrameKind::view, 4);
    const auto records = scans.end_record().or_throw();
    QCOMPARE(records[1].path, path("r-3.nx"));
    QCOMPARE(fs::file_size(path("r-2.nx")), std::uintmax_t(0));
  }

  // The vectors of a circular scan give the geometry that its angles give.
  void vectors_are_recorded_as_geometry_data() {
    QTest::addColumn<bool>("cone");
    QTest::newRow("parallel") << false;
    QTest::newRow("cone") << true;
  }
  void vectors_are_recorded_as_geometry() {
    QFETCH(bool, cone);
    const std::vector<double> angles = {0, 0.5, 1, 1.5, 2};
    StreamGeometry geometry;
    geometry.beam = cone ? Beam::cone : Beam::parallel;
    geometry.rows = 3;
    geometry.cols = 4;
    geometry.views = 5;
    geometry.vectors = astra_vectors(angles, cone ? 100 : 0, cone ? 50 : 0, 0.5);
    {
      Recorded scans(options(), record());
      scans.take(geometry, tomop());
      scans.take(stream_frame(0, FrameKind::flat), tomop());
      for (const int64_t i : {0, 1, 3, 4}) {  // 2 is lost
        Frame view = stream_frame(i);
        view.angle.reset();
        scans.take(std::move(view), tomop());
      }
      QVERIFY(scans.end_record().ok());
    }
    const auto scan = io::open_scan(path("r.nx")).or_throw();
    const io::ScanInfo& info = scan->info();
    QCOMPARE(info.views, 4);
    QVERIFY(info.vectors.has_value());
    QCOMPARE(info.beam, geometry.beam);
    QCOMPARE(info.pixel_size_u.value, 0.5);
    const DetectorShape detector{3, 4, 0.5, 0.5};
    const ScanGeometry stated = ScanGeometry::from_vectors(info.beam, detector, info.vectors->value).or_throw();
    const std::vector<double> of_views = {angles[0], angles[1], angles[3], angles[4]};
    const ScanGeometry by_angles =
        (cone ? ScanGeometry::cone(of_views, detector, 100, 50) : ScanGeometry::parallel(of_views, detector))
            .or_throw();
    const std::vector<double> a = stated.vectors(), b = by_angles.vectors();
    QCOMPARE(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) QVERIFY2(std::abs(a[i] - b[i]) < 1e-9, std::to_string(i).c_str());
    for (std::size_t i = 0; i < 4; ++i) QVERIFY(std::abs(info.angles.value[i] - of_views[i]) < 1e-9);
  }

  void distances_of_a_cone_are_recorded() {
    StreamGeometry geometry;
    geometry.beam = Beam::cone;
    geometry.rows = 3;
    geometry.cols = 4;
    geometry.views = 2;
    geometry.angles = {0, 90};
    geometry.source_to_axis = 120;
    geometry.axis_to_detector = 60;
    geometry.pitch_u = geometry.pitch_v = 0.25;
    Recorded scans(options(), record());
    scans.take(geometry, tomop());
    take(scans, {0, 1}, FrameKind::view);
    QVERIFY(scans.end_record().ok());
    const auto scan = io::open_scan(path("r.nx")).or_throw();
    QCOMPARE(scan->info().beam, Beam::cone);
    QCOMPARE(scan->info().source_to_axis->value, 120.0);
    QCOMPARE(scan->info().axis_to_detector->value, 60.0);
    QCOMPARE(scan->info().pixel_size_u.value, 0.25);
  }
};

TL_TEST_CASE(ScansTest)

}  // namespace tl::scans_test

#include "scans.moc"
