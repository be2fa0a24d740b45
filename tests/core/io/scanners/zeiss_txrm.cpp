// Zeiss .txrm: pixels, angles, distances and shifts of scans made here, the real scan, and files with one error each.
#include <ATen/ATen.h>

#include <QProcess>
#include <cmath>
#include <filesystem>

#include "core/io/open_scan.h"
#include "core/io/reader/describe.h"
#include "core/node/registry.h"
#include "gpu/correction/counts.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/io/txrm_maker.h"
#include "tests/support/test_case.h"

namespace tl::zeiss_txrm_test {

using tl::test::CompoundFileMaker;
using tl::test::txrm_frame;
using tl::test::txrm_pixel;
using tl::test::txrm_scan;

namespace {

constexpr int views = 5, rows = 6, cols = 7;

io::ScanInfo info_of(const std::string& file) { return io::open_scan(file).or_throw()->info(); }

// All views as the maker made them.
at::Tensor made_views(int64_t n, int64_t height, int64_t width) {
  at::Tensor all = at::empty({n, height, width}, at::kFloat);
  auto pixel = all.accessor<float, 3>();
  for (int64_t k = 0; k < n; ++k)
    for (int64_t r = 0; r < height; ++r)
      for (int64_t c = 0; c < width; ++c) pixel[k][r][c] = txrm_pixel(k, r, c);
  return all;
}

std::string floats(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), 4 * values.size()};
}

}  // namespace

class IoZeissTxrmTest : public test::ScanFolder {
  Q_OBJECT
  using ScanFolder::refuses;
  void refuses(CompoundFileMaker scan, std::initializer_list<std::string> words) const {
    scan.write(path("wrong.txrm"));
    refuses(path("wrong.txrm"), ErrorKind::invalid, words);
  }

 private Q_SLOTS:
  void pixels_of_every_layout_data() {
    QTest::addColumn<int>("sector");
    QTest::addColumn<int>("order");
    for (const int sector : {512, 4096})
      for (const int order : {0, 1}) QTest::addRow("sectors of %d, order %d", sector, order) << sector << order;
  }
  void pixels_of_every_layout() {
    QFETCH(int, sector);
    QFETCH(int, order);
    // Frames of 12 kB lie in sectors, those of the other scan with the small streams.
    for (const auto& [height, width] : {std::pair{rows, cols}, std::pair{60, 100}}) {
      txrm_scan(views, height, width)
          .write(path("a.txrm"), {sector, 3, order == 0 ? test::SectorOrder::forwards : test::SectorOrder::backwards});
      const auto scan = io::open_scan(path("a.txrm"));
      QVERIFY2(scan.ok(), scan.ok() ? "" : scan.error().message().c_str());
      QCOMPARE(scan.value()->info().format, std::string("zeiss_txrm"));
      QCOMPARE(scan.value()->info().pixel_type, std::string("uint16"));
      const at::Tensor all = made_views(views, height, width);
      QVERIFY(at::equal(scan.value()->read({{0, views}, {0, height}, {0, width}}).value(), all));
      const at::Tensor part = scan.value()->read({{1, 4}, {2, 5}, {3, 6}}).value();
      QVERIFY(at::equal(part, all.slice(0, 1, 4).slice(1, 2, 5).slice(2, 3, 6)));
      const at::Tensor last = scan.value()->read({{4, 5}, {height - 1, height}, {0, width}}).value();
      QVERIFY(at::equal(last, all.slice(0, 4).slice(1, height - 1)));
      const at::Tensor counts = scan.value()->read({{0, views}, {1, 4}, {0, width}}, Samples::counts).value();
      QCOMPARE(counts.scalar_type(), at::kUInt16);
      QVERIFY(at::equal(counts.to(at::kFloat), all.slice(1, 1, 4)));
      QCOMPARE(scan.value()->info().flats, 1);
      QCOMPARE(scan.value()->read_flats({2, 3}, {1, 3}).value()[0][0][1].item<float>(),
               static_cast<float>(txrm_pixel(7, 2, 2)));
      QCOMPARE(scan.value()->read_darks({0, 1}, {0, 1}).value().size(0), 0);
    }
  }

  void pixels_of_float32() {
    CompoundFileMaker maker = txrm_scan(views, rows, cols);
    maker.numbers<int32_t>("ImageInfo/DataType", {10});
    for (int k = 0; k < views; ++k) {
      std::vector<float> frame = txrm_frame<float>(k, rows, cols);
      for (float& value : frame) value = 0.5F * value - 1;
      maker.numbers(test::txrm_view(k), frame);
    }
    maker.write(path("b.txrm"));
    const auto scan = io::open_scan(path("b.txrm")).or_throw();
    QCOMPARE(scan->info().pixel_type, std::string("float32"));
    const at::Tensor all = 0.5 * made_views(views, rows, cols) - 1;
    // Counts are given only where the file has them.
    QVERIFY(at::equal(scan->read({{0, views}, {0, rows}, {0, cols}}, Samples::counts).value(), all));
    QVERIFY(at::equal(scan->read({{0, 2}, {0, rows}, {2, 3}}).value(), all.slice(0, 0, 2).slice(2, 2, 3)));
  }

  // Each storage holds a hundred views, and the table of sectors is longer than the header's list of its sectors.
  void many_views_and_a_long_table() {
    constexpr int many = 201, height = 100, width = 200;
    txrm_scan(many, height, width).write(path("c.txrm"), {512, 0, test::SectorOrder::forwards});
    QVERIFY(std::filesystem::file_size(path("c.txrm")) > 109 * 128 * 512);
    const auto scan = io::open_scan(path("c.txrm")).or_throw();
    for (const int64_t k : {0, 99, 100, 199, 200})
      QVERIFY(at::equal(scan->read({{k, k + 1}, {0, height}, {0, width}}).value(),
                        made_views(many, height, width).slice(0, k, k + 1)));
  }

  // Scans are larger than 32 bits count. The file has a hole, so that it takes no room.
  void beyond_4_gib() {
    constexpr int64_t unused = (int64_t{9} << 30) / 2 / 4096;
    txrm_scan(views, 60, 100).write(path("large.txrm"), {4096, unused, test::SectorOrder::forwards});
    QVERIFY(std::filesystem::file_size(path("large.txrm")) > (uint64_t{1} << 32));
    const auto scan = io::open_scan(path("large.txrm"));
    QVERIFY2(scan.ok(), scan.ok() ? "" : scan.error().message().c_str());
    QVERIFY(at::equal(scan.value()->read({{0, views}, {0, 60}, {0, 100}}).value(), made_views(views, 60, 100)));
    std::filesystem::remove(path("large.txrm"));
  }

  // Voxels of 4 um, source to axis 30 mm, axis to detector 90 mm: magnification 4, pixels of 16 um.
  void cone_by_hand() {
    txrm_scan(views, rows, cols).write(path("d.txrm"));
    const io::ScanInfo info = info_of(path("d.txrm"));
    QCOMPARE(info.beam, Beam::cone);
    QCOMPARE(info.source_to_axis->value, 30.0);
    QCOMPARE(info.axis_to_detector->value, 90.0);
    QCOMPARE(info.source_to_axis->origin, Origin::file);
    QVERIFY(std::abs(info.pixel_size_u.value - 0.016) < 1e-12);
    QVERIFY(std::abs(info.pixel_size_v.value - 0.016) < 1e-12);
    QVERIFY(std::abs(info.angles.value[1] - -54 * pi / 180) < 1e-12);
    QCOMPARE(info.angles.source, std::string("ImageInfo/Angles"));
    QCOMPARE(info.flat_positions, std::vector<double>{-0.5});
    QVERIFY(!info.energy);
    const std::string text = io::describe(info);
    for (const char* words : {"cone beam", "StoRADistance", "[file: ImageInfo/Angles]", "[file: Alignment/X-Shifts]"})
      QVERIFY2(text.find(words) != std::string::npos, text.c_str());
  }

  void parallel_beam_with_energy() {
    CompoundFileMaker maker = txrm_scan(views, rows, cols);
    maker.numbers<int32_t>("ImageInfo/XrayGeometry", {2});
    maker.numbers<float>("ImageInfo/Energy", {8250});
    maker.write(path("e.txrm"));
    io::ScanInfo info = info_of(path("e.txrm"));
    QCOMPARE(info.beam, Beam::parallel);
    QVERIFY(!info.source_to_axis && !info.axis_to_detector);
    QVERIFY(std::abs(info.pixel_size_u.value - 0.004) < 1e-12);
    QVERIFY(!info.energy && noted(info, "without a unit"));
    maker.numbers<int32_t>("PositionInfo/TotalAxis", {2});
    maker.add("PositionInfo/AxisNames", std::string("Sample X\0\0Energy\0\0\0\0", 20));
    maker.add("PositionInfo/AxisUnits", std::string("um\0eV\0", 6));
    maker.write(path("e.txrm"));
    info = info_of(path("e.txrm"));
    QVERIFY(info.energy && std::abs(info.energy->value - 8.25) < 1e-9);
  }

  // The file says how far to move the images: to the right, and down. They lie to the left, and above.
  void shifts_of_views() {
    txrm_scan(views, rows, cols).write(path("f.txrm"));
    const io::ScanInfo info = info_of(path("f.txrm"));
    QCOMPARE(info.shift_u->value, (std::vector<double>{0, -0.25, -0.5, 0, -0.25}));
    QCOMPARE(info.shift_v->value, (std::vector<double>{0, -0.5, 0, -0.5, 0}));
    QVERIFY(noted(info, "shifted against each other"));
    CompoundFileMaker maker = txrm_scan(views, rows, cols);
    maker.numbers("Alignment/X-Shifts", std::vector<float>(views, 0));
    maker.numbers("Alignment/Y-Shifts", std::vector<float>{1, 2, 3, 4, 1e30F});
    maker.write(path("f.txrm"));
    QVERIFY(!info_of(path("f.txrm")).shift_u && noted(info_of(path("f.txrm")), "cannot be shifts"));
    maker.remove("Alignment/Y-Shifts");
    maker.write(path("f.txrm"));
    QVERIFY(!info_of(path("f.txrm")).shift_v && !noted(info_of(path("f.txrm")), "hift"));
  }

  // The load node puts them into the geometry: where a view is mirrored or transposed, so are its shifts.
  void shifts_in_the_geometry_data() {
    QTest::addColumn<QStringList>("settings");
    QTest::addColumn<double>("u");
    QTest::addColumn<double>("v");
    QTest::newRow("as the file says") << QStringList{} << -0.25 << -0.5;
    QTest::newRow("ignored") << QStringList{"view_shifts", "ignore"} << 0.0 << 0.0;
    QTest::newRow("columns mirrored") << QStringList{"flip_u", "mirror"} << 0.25 << -0.5;
    QTest::newRow("rows mirrored") << QStringList{"flip_v", "mirror"} << -0.25 << 0.5;
    QTest::newRow("transposed") << QStringList{"axes", "transpose"} << 0.5 << 0.25;
  }
  void shifts_in_the_geometry() {
    QFETCH(QStringList, settings);
    QFETCH(double, u);
    QFETCH(double, v);
    txrm_scan(views, rows, cols).write(path("g.txrm"));
    const NodeType* load = Registry::all().find("input.load_scan");
    QVERIFY(load != nullptr);
    const auto params = load->make_params();
    const auto set = [&](const std::string& name, const std::string& value) {
      for (const ParamDecl& decl : load->params)
        if (decl.name == name) decl.assign(params.get(), ParamValue(value));
    };
    set("file", path("g.txrm"));
    if (!settings.empty()) set(settings[0].toStdString(), settings[1].toStdString());
    const auto infos = load->infos(params.get(), {}, nullptr).or_throw();
    const ScanGeometry geometry = std::get<ProjectionsInfo>(infos.at("projections")).geometry;
    // View 0 is not shifted: where the axis falls in view 1 relative to it, in columns and rows (down).
    const auto at = [&](int64_t view) { return geometry.project(view, {0, 0, 0}); };
    QVERIFY(std::abs(at(1).col - at(0).col - u) < 1e-9);
    QVERIFY(std::abs(at(1).row - at(0).row + v) < 1e-9);
  }

  void what_is_missing_is_guessed_and_said() {
    CompoundFileMaker maker = txrm_scan(views, rows, cols);
    for (const char* name : {"ImageInfo/Angles", "ImageInfo/PixelSize", "ImageInfo/StoRADistance",
                             "ReferenceData/Image", "ImageInfo/AcquisitionMode", "ImageInfo/ImagesTaken"})
      maker.remove(name);
    maker.write(path("h.txrm"));
    const io::ScanInfo info = info_of(path("h.txrm"));
    QCOMPARE(info.angles.origin, Origin::guessed);
    QCOMPARE(info.pixel_size_u.origin, Origin::guessed);
    QVERIFY(noted(info, "no flats") && noted(info, "not both distances") && noted(info, "no angles"));
  }

  void a_scan_that_was_ended() {
    CompoundFileMaker maker = txrm_scan(views, rows, cols);
    maker.numbers<int32_t>("ImageInfo/ImagesTaken", {3});
    maker.remove("ImageData1/Image4");
    maker.remove("ImageData1/Image5");
    maker.write(path("i.txrm"));
    const io::ScanInfo info = info_of(path("i.txrm"));
    QCOMPARE(info.views, 3);
    QCOMPARE(info.angles.value.size(), std::size_t(3));
    QVERIFY(noted(info, "ended after 3 views of 5"));
  }

  void wrong_scans() {
    const auto changed = [](const std::string& name, const std::string& bytes) {
      CompoundFileMaker maker = txrm_scan(views, rows, cols);
      maker.add(name, bytes);
      return maker;
    };
    const auto integer = [](int32_t value) { return std::string(reinterpret_cast<const char*>(&value), 4); };
    const auto without = [](const std::string& name) {
      CompoundFileMaker maker = txrm_scan(views, rows, cols);
      maker.remove(name);
      return maker;
    };
    refuses(without("ImageData1/Image3"), {"view 3 of 5 is missing", "ImageData1/Image3"});
    refuses(without("ImageInfo/DataType"), {"no stream ImageInfo/DataType"});
    refuses(without("ImageInfo/NoOfImages"), {"no stream ImageInfo/NoOfImages"});
    refuses(changed("ImageInfo/DataType", integer(3)), {"data type 3", "uint16", "ImageInfo/DataType"});
    refuses(changed("ImageInfo/AcquisitionMode", integer(1)), {"slices of a volume"});
    refuses(changed("ImageData1/Image2", std::string(12, 'x')), {"12 bytes", "take 84", "ImageData1/Image2"});
    refuses(changed("ReferenceData/Image", std::string(12, 'x')), {"flat", "12 bytes"});
    refuses(changed("ImageInfo/Angles", floats({1, 2})), {"2 numbers for 5 views", "ImageInfo/Angles"});
    refuses(changed("ImageInfo/Angles", floats({1, 2, std::nanf(""), 4, 5})), {"angle 2", "ImageInfo/Angles"});
    for (const int32_t n : {0, -1, 2'000'000'000}) {
      CompoundFileMaker maker = changed("ImageInfo/NoOfImages", integer(n));
      maker.remove("ImageInfo/ImagesTaken");
      refuses(maker, {"a scan of " + std::to_string(n) + " frames"});
    }
    refuses(changed("ImageInfo/ImageWidth", integer(2'000'000'000)), {"larger than any detector"});
  }

  void more_views_than_stated() {
    CompoundFileMaker maker = txrm_scan(views, rows, cols);
    maker.numbers(test::txrm_view(views), txrm_frame<uint16_t>(views, rows, cols));
    maker.write(path("j.txrm"));
    QCOMPARE(info_of(path("j.txrm")).views, views);
    QVERIFY(noted(info_of(path("j.txrm")), "more views in the file"));
  }

  void damaged_files() {
    txrm_scan(views, 60, 100).write(path("k.txrm"));
    const std::string whole = test::contents(path("k.txrm"));
    const auto write = [&](const std::string& bytes) {
      std::ofstream(path("wrong.txrm"), std::ios::binary | std::ios::trunc) << bytes;
    };
    for (const std::size_t length : {std::size_t{8}, std::size_t{600}, whole.size() / 2, whole.size() - 4096}) {
      write(whole.substr(0, length));
      refuses(path("wrong.txrm"), ErrorKind::io, {"copy it again"});
    }
    // The first sector of the directory is followed by itself.
    uint32_t directory = 0, table = 0;
    std::memcpy(&directory, whole.data() + 48, 4);
    std::memcpy(&table, whole.data() + 76, 4);
    std::string circle = whole;
    std::memcpy(circle.data() + (std::size_t{table} + 1) * 4096 + std::size_t{directory} * 4, &directory, 4);
    write(circle);
    refuses(path("wrong.txrm"), ErrorKind::io, {"without an end"});
    // So is the first sector of a view: it is opened, but not read.
    circle = whole;
    const uint32_t first = 0;
    std::memcpy(circle.data() + (std::size_t{table} + 1) * 4096, &first, 4);
    write(circle);
    const auto scan = io::open_scan(path("wrong.txrm"));
    QVERIFY(scan.ok());
    const auto read = scan.value()->read({{0, views}, {0, 60}, {0, 100}});
    QVERIFY(!read.ok());
    QCOMPARE(read.error().kind, ErrorKind::io);
    QVERIFY2(read.error().message().find("do not end") != std::string::npos, read.error().message().c_str());
    write("no compound file, whatever its name says");
    refuses(path("wrong.txrm"), ErrorKind::invalid, {"the name ends in .txrm"});
  }

  void cancelled_while_it_reads() {
    txrm_scan(views, rows, cols).write(path("l.txrm"));
    const auto scan = io::open_scan(path("l.txrm")).or_throw();
    const CancelToken cancel;
    cancel.cancel();
    const std::vector<int64_t> wanted = {0, 1};
    bool stopped = false;
    try {
      const auto read = scan->read_views(wanted, {0, rows}, {0, cols}, Samples::floats, cancel);
      stopped = !read.ok() && read.error().kind == ErrorKind::cancelled;
    } catch (const Failure& failure) {
      stopped = failure.error().kind == ErrorKind::cancelled;
    }
    QVERIFY(stopped);
  }

  // Read with olefile and numpy.
  void the_real_chip() {
    std::filesystem::path shared = std::filesystem::path(TL_SOURCE_DIR) / "../shared/data";
    if (qEnvironmentVariableIsSet("TL_SHARED_DATA")) shared = qgetenv("TL_SHARED_DATA").toStdString();
    if (!std::filesystem::exists(shared / "xradia_test_chip.txrm")) QSKIP("the shared data folder is not here");
    const auto scan = io::open_scan(shared / "xradia_test_chip.txrm");
    QVERIFY2(scan.ok(), scan.ok() ? "" : scan.error().message().c_str());
    const io::ScanInfo& info = scan.value()->info();
    QCOMPARE(info.views, 7);
    QCOMPARE(info.rows, 256);
    QCOMPARE(info.cols, 256);
    QCOMPARE(info.flats, 0);
    QCOMPARE(info.beam, Beam::parallel);
    QVERIFY(std::abs(info.pixel_size_u.value - 0.15578947961330414e-3) < 1e-15);
    QVERIFY(std::abs(info.energy->value - 9.2000166015625) < 1e-12);
    QVERIFY(std::abs(info.angles.value.front() * 180 / pi - -45.018001556396484) < 1e-12);
    QVERIFY(std::abs(info.angles.value.back() * 180 / pi - 44.985877990722656) < 1e-12);
    QCOMPARE(info.shift_u->value[2], double{-1.2806183099746704});
    QCOMPARE(info.shift_v->value[0], double{0.24399557709693909});
    const at::Tensor all = scan.value()->read({{0, 7}, {0, 256}, {0, 256}}).value();
    const std::array<double, 7> sums = {4280467, 5708686, 6420958, 6923329, 6523982, 5553009, 4079730};
    for (int64_t k = 0; k < 7; ++k) QCOMPARE(all[k].sum(at::kDouble).item<double>(), sums[static_cast<std::size_t>(k)]);
  }

  // olefile finds in our files what we wrote: they are compound files, not only what our reader takes for one.
  void olefile_reads_our_files() {
    if (!qEnvironmentVariableIsSet("TL_TEST_PYTHON")) QSKIP("TL_TEST_PYTHON names no Python with olefile");
    txrm_scan(views, 60, 100).write(path("four.txrm"), {4096, 3, test::SectorOrder::backwards});
    txrm_scan(views, rows, cols).write(path("three.txrm"), {512, 0, test::SectorOrder::forwards});
    QProcess process;
    process.setWorkingDirectory(QString::fromStdString(folder().string()));
    process.start(qEnvironmentVariable("TL_TEST_PYTHON"), {"-c", R"(
import numpy as np, olefile
for name, rows, cols in (('four.txrm', 60, 100), ('three.txrm', 6, 7)):
    with olefile.OleFileIO(name, raise_defects=olefile.DEFECT_INCORRECT) as f:
        read = lambda stream, kind: np.frombuffer(f.openstream(stream).read(), kind)
        assert len(f.listdir()) == 20, f.listdir()
        assert read('ImageInfo/NoOfImages', '<i4')[0] == 5
        assert np.array_equal(read('ImageInfo/Angles', '<f4'), np.array([-90, -54, -18, 18, 54], 'f4'))
        r, c = np.mgrid[:rows, :cols]
        for k in range(5):
            assert np.array_equal(read(f'ImageData1/Image{k + 1}', '<u2').reshape(rows, cols), 1000 * k + 20 * r + c)
        assert np.array_equal(read('ReferenceData/Image', '<f4').reshape(rows, cols), 7000 + 20 * r + c)
)"});
    QVERIFY2(process.waitForFinished(60000), "Python does not answer");
    const QByteArray complaint = process.readAllStandardError();
    if (complaint.contains("No module named 'olefile'")) QSKIP("the tests' Python has no olefile");
    QVERIFY2(process.exitCode() == 0, complaint.constData());
  }
};

TL_TEST_CASE(IoZeissTxrmTest)

}  // namespace tl::zeiss_txrm_test

#include "zeiss_txrm.moc"
