// Raw frames: with a MetaImage header, in one file, a pattern or a list of files, and of sizes and types given by hand;
// byte orders, offsets, flats and darks; what does not fit.
#include <ATen/ATen.h>

#include <bit>
#include <cstring>

#include "core/graph/graph_json.h"
#include "core/io/open_scan.h"
#include "core/io/voxels/volume_info.h"
#include "core/run/executor.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::raw_frames_test {

namespace fs = std::filesystem;

namespace {

constexpr int views = 4, rows = 3, cols = 5;

// Pixel (i, r, c) is first + 100 i + 10 r + c.
at::Tensor frames(int64_t n, double first) {
  return first + 100 * at::arange(n, at::kDouble).reshape({n, 1, 1}) +
         10 * at::arange(rows, at::kDouble).reshape({rows, 1}) + at::arange(cols, at::kDouble);
}

template <class T>
std::string bytes_of(const at::Tensor& numbers, io::ByteOrder order = io::ByteOrder::little) {
  std::string bytes;
  const at::Tensor plain = numbers.contiguous();
  for (int64_t i = 0; i < plain.numel(); ++i) {
    const T value = static_cast<T>(plain.const_data_ptr<double>()[i]);
    char one[sizeof(T)];
    std::memcpy(one, &value, sizeof(T));
    if (order == io::ByteOrder::big) std::reverse(one, one + sizeof(T));
    bytes.append(one, sizeof(T));
  }
  return bytes;
}

std::string header(const std::string& type, const std::string& data, const std::string& more = {}) {
  return "ObjectType = Image\nNDims = 3\nDimSize = 5 3 4\nElementType = " + type + "\n" + more +
         "ElementDataFile = " + data + "\n";
}

const io::ScanChoices with_angles{.angle_step = 0.1};

io::ScanChoices raw(const std::string& size, const std::string& type = "uint16", int64_t offset = 0,
                    io::ByteOrder order = io::ByteOrder::little) {
  io::ScanChoices choices = with_angles;
  choices.raw = {size, type, offset, order};
  return choices;
}

Result<std::unique_ptr<io::ScanReader>> open(const fs::path& file, const io::ScanChoices& choices) {
  return io::open_scan(file, {}, {.choices = choices});
}

}  // namespace

class RawFramesTest : public test::ScanFolder {
  Q_OBJECT

  static void check_all(io::ScanReader& scan, double first = 1000) {
    QCOMPARE(scan.info().format, std::string("raw_frames"));
    QCOMPARE(scan.info().views, views);
    QCOMPARE(scan.info().rows, rows);
    QCOMPARE(scan.info().cols, cols);
    const at::Tensor wanted = frames(views, first).to(at::kFloat);
    QVERIFY(at::equal(scan.read({{0, views}, {0, rows}, {0, cols}}).or_throw(), wanted));
    for (const Samples samples : {Samples::floats, Samples::counts})
      QVERIFY(at::equal(scan.read({{1, 4}, {1, 3}, {2, 4}}, samples).or_throw().to(at::kFloat),
                        wanted.slice(0, 1, 4).slice(1, 1, 3).slice(2, 2, 4)));
  }

  static void refuses_raw(const fs::path& file, std::initializer_list<std::string> words) {
    const auto scan = open(file, raw("5x3"));
    QVERIFY(!scan.ok());
    QVERIFY2(test::mentions(scan.error().message(), words), scan.error().message().c_str());
  }

 private Q_SLOTS:
  void angles_follow_the_numbers_of_files() {
    fs::create_directory(path("gap"));
    for (const int i : {0, 1, 3, 4})
      test::put(path("gap/v_" + std::to_string(i) + ".raw"), bytes_of<uint16_t>(frames(1, 100 * i)));
    const auto scan = open(path("gap"), raw("5x3")).or_throw();
    QCOMPARE(scan->info().angles.value.size(), std::size_t{4});
    QVERIFY(std::abs(scan->info().angles.value[2] - 0.3) < 1e-12);
    QVERIFY(!scan->info().outside.empty() && scan->info().outside.front().starts_with("1 of 5 views are missing"));
  }

  void numbers_of_every_type_data() {
    QTest::addColumn<QString>("type");
    for (const char* type : {"uint16", "int16", "int32", "uint32", "int64", "float32", "float64"})
      for (const char* order : {"little", "big"}) QTest::addRow("%s %s", type, order) << QString(type);
  }
  void numbers_of_every_type() {
    QFETCH(QString, type);
    const std::string name = type.toStdString();
    const auto order = QByteArray(QTest::currentDataTag()).endsWith("big") ? io::ByteOrder::big : io::ByteOrder::little;
    const at::Tensor all = frames(views, 1000);
    const std::string bytes = name == "uint16"    ? bytes_of<uint16_t>(all, order)
                              : name == "int16"   ? bytes_of<int16_t>(all, order)
                              : name == "int32"   ? bytes_of<int32_t>(all, order)
                              : name == "uint32"  ? bytes_of<uint32_t>(all, order)
                              : name == "int64"   ? bytes_of<int64_t>(all, order)
                              : name == "float32" ? bytes_of<float>(all, order)
                                                  : bytes_of<double>(all, order);
    test::put(path("numbers.raw"), "seven!!" + bytes);
    const auto scan = open(path("numbers.raw"), raw("5x3x4", name, 7, order)).or_throw();
    QCOMPARE(scan->info().pixel_type, name);
    check_all(*scan);
    // Without the number of frames there are as many as fit.
    check_all(*open(path("numbers.raw"), raw("5x3", name, 7, order)).or_throw());
  }

  void a_header_describes_the_frames() {
    test::put(path("views.raw"), "xx" + bytes_of<uint16_t>(frames(views, 1000), io::ByteOrder::big));
    test::put(path("views.mhd"), header("MET_USHORT", "views.raw",
                                        "ElementByteOrderMSB = True\nHeaderSize = 2\nElementSpacing = 0.01 0.02 1\n"));
    const auto scan = open(path("views.mhd"), with_angles).or_throw();
    check_all(*scan);
    QVERIFY(std::abs(scan->info().pixel_size_u.value - 0.01) < 1e-12 && scan->info().pixel_size_v.value == 0.02);
    QVERIFY(scan->info().pixel_size_u.origin == Origin::file);
    QVERIFY(std::abs(scan->info().angles.value[3] - 0.3) < 1e-12);
    // Frames at the end of the file, and in the file of the header.
    test::put(path("end.mhd"), header("MET_USHORT", "views.raw", "ElementByteOrderMSB = True\nHeaderSize = -1\n"));
    check_all(*open(path("end.mhd"), with_angles).or_throw());
    test::put(path("local.mha"), header("MET_FLOAT", "LOCAL") + bytes_of<float>(frames(views, 1000)));
    const auto local = open(path("local.mha"), with_angles).or_throw();
    check_all(*local);
    QVERIFY(!local->info().has_pixel_size());
    // Spacings of 1 are what writers put that know none.
    test::put(path("ones.mhd"), header("MET_USHORT", "views.raw", "HeaderSize = 2\nElementSpacing = 1 1 1\n"));
    const auto ones = open(path("ones.mhd"), with_angles).or_throw();
    QVERIFY(!ones->info().has_pixel_size() && noted(ones->info(), "ElementSpacing is 1"));
  }

  void pages_may_be_files() {
    fs::create_directories(path("pages"));
    std::string list = "LIST\n";
    for (int i = 0; i < views; ++i) {
      const std::string name = "view_00" + std::to_string(2 * i + 1) + ".raw";
      test::put(path("pages") / name, bytes_of<uint16_t>(frames(1, 1000 + 100 * i)));
      list += name + (i + 1 < views ? "\n" : "");
    }
    for (const std::string& data : {std::string("view_%03d.raw 1 7 2"), list}) {
      test::put(path("pages/scan.mhd"), header("MET_USHORT", data));
      check_all(*open(path("pages/scan.mhd"), with_angles).or_throw());
      // The folder with its only header.
      check_all(*open(path("pages"), with_angles).or_throw());
    }
    const auto refused = [&](const std::string& data, std::initializer_list<std::string> words) {
      test::put(path("pages/wrong.mhd"), header("MET_USHORT", data));
      const auto scan = open(path("pages/wrong.mhd"), with_angles);
      QVERIFY(!scan.ok());
      QVERIFY2(test::mentions(scan.error().message(), words), scan.error().message().c_str());
    };
    refused("LIST\nview_001.raw", {"1 files for 4 pages"});
    refused("view_%03d.raw 1 9 2", {"last of the files"});
    refused("view_%s.raw 1 7 2", {"no %d"});
    refused("view_%03d.raw 2 8 2", {"view_002.raw", "does not exist"});
    refused("../%03d.raw 1 7 2", {"another folder"});
  }

  // In 64 bits the number of the last page, (2^24 - 1) * 2^40, would be -2^40. Nobody waits for millions of names.
  void numbers_of_pages_do_not_overflow() {
    const auto said = [&](const std::string& pages, const std::string& data) {
      test::put(path("v.mhd"),
                "NDims = 3\nDimSize = 1 1 " + pages + "\nElementType = MET_UCHAR\nElementDataFile = " + data + "\n");
      const auto scan = open(path("v.mhd"), with_angles);
      return scan.ok() ? "nothing" : scan.error().message();
    };
    const std::string unusable = "numbers of the files of its slices cannot be used";
    QVERIFY(test::mentions(said("16777216", "v%d.raw 0 -1099511627776 1099511627776"), {unusable}));
    QVERIFY(test::mentions(said("3", "v%d.raw -9223372036854775808 1 1"), {unusable}));
    QVERIFY(test::mentions(said("3", "v%d.raw 0 1 9223372036854775807"), {unusable}));
    QVERIFY(test::mentions(said("16777216", "v%d.raw 1 16777216 1"), {"the first of the files", "v1.raw"}));
  }

  // A folder of files without headers: views in natural order, flats and darks by their names.
  void a_folder_of_plain_files() {
    fs::create_directories(path("plain"));
    for (int i = 0; i < views; ++i)
      test::put(path("plain") / ("view" + std::to_string(i + 8) + ".raw"),
                bytes_of<uint16_t>(frames(1, 1000 + 100 * i)));
    test::put(path("plain/flat.raw"), bytes_of<uint16_t>(frames(2, 5000)));
    test::put(path("plain/dark.raw"), bytes_of<uint16_t>(frames(1, 7)));
    test::put(path("plain/notes.txt"), "none");
    const auto scan = open(path("plain"), raw("5x3")).or_throw();
    check_all(*scan);
    QCOMPARE(scan->info().flats, 2);
    QVERIFY(at::equal(scan->read_flats({0, rows}, {1, 3}).or_throw(), frames(2, 5000).slice(2, 1, 3).to(at::kFloat)));
    QCOMPARE(scan->read_darks({0, rows}, {0, cols}).or_throw().min().item<float>(), 7.0F);
    // Flats of another raw file have the same size, and as many frames as they are.
    test::put(path("air.raw"), bytes_of<uint16_t>(frames(3, 9000)));
    io::ScanChoices choices = raw("5x3");
    choices.flats_file = path("air.raw");
    const auto other = open(path("plain"), choices).or_throw();
    QCOMPARE(other->info().flats, 3);
    QVERIFY(at::equal(other->read_flats({0, rows}, {0, cols}).or_throw(), frames(3, 9000).to(at::kFloat)));
  }

  void sinograms_read_as_views() {
    test::put(path("sino.raw"), bytes_of<uint16_t>(frames(views, 1000)));
    io::ScanChoices choices = raw("5x3x4");
    choices.order = io::FrameOrder::sinograms;
    const auto scan = open(path("sino.raw"), choices).or_throw();
    QCOMPARE(scan->info().views, rows);
    QCOMPARE(scan->info().rows, views);
    QVERIFY(at::equal(scan->read({{0, rows}, {0, views}, {0, cols}}).or_throw(),
                      frames(views, 1000).transpose(0, 1).to(at::kFloat)));
  }

  // Flats and darks next to sinograms, and those that the user names, have the detector's rows, not the sinogram's.
  void references_of_sinograms_have_the_detectors_shape() {
    fs::create_directories(path("sinograms"));
    for (int r = 0; r < 6; ++r)
      test::put(path("sinograms") / ("sino" + std::to_string(r) + ".raw"), bytes_of<uint16_t>(frames(1, 1000 * r)));
    const at::Tensor flats = (10 * at::arange(2 * 6 * cols, at::kDouble)).reshape({2, 6, cols});
    test::put(path("sinograms/flat.raw"), bytes_of<uint16_t>(flats));
    test::put(path("sinograms/dark.raw"), bytes_of<uint16_t>(flats.slice(0, 0, 1)));
    io::ScanChoices choices = raw("5x3");
    choices.order = io::FrameOrder::sinograms;
    const auto scan = open(path("sinograms"), choices).or_throw();
    QCOMPARE(scan->info().views, rows);
    QCOMPARE(scan->info().rows, 6);
    QCOMPARE(scan->info().flats, 2);
    QCOMPARE(scan->info().darks, 1);
    QVERIFY(at::equal(scan->read_flats({1, 6}, {0, cols}).or_throw(), flats.slice(1, 1, 6).to(at::kFloat)));
    QVERIFY(at::equal(scan->read_darks({0, 6}, {2, 4}).or_throw(), flats.slice(0, 0, 1).slice(2, 2, 4).to(at::kFloat)));
    fs::rename(path("sinograms/flat.raw"), path("flats_elsewhere.raw"));
    choices.flats_file = path("flats_elsewhere.raw");
    const auto named = open(path("sinograms"), choices).or_throw();
    QVERIFY(at::equal(named->read_flats({0, 6}, {0, cols}).or_throw(), flats.to(at::kFloat)));
  }

  // A folder of flats and darks alone is not a scan, but may be named as flats and as darks.
  void references_alone_are_not_a_scan() {
    fs::create_directories(path("alone"));
    test::put(path("alone/flat.raw"), bytes_of<uint16_t>(frames(2, 5000)));
    refuses_raw(path("alone"), {"no views", "alone"});
    test::put(path("views.raw"), bytes_of<uint16_t>(frames(views, 1000)));
    io::ScanChoices choices = raw("5x3");
    choices.flats_file = path("alone");
    QCOMPARE(open(path("views.raw"), choices).or_throw()->info().flats, 2);
    choices.darks_file = path("alone");
    const auto none = open(path("views.raw"), choices);
    QVERIFY(!none.ok() && test::mentions(none.error().message(), {"has no darks", "alone"}));
    test::put(path("alone/dark.raw"), bytes_of<uint16_t>(frames(1, 7)));
    refuses_raw(path("alone"), {"no views", "alone"});
    const auto both = open(path("views.raw"), choices).or_throw();
    QVERIFY(at::equal(both->read_flats({0, rows}, {0, cols}).or_throw(), frames(2, 5000).to(at::kFloat)));
    QVERIFY(at::equal(both->read_darks({0, rows}, {0, cols}).or_throw(), frames(1, 7).to(at::kFloat)));
  }

  // Without angles a MetaImage stays a volume.
  void a_volume_is_not_a_scan() {
    test::put(path("volume.raw"), bytes_of<float>(frames(views, 0)));
    test::put(path("volume.mhd"), header("MET_FLOAT", "volume.raw"));
    refuses(path("volume.mhd"), ErrorKind::invalid, {"a scan only if its angles are given", "--angles"});
    QVERIFY(io::read_volume_info(path("volume.mhd")).ok());
  }

  void the_load_node_passes_the_layout_on() {
    test::put(path("node.raw"), "xx" + bytes_of<float>(frames(views, 1000), io::ByteOrder::big));
    Graph graph;
    graph.nodes["load"] = {"input.load_scan",
                           1,
                           {{"file", path("node.raw").string()},
                            {"raw_size", std::string("5x3x4")},
                            {"raw_type", std::string("float32")},
                            {"raw_offset", int64_t{2}},
                            {"raw_byte_order", std::string("big")},
                            {"angle_step", Number{30, Unit::deg}}}};
    Executor executor(Registry::all(), {});
    const auto scan = std::get<Projections>(executor.pull(graph, "load", "projections").or_throw());
    QVERIFY(at::equal(scan.data, frames(views, 1000).to(at::kFloat)));
  }

  void what_does_not_fit_is_refused() {
    test::put(path("short.raw"), bytes_of<uint16_t>(frames(views, 1000)));
    const auto refused = [&](const io::ScanChoices& choices, std::initializer_list<std::string> words) {
      const auto scan = open(path("short.raw"), choices);
      QVERIFY(!scan.ok());
      QVERIFY2(test::mentions(scan.error().message(), words), scan.error().message().c_str());
    };
    refused(raw("7x4"), {"not hold an integer number of frames", "short.raw", "left over"});
    refused(raw("5x3x5"), {"not all in the file"});
    refused(raw("5x3", "uint16", 1000), {"not hold an integer number of frames"});
    refused(raw("5"), {"\"5\" is not a size", "raw_size"});
    refused(raw("5x0"), {"is not a size"});
    refused(raw("5x3", "complex"), {"\"complex\"", "raw_type"});
    refused(raw("5x3", "uint16", -1), {"raw_offset"});
    refused(raw("999999999x999999999x16"), {"larger than any detector"});
    QVERIFY(noted(open(path("short.raw"), raw("5x3x3")).or_throw()->info(), "30 bytes after the last frame"));
    io::ScanChoices dataset = raw("5x3");
    dataset.angle_step.reset();
    dataset.angles_dataset = "/x";
    refused(dataset, {"no datasets"});
    // Truncated while it is open.
    const auto scan = open(path("short.raw"), raw("5x3x4")).or_throw();
    fs::resize_file(path("short.raw"), 90);
    QVERIFY(!scan->read({{3, 4}, {0, rows}, {0, cols}}).ok());
  }
};

TL_TEST_CASE(RawFramesTest)

}  // namespace tl::raw_frames_test

#include "raw_frames.moc"
