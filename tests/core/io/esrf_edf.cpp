// EDF scans of the ESRF: types and byte orders, headers, many images, pixels in other files, folders with flats, darks
// and .info, and damaged files.
#include <ATen/ATen.h>

#include <cmath>
#include <span>

#include "core/base/units.h"
#include "core/io/bytes/deflate.h"
#include "core/io/open_scan.h"
#include "core/run/executor.h"
#include "core/run/many/scan_list.h"
#include "tests/support/io/edf_maker.h"
#include "tests/support/io/first_pixels.h"
#include "tests/support/io/scan_folder.h"
#include "tests/support/test_case.h"

namespace tl::esrf_edf_test {

using namespace tl::test::edf;
using tl::test::first_pixels;
using tl::test::put;
namespace fs = std::filesystem;

namespace {

at::Tensor expected(double first) {
  return first + 10 * at::arange(rows, at::kFloat).unsqueeze(1) + at::arange(cols, at::kFloat);
}

std::vector<int> views_of(io::ScanReader& scan) {
  const io::ScanInfo& info = scan.info();
  return first_pixels(scan.read({{0, info.views}, {0, info.rows}, {0, info.cols}}).or_throw());
}
std::vector<int> flats_of(io::ScanReader& scan) {
  return first_pixels(scan.read_flats({0, rows}, {0, cols}).or_throw());
}
std::vector<int> darks_of(io::ScanReader& scan) {
  return first_pixels(scan.read_darks({0, rows}, {0, cols}).or_throw());
}

double degrees(double radians) { return from_stored(radians, Unit::deg); }

struct Type {
  const char* word;
  std::string name;
  std::string (*make)(double, Order);
  double first;
};
const Type types[] = {
    {"UnsignedByte", "uint8", pixels<uint8_t>, 1},          {"SignedByte", "int8", pixels<int8_t>, -20},
    {"UnsignedShort", "uint16", pixels<uint16_t>, 40000},   {"UNSIGNEDSHORT", "uint16", pixels<uint16_t>, 40000},
    {"SignedShort", "int16", pixels<int16_t>, -300},        {"UnsignedLong", "uint32", pixels<uint32_t>, 70000},
    {"UnsignedInteger", "uint32", pixels<uint32_t>, 70000}, {"SignedInteger", "int32", pixels<int32_t>, -70000},
    {"Unsigned64", "uint64", pixels<uint64_t>, 70000},      {"Signed64", "int64", pixels<int64_t>, -70000},
    {"FloatValue", "float32", pixels<float>, -0.5},         {"Float", "float32", pixels<float>, -0.5},
    {"DoubleValue", "float64", pixels<double>, -0.5}};

}  // namespace

class EsrfEdfTest : public test::ScanFolder {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    for (const auto& entry : fs::directory_iterator(folder())) fs::remove_all(entry.path());
  }

  void all_types_in_both_byte_orders() {
    for (const Type& type : types)
      for (const Order order : {Order::low_first, Order::high_first}) {
        const std::string bytes = type.make(type.first, order);
        put(path("a_0000.edf"),
            header(keys({{"DataType", type.word},
                         {"ByteOrder", order == Order::low_first ? "LowByteFirst" : "HighByteFirst"},
                         {"Size", std::to_string(bytes.size())}})) +
                bytes);
        const auto scan = io::open_scan(path("a_0000.edf")).or_throw();
        QCOMPARE(scan->info().pixel_type, type.name);
        QCOMPARE(scan->info().format, std::string("esrf_edf"));
        const at::Tensor want = expected(type.first).unsqueeze(0);
        const bool counts = type.name == "uint8" || type.name == "uint16";
        for (const auto& [r, c] : {std::pair(Range{0, rows}, Range{0, cols}), std::pair(Range{1, 3}, Range{0, cols}),
                                   std::pair(Range{1, 2}, Range{2, 4})}) {
          const at::Tensor part = want.slice(1, r.begin, r.end).slice(2, c.begin, c.end);
          QVERIFY2(at::equal(scan->read({{0, 1}, r, c}).or_throw(), part), type.word);
          const at::Tensor read = scan->read({{0, 1}, r, c}, Samples::counts).or_throw();
          QCOMPARE(read.scalar_type(), counts ? at::kUInt16 : at::kFloat);
          QVERIFY2(at::equal(read.to(at::kFloat), part), type.word);
        }
      }
  }

  void headers_come_in_many_shapes() {
    const auto first_of = [&](const std::string& file) {
      put(path("a_0000.edf"), file);
      return views_of(*io::open_scan(path("a_0000.edf")).or_throw()).front();
    };
    QCOMPARE(first_of(image(11)), 11);
    // Keys in other cases, line ends of Windows, more than one block, braces in values, and zeros as blanks.
    Keys small;
    for (auto [key, value] : keys()) {
      std::transform(key.begin(), key.end(), key.begin(), [](unsigned char c) { return std::tolower(c); });
      small.emplace_back(key, value);
    }
    QCOMPARE(first_of(header(small) + pixels(12)), 12);
    QCOMPARE(first_of(header(keys(), "\r\n") + pixels(13)), 13);
    QCOMPARE(first_of(header(keys({{"title", std::string(1500, 'x')}})) + pixels(14)), 14);
    QCOMPARE(first_of(header(keys({{"motors", "{a} {b}"}})) + pixels(15)), 15);
    std::string zeros = header(keys());
    std::replace(zeros.begin() + 200, zeros.end() - 2, ' ', '\0');
    QCOMPARE(first_of(zeros + pixels(16)), 16);
    // What closes the header lies before, on and behind the end of a block.
    for (std::size_t n = 435; n < 455; ++n) {
      const std::string text = "{\nDim_1=5;Dim_2=3;DataType=UnsignedShort;ByteOrder=LowByteFirst;x=";
      const int value = static_cast<int>(n);
      QCOMPARE(first_of(text + std::string(n, 'x') + ";}\r\n" + pixels(value)), value);
    }
    // Without Size, and with EDF_BinarySize that is larger than the pixels.
    QCOMPARE(first_of(image(18, {{"Size", ""}})), 18);
    QCOMPARE(first_of(header(keys({{"Size", ""}, {"EDF_BinarySize", "512"}})) + pixels(19) + std::string(482, '\0')),
             19);
  }

  // Frames, flats and files of many images, as they are and compressed: the same scan.
  void compressed_files_are_unpacked() {
    const auto pack = [&](const std::string& name) {
      const std::string plain = test::contents(path(name));
      const auto packed = io::deflated(io::DeflateForm::gzip, std::as_bytes(std::span(plain)));
      put(path(name + ".gz"), std::string(reinterpret_cast<const char*>(packed.data()), packed.size()));
      fs::remove(path(name));
    };
    for (int i = 0; i < 4; ++i) put(path("a_000" + std::to_string(i) + ".edf"), image(10 + i));
    put(path("refHST0000.edf"), image(90));
    put(path("dark.edf"), image(5));
    const auto views = views_of(*io::open_scan(folder()).or_throw());
    for (const char* name : {"a_0000.edf", "a_0001.edf", "a_0002.edf", "a_0003.edf", "refHST0000.edf", "dark.edf"})
      pack(name);
    const auto scan = io::open_scan(folder()).or_throw();
    QVERIFY(views.size() == 4 && views_of(*scan) == views);
    QVERIFY(flats_of(*scan) == std::vector<int>{90} && darks_of(*scan) == std::vector<int>{5});
    QVERIFY(at::equal(scan->read({{2, 3}, {1, 3}, {2, 4}}).or_throw(),
                      expected(12).unsqueeze(0).slice(1, 1, 3).slice(2, 2, 4)));
    const std::string whole = test::contents(path("a_0003.edf.gz"));
    put(path("a_0003.edf.gz"), whole.substr(0, whole.size() / 2));
    refuses(folder(), ErrorKind::io, {"Copy it again"});
    put(path("a_0003.edf.gz"), whole);
    fs::create_directory(path("b"));
    put(path("b/stack.edf"), image(1) + image(2) + image(3));
    pack("b/stack.edf");
    QVERIFY(views_of(*io::open_scan(path("b/stack.edf.gz")).or_throw()) == (std::vector<int>{1, 2, 3}));
  }

  void a_file_holds_many_images() {
    std::string general = header({{"EDF_DataFormatVersion", "2.40"}, {"DataType", "UnsignedShort"}, {"Dim_1", "5"}});
    const Keys rest = {
        {"EDF_DataBlockID", "1.Image.Psd"}, {"EDF_BinarySize", "32"}, {"ByteOrder", "LowByteFirst"}, {"Dim_2", "3"}};
    std::string file = general;
    for (int i = 0; i < 4; ++i) file += header(rest) + pixels(100.0 * i) + "  ";
    put(path("turn.edf"), file + std::string(100, '\n'));
    put(path("dark.edf"), image(7) + image(8));
    put(path("refHST0002.edf"), image(900));
    put(path("turn.info"), info_text({{"TOMO_N", "4"}, {"ScanRange", "-360"}}));
    const auto scan = io::open_scan(path("turn.edf")).or_throw();
    QCOMPARE(views_of(*scan), (std::vector<int>{0, 100, 200, 300}));
    QCOMPARE(darks_of(*scan), (std::vector<int>{7, 8}));
    QCOMPARE(flats_of(*scan), (std::vector<int>{900}));
    QCOMPARE(scan->info().flat_positions, (std::vector<double>{1.5}));
    QVERIFY(std::abs(degrees(scan->info().angles.value[3]) + 270) < 1e-9);
    // Files of several images go on counting.
    fs::remove(path("turn.edf"));
    put(path("a_0000.edf"), image(1) + image(2));
    put(path("a_0001.edf"), image(3) + image(4));
    QCOMPARE(views_of(*io::open_scan(folder()).or_throw()), (std::vector<int>{1, 2, 3, 4}));
  }

  void pixels_may_be_in_another_file() {
    const Keys elsewhere = {{"Size", ""}, {"EDF_BinaryFileName", "pixels.bin"}, {"EDF_BinaryFilePosition", "16"}};
    put(path("a_0000.edf"), header(keys(elsewhere)));
    put(path("pixels.bin"), std::string(16, 'x') + pixels(55));
    const auto scan = io::open_scan(path("a_0000.edf")).or_throw();
    QCOMPARE(views_of(*scan).front(), 55);
    const auto files = scan->files();
    QVERIFY(std::find(files.begin(), files.end(), path("pixels.bin")) != files.end());
    put(path("pixels.bin"), std::string(16, 'x') + pixels(55).substr(1));
    refuses(path("a_0000.edf"), ErrorKind::io, {"30 bytes from byte 16 on, but pixels.bin has 45"});
    fs::remove(path("pixels.bin"));
    refuses(path("a_0000.edf"), ErrorKind::io, {"pixels.bin, is missing"});
    // A name never leads to another folder, a link only if that was asked for.
    fs::create_directories(path("scan"));
    put(path("scan/a_0000.edf"), header(keys({{"Size", ""}, {"EDF_BinaryFileName", "../pixels.bin"}})));
    put(path("pixels.bin"), pixels(56));
    refuses(path("scan/a_0000.edf"), ErrorKind::io, {"pixels.bin, is missing"});
    fs::create_symlink(path("pixels.bin"), path("scan/pixels.bin"));
    refuses(path("scan/a_0000.edf"), ErrorKind::io, {"outside its own folder", "--outside-links"});
    const auto followed =
        io::open_scan(path("scan/a_0000.edf"), {}, {.choices = {.outside_links = io::OutsideLinks::follow}}).or_throw();
    QCOMPARE(views_of(*followed).front(), 56);
    QCOMPARE(followed->info().outside.size(), std::size_t{1});
    // A later frame with pixels elsewhere is an error when it is read.
    put(path("scan/a_0000.edf"), image(1));
    put(path("scan/a_0001.edf"), header(keys({{"EDF_BinaryFileName", "pixels.bin"}})));
    put(path("scan/a_0002.edf"), image(3));
    const auto mixed = io::open_scan(path("scan/a_0000.edf")).or_throw();
    const auto all = mixed->read({{0, 3}, {0, rows}, {0, cols}});
    QVERIFY(!all.ok() && test::mentions(all.error().message(), {"in another file", "a_0001.edf"}));
  }

  void a_folder_is_a_scan() {
    const fs::path scan_folder = write_scan(folder());
    put(scan_folder / "ref0000_0000.edf", image(990));
    put(scan_folder / "ref0001_0000.edf", image(991));
    put(scan_folder / "darkend0000.edf", image(28));
    put(scan_folder / "scan_slice_0001.edf", image(5));
    for (const fs::path& given : {scan_folder, scan_folder / "scan_0003.edf"}) {
      const auto scan = io::open_scan(given).or_throw();
      const io::ScanInfo& info = scan->info();
      QCOMPARE(views_of(*scan), (std::vector<int>{0, 100, 200, 300, 400, 500}));
      QCOMPARE(flats_of(*scan), (std::vector<int>{1000, 2000}));
      QCOMPARE(darks_of(*scan), (std::vector<int>{7}));
      QCOMPARE(info.flat_positions, (std::vector<double>{-0.5, 5.5}));
      QVERIFY(info.angles.origin == Origin::file && test::mentions(info.angles.source, {"scan_.info", "TOMO_N"}));
      for (std::size_t i = 0; i < 6; ++i)
        QVERIFY(std::abs(degrees(info.angles.value[i]) - 30 * static_cast<double>(i)) < 1e-9);
      QCOMPARE(info.pixel_size_u.value, 0.65e-3);
      QCOMPARE(info.axis_to_detector->value, 250.0);
      QCOMPARE(info.energy->value, 17.6);
      QVERIFY(info.beam == Beam::parallel && info.kind == PixelKind::counts);
      QVERIFY(noted(info, "2 frames with the number TOMO_N"));
      QVERIFY(noted(info, "1 EDF file not called scan_NUMBER"));
      QVERIFY(noted(info, "2 files ref*_*.edf"));
      QVERIFY(noted(info, "1 file darkend*.edf"));
      const auto files = scan->files();
      QVERIFY(std::find(files.begin(), files.end(), scan_folder / "scan_.info") != files.end());
    }
    QVERIFY(looks_like_scan(scan_folder) && !looks_like_scan(scan_folder / "scan_0003.edf"));
    QCOMPARE(scan_list({folder()}).or_throw().size(), std::size_t{1});
  }

  void flats_and_darks_as_measured() {
    const fs::path scan_folder = write_scan(folder());
    for (const char* name : {"dark.edf", "refHST0000.edf", "refHST0006.edf"}) fs::remove(scan_folder / name);
    put(scan_folder / "ref0000_0000.edf", image(990));
    put(scan_folder / "ref0001_0000.edf", image(991));
    put(scan_folder / "ref0000_0003.edf", image(995));
    put(scan_folder / "darkend0000.edf", image(28));
    const auto scan = io::open_scan(scan_folder).or_throw();
    QCOMPARE(flats_of(*scan), (std::vector<int>{990, 995, 991}));
    QCOMPARE(scan->info().flat_positions, (std::vector<double>{-0.5, 2.5, -0.5}));
    // The sum of DARK_N = 4 darks.
    QVERIFY(at::equal(scan->read_darks({0, rows}, {0, cols}).or_throw()[0], expected(28) / 4));
    QVERIFY(noted(scan->info(), "darkend0000.edf counts as the sum of DARK_N = 4 darks"));
    put(scan_folder / "darkend0000.edf", image(28) + image(29));
    QCOMPARE(darks_of(*io::open_scan(scan_folder).or_throw()), (std::vector<int>{28, 29}));
    put(scan_folder / "darkend0000.edf", image(28));
    put(scan_folder / "scan_.info", info_text({{"DARK_N", ""}}));
    const auto unknown = io::open_scan(scan_folder).or_throw();
    QCOMPARE(darks_of(*unknown), (std::vector<int>{28}));
    QVERIFY(noted(unknown->info(), "may be the sum of several darks"));
  }

  void missing_views_keep_the_angles_of_the_others() {
    const fs::path scan_folder = write_scan(folder());
    fs::remove(scan_folder / "scan_0002.edf");
    const auto scan = io::open_scan(scan_folder).or_throw();
    QCOMPARE(views_of(*scan), (std::vector<int>{0, 100, 300, 400, 500}));
    QVERIFY(std::abs(degrees(scan->info().angles.value[2]) - 90) < 1e-9);
    QVERIFY(noted(scan->info(), "1 view below number 5 missing, the first is 2"));
    QVERIFY(noted(scan->info(), "5 views of the 6"));
    // Also those that the user gives.
    io::ScanChoices choices;
    choices.angle_step = 0.1;
    const auto given = io::open_scan(scan_folder, {}, {.choices = choices}).or_throw();
    QVERIFY(std::abs(given->info().angles.value[2] - 0.3) < 1e-12);
    // Numbers from 1 on.
    fs::remove_all(scan_folder);
    fs::create_directories(scan_folder);
    for (int i = 1; i <= 6; ++i) put(scan_folder / numbered("scan_", i), image(i));
    put(scan_folder / "scan_.info", info_text());
    const auto from_one = io::open_scan(scan_folder).or_throw();
    QCOMPARE(views_of(*from_one), (std::vector<int>{1, 2, 3, 4, 5, 6}));
    QVERIFY(std::abs(degrees(from_one->info().angles.value[5]) - 150) < 1e-9);
  }

  void without_info_angles_are_guessed() {
    const fs::path scan_folder = write_scan(folder());
    fs::remove(scan_folder / "scan_.info");
    const io::ScanInfo info = io::open_scan(scan_folder).or_throw()->info();
    QCOMPARE(info.views, int64_t{8});
    QVERIFY(info.angles.origin == Origin::guessed && !info.has_pixel_size());
    const io::ScanInfo given = io::open_scan(scan_folder, {}, {.choices = {.angle_step = 0.1}}).or_throw()->info();
    QVERIFY(given.angles.origin == Origin::user && std::abs(given.angles.value[7] - 0.7) < 1e-12);
    // Values that cannot be are left out, and said.
    put(scan_folder / "scan_.info",
        info_text({{"PixelSize", "nan"}, {"Energy", "0"}, {"ScanRange", "half"}, {"Distance", "-3"}}));
    const io::ScanInfo odd = io::open_scan(scan_folder).or_throw()->info();
    QVERIFY(!odd.has_pixel_size() && !odd.energy && !odd.axis_to_detector && odd.angles.origin == Origin::guessed);
    QVERIFY(noted(odd, "PixelSize is not a number") && noted(odd, "ScanRange is not a number") &&
            noted(odd, "Distance is -3"));
    QCOMPARE(odd.views, int64_t{6});
    put(scan_folder / "scan_.info", info_text({{"TOMO_N", "0"}}));
    QVERIFY(noted(io::open_scan(scan_folder).or_throw()->info(), "TOMO_N is 0"));
    put(scan_folder / "scan_.info", std::string(100, '\0'));
    refuses(scan_folder, ErrorKind::invalid, {"not text"});
  }

  void damaged_headers_are_refused_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* key, const char* value, const char* words) {
      QTest::addRow("%s=%s", key, value) << key << value << words;
    };
    row("Dim_1", "", "no Dim_1");
    row("Dim_2", "", "no Dim_2");
    row("DataType", "", "no DataType");
    row("DataType", "Complex", "of the type \"Complex\"");
    row("ByteOrder", "", "no ByteOrder");
    row("ByteOrder", "Middle", "byte order of an image is \"Middle\"");
    row("Dim_1", "five", "dim_1 in the header is \"five\"");
    row("Dim_1", "-5", "dim_1 in the header is \"-5\"");
    row("Dim_1", "0", "is empty");
    row("Dim_1", "99999999999999999999", "dim_1 in the header is");
    row("Dim_1", "2000000000", "larger than any detector");
    row("Size", "600", "take only 30");
    row("Dim_2", "30000", "states 30 bytes of pixels");
    row("Dim_3", "2", "three dimensions");
    row("Size", "29", "states 29 bytes of pixels");
    row("Compression", "GZIP", "compressed (\"GZIP\")");
    row("EDF_BinaryFileName", "../", "names no file");
    row("EDF_BinaryFileName", "a_0000.edf", "names no file");
  }
  void damaged_headers_are_refused() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, words);
    put(path("a_0000.edf"), image(1, {{key.toStdString(), value.toStdString()}}));
    const auto scan = io::open_scan(path("a_0000.edf"));
    QVERIFY(!scan.ok());
    QVERIFY2(test::mentions(scan.error().message(), {words.toStdString(), "a_0000.edf"}),
             scan.error().message().c_str());
    QVERIFY(!scan.error().hint.empty());
  }

  void damaged_files_are_refused() {
    const std::string whole = image(1);
    const auto refused = [&](const std::string& bytes, std::initializer_list<std::string> words) {
      put(path("a_0000.edf"), bytes);
      const auto scan = io::open_scan(path("a_0000.edf"));
      QVERIFY(!scan.ok());
      QVERIFY2(test::mentions(scan.error().message(), words), scan.error().message().c_str());
    };
    refused(whole.substr(0, whole.size() - 1), {"take 30 bytes, but the file ends after 29"});
    refused(whole.substr(0, 300), {"has no end"});
    refused("{ a = b" + std::string(2 << 20, ' '), {"has no end"});
    refused(whole + "something else", {"no header of an image at byte 542"});
    refused("not a header", {"content is not of that kind"});
    refused(header({{"EDF_DataFormatVersion", "2.4"}}), {"holds no image"});
    put(path("a_0000.edf"), whole);
    put(path("a_0001.edf"), image(1, {{"Dim_1", "3"}, {"Dim_2", "5"}}));
    put(path("a_0002.edf"), whole);
    const auto scan = io::open_scan(folder()).or_throw();
    const auto read = scan->read({{0, 3}, {0, rows}, {0, cols}});
    QVERIFY(!read.ok() && test::mentions(read.error().message(), {"has 3 x 5 pixels", "a_0001.edf"}));
    // A frame that changes while the scan is open.
    put(path("a_0001.edf"), whole);
    const auto again = io::open_scan(folder()).or_throw();
    QVERIFY(again->read({{0, 3}, {0, rows}, {0, cols}}).ok());
    put(path("a_0001.edf"), whole.substr(0, 600 - 70));
    const auto changed = again->read({{0, 3}, {0, rows}, {0, cols}});
    QVERIFY(!changed.ok() && test::mentions(changed.error().message(), {"changed while it was read"}));
  }

  void what_edf_cannot_be() {
    put(path("notes.edf"), image(1));
    refuses(path("notes.edf"), ErrorKind::invalid, {"no EDF file called NAME and a number"});
    const fs::path scan_folder = write_scan(folder());
    refuses(scan_folder, ErrorKind::invalid, {"not sinograms"}, {.choices = {.order = io::FrameOrder::sinograms}});
    refuses(scan_folder, ErrorKind::invalid, {"no datasets"}, {.choices = {.angles_dataset = "/theta"}});
  }

  void the_load_node_reads_it() {
    Graph graph;
    graph.nodes["load"] = {"input.load_scan", 1, {{"file", write_scan(folder()).string()}}};
    graph.nodes["flat"] = {"correct.flat_field", 1, {}};
    graph.links = {{"load", "projections", "flat", "projections"}};
    Executor executor(Registry::all(), {});
    const auto views = std::get<Projections>(executor.pull(graph, "flat", "projections").or_throw());
    QCOMPARE(views.data.size(0), int64_t{6});
    // The absorption of (100 i - 7) / (flat - 7), with the flat between 1000 and 2000.
    const float middle = std::exp(-views.data[3][0][0].item<float>());
    QVERIFY2(middle > 293.0F / 1993 && middle < 293.0F / 993, qPrintable(QString::number(middle)));
  }
};

TL_TEST_CASE(EsrfEdfTest)

}  // namespace tl::esrf_edf_test

#include "esrf_edf.moc"
