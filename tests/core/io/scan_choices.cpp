// The user's choices override the metadata of the file: angles, pixel kind, beam, distances, order of frames; through
// the reader, the load node and the command line's settings.
#include "core/io/reader/scan_choices.h"

#include <tiffio.h>

#include <QTemporaryDir>
#include <fstream>

#include "core/io/open_scan.h"
#include "core/run/automatic/automatic.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/test_case.h"

namespace tl::scan_choices_test {

using tl::test::Hdf5Maker;
using tl::test::ramp;
namespace fs = std::filesystem;

namespace {

constexpr int views = 4, rows = 3, cols = 5;

Result<std::unique_ptr<io::ScanReader>> open(const fs::path& file, const io::ScanChoices& choices) {
  return io::open_scan(file, {}, {.choices = choices});
}

double degrees(double rad) { return rad * 180 / pi; }

// A Diamond scan whose angles are a readback of another name, per frame: one dark, one flat, four views.
void make_motor_scan(const fs::path& file) {
  Hdf5Maker h5(file.string());
  h5.text("/entry/definition", "NXtomo");
  h5.frames<uint16_t>("/entry/instrument/detector/data", views + 2, rows, cols, 1);
  h5.numbers<int32_t>("/entry/instrument/detector/image_key", {views + 2}, {2, 1, 0, 0, 0, 0});
  h5.numbers<double>("/entry/sample/gts_theta_value", {views + 2}, {0, 0, 10, 12.5, 15, 17.5}, "deg");
  h5.numbers<double>("/entry/control/data", {views + 2}, {100, 90, 95, 95, 95, 95});
}

// Frame r is the sinogram of row r: number 100 view + 10 row + col.
template <class T>
std::vector<T> sinograms() {
  std::vector<T> all;
  for (int r = 0; r < rows; ++r)
    for (int v = 0; v < views; ++v)
      for (int c = 0; c < cols; ++c) all.push_back(static_cast<T>(100 * v + 10 * r + c));
  return all;
}

void make_sinogram_tiffs(const fs::path& folder) {
  fs::create_directory(folder);
  const std::vector<uint16_t> all = sinograms<uint16_t>();
  for (int r = 0; r < rows; ++r) {
    TIFF* tiff = TIFFOpen((folder / ("sino_" + std::to_string(r) + ".tif")).c_str(), "w");
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, cols);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, views);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 16);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    for (int v = 0; v < views; ++v) {
      std::vector<uint16_t> line(all.begin() + (r * views + v) * cols, all.begin() + (r * views + v + 1) * cols);
      TIFFWriteScanline(tiff, line.data(), static_cast<uint32_t>(v), 0);
    }
    TIFFClose(tiff);
  }
}

}  // namespace

class ScanChoicesTest : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;
  [[nodiscard]] fs::path path(const char* name) const { return dir_.filePath(name).toStdString(); }

 private Q_SLOTS:
  void initTestCase() { TIFFSetWarningHandler(nullptr); }

  void angles_come_from_a_dataset_that_is_named() {
    make_motor_scan(path("motor.nxs"));
    QCOMPARE(io::open_scan(path("motor.nxs")).or_throw()->info().angles.origin, Origin::guessed);
    const auto scan = open(path("motor.nxs"), {.angles_dataset = "/entry/sample/gts_theta_value"}).or_throw();
    QCOMPARE(static_cast<int>(scan->info().angles.value.size()), views);
    QCOMPARE(degrees(scan->info().angles.value[0]), 10.0);
    QCOMPARE(degrees(scan->info().angles.value[3]), 17.5);
    const auto missing = open(path("motor.nxs"), {.angles_dataset = "/entry/sample/none"});
    QVERIFY(!missing.ok());
    QVERIFY2(missing.error().message().find("/entry/sample/none") != std::string::npos,
             missing.error().message().c_str());
  }

  void the_beam_monitor_is_named() {
    make_motor_scan(path("monitor.nxs"));
    std::string notes;
    const auto scan = io::open_scan(path("monitor.nxs")).or_throw();
    for (const std::string& note : scan->info().notes) notes += note;
    QVERIFY2(notes.find("/entry/control/data") != std::string::npos && notes.find("10 %") != std::string::npos,
             notes.c_str());
  }

  void angles_come_from_a_text_file() {
    make_motor_scan(path("text.nxs"));
    std::ofstream(path("angles.txt")) << "# gantry angles in degrees\n0, 45\n+90;135.5 # the last\n";
    const auto scan = open(path("text.nxs"), {.angles_file = path("angles.txt")}).or_throw();
    QCOMPARE(scan->info().angles.origin, Origin::user);
    QCOMPARE(degrees(scan->info().angles.value[1]), 45.0);
    QCOMPARE(degrees(scan->info().angles.value[3]), 135.5);
  }

  void wrong_texts_are_refused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("three for four") << QByteArray("0 1 2") << QByteArray("3 angles but 4 views");
    QTest::newRow("a word") << QByteArray("0 1\n2 north") << QByteArray(":2");
    QTest::newRow("glued") << QByteArray("0 1 2 3deg") << QByteArray("not a number");
    QTest::newRow("not finite") << QByteArray("0 1 2 nan") << QByteArray("not finite");
    QTest::newRow("empty") << QByteArray("# none\n") << QByteArray("no angle");
  }
  void wrong_texts_are_refused() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, says);
    make_motor_scan(path("wrong.nxs"));
    std::ofstream(path("wrong.txt"), std::ios::binary) << text.toStdString();
    const auto scan = open(path("wrong.nxs"), {.angles_file = path("wrong.txt")});
    QVERIFY(!scan.ok());
    QVERIFY2(scan.error().message().find(says.toStdString()) != std::string::npos, scan.error().message().c_str());
  }

  void angles_come_from_a_start_and_a_step() {
    make_motor_scan(path("step.nxs"));
    const auto scan = open(path("step.nxs"), {.first_angle = 5 * pi / 180, .angle_step = -0.5 * pi / 180}).or_throw();
    QCOMPARE(degrees(scan->info().angles.value[0]), 5.0);
    QCOMPARE(degrees(scan->info().angles.value[3]), 3.5);
    const auto both = open(path("step.nxs"), {.angles_dataset = "/x", .angle_step = 0.1});
    QVERIFY(!both.ok() && both.error().kind == ErrorKind::invalid);
    QVERIFY(!open(path("step.nxs"), {.first_angle = 0.1}).ok());
  }

  // A scan with the wrong number of angles in the file can be read with others.
  void wrong_angles_of_the_file_can_be_replaced() {
    {
      Hdf5Maker h5(path("short.h5").string());
      h5.frames<float>("/exchange/data", views, rows, cols, 0);
      h5.numbers<double>("/exchange/theta", {2}, {0, 1}, "degree");
    }
    const auto refused = io::open_scan(path("short.h5"));
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().hint.find("angle_step") != std::string::npos, refused.error().message().c_str());
    QVERIFY(open(path("short.h5"), {.angle_step = 0.1}).ok());
  }

  void pixels_beam_and_distances_are_what_the_user_says() {
    make_motor_scan(path("cone.nxs"));
    const auto scan =
        open(path("cone.nxs"),
             {.pixels = io::ScanPixels::absorption, .beam = Beam::cone, .source_to_axis = 100, .axis_to_detector = 50})
            .or_throw();
    QCOMPARE(scan->info().kind, PixelKind::absorption);
    QVERIFY(scan->info().beam == Beam::cone);
    QCOMPARE(scan->info().source_to_axis->value, 100.0);
    QCOMPARE(scan->info().source_to_axis->origin, Origin::user);
    QCOMPARE(scan->info().axis_to_detector->value, 50.0);
  }

  void sinograms_read_as_views_data() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"by the user", "by the attribute", "tiff"}) QTest::newRow(kind) << kind;
  }
  void sinograms_read_as_views() {
    QFETCH(QString, kind);
    io::ScanChoices choices;
    fs::path file = path(kind == "tiff" ? "sinograms" : "sinograms.h5");
    if (kind == "tiff") {
      make_sinogram_tiffs(file);
    } else {
      fs::remove(file);
      Hdf5Maker h5(file.string());
      h5.numbers<uint16_t>("/exchange/data", {rows, views, cols}, sinograms<uint16_t>());
      h5.numbers<double>("/exchange/theta", {views}, ramp(views, 0, 45), "degree");
      h5.frames<uint16_t>("/exchange/data_white", 2, rows, cols, 7);
      if (kind == "by the attribute") h5.attribute("/exchange/data", "axes", "y:theta:x");
    }
    if (kind != "by the attribute") choices.order = io::FrameOrder::sinograms;
    const auto scan = open(file, choices).or_throw();
    QCOMPARE(scan->info().views, int64_t{views});
    QCOMPARE(scan->info().rows, int64_t{rows});
    for (const Samples samples : {Samples::floats, Samples::counts}) {
      const at::Tensor read = scan->read({{1, 4}, {1, 3}, {2, 5}}, samples).or_throw().to(at::kFloat);
      QCOMPARE(read.sizes(), at::IntArrayRef({3, 2, 3}));
      for (int v = 0; v < 3; ++v)
        for (int r = 0; r < 2; ++r)
          for (int c = 0; c < 3; ++c)
            QCOMPARE(read[v][r][c].item<double>(), 100.0 * (v + 1) + 10.0 * (r + 1) + (c + 2));
    }
    if (kind != "tiff") QCOMPARE(scan->read_flats({0, rows}, {0, cols}).or_throw().size(0), int64_t{2});
  }

  // As on the command line: settings of the load node, the same for the description of the scan and for the run.
  void settings_reach_the_reader_and_the_pipeline() {
    make_motor_scan(path("cli.nxs"));
    const std::vector<std::string> load = {"pixels=absorption", "first_angle=0 deg", "angle_step=45 deg"};
    const io::ScanInfo scan = scan_with_settings(path("cli.nxs"), load).or_throw();
    QCOMPARE(scan.kind, PixelKind::absorption);
    QCOMPARE(degrees(scan.angles.value[3]), 135.0);
    const AutomaticPipeline chosen = automatic_pipeline(scan, {"v.tif", {}, 0.0, load}).or_throw();
    QVERIFY(chosen.graph.nodes.count("flat_field") == 0);
    QCOMPARE(chosen.graph.nodes.at("load").params.at("pixels"), ParamValue(std::string("absorption")));
    QVERIFY(!scan_with_settings(path("cli.nxs"), {"no_such=1"}).ok());
  }
};

TL_TEST_CASE(ScanChoicesTest)

}  // namespace tl::scan_choices_test

#include "scan_choices.moc"
