// TIFF stacks: order, flats and darks by name or folder, pages, strips and tiles, damaged files; every format listed.
#include <tiffio.h>

#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <tuple>

#include "core/io/open_scan.h"
#include "core/io/output/volume_writer.h"
#include "core/io/reader/frame_pool.h"
#include "core/io/scans/scan_formats.h"
#include "core/io/text/frame_names.h"
#include "core/io/text/numbered_frames.h"
#include "tests/support/io/first_pixels.h"
#include "tests/support/test_case.h"

namespace tl::tiff_stack_test {

namespace fs = std::filesystem;

using test::first_pixels;

// How a test file is laid out; tile 0 means strips.
struct Shape {
  uint32_t rows = 5, cols = 7, strip = 2, tile = 0;
  uint16_t compression = COMPRESSION_NONE;
};

class IoTiffStackTest : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  fs::path path(const std::string& name) const { return fs::path(dir_->path().toStdString()) / name; }

  template <class T>
  static T pixel(double first, uint32_t r, uint32_t c) {
    return static_cast<T>(static_cast<std::conditional_t<std::is_integral_v<T>, int64_t, T>>(first + 10 * r + c));
  }
  // Pages with pixel (r, c) = first + 10 r + c; integers wrap around.
  template <class T>
  static void write(const fs::path& file, const std::vector<double>& firsts, uint16_t format, Shape s) {
    fs::create_directories(file.parent_path());
    TIFF* tiff = TIFFOpen(file.c_str(), "w");
    for (const double first : firsts) {
      TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, s.cols);
      TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, s.rows);
      TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8 * sizeof(T));
      TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, format);
      TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
      TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
      TIFFSetField(tiff, TIFFTAG_COMPRESSION, s.compression);
      if (s.tile > 0) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, s.tile);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, s.tile);
        std::vector<T> block(s.tile * s.tile);
        for (uint32_t y = 0; y < s.rows; y += s.tile)
          for (uint32_t x = 0; x < s.cols; x += s.tile) {
            for (uint32_t i = 0; i < block.size(); ++i) block[i] = pixel<T>(first, y + i / s.tile, x + i % s.tile);
            TIFFWriteTile(tiff, block.data(), x, y, 0, 0);
          }
      } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, s.strip);
        std::vector<T> line(s.cols);
        for (uint32_t r = 0; r < s.rows; ++r) {
          for (uint32_t c = 0; c < s.cols; ++c) line[c] = pixel<T>(first, r, c);
          TIFFWriteScanline(tiff, line.data(), r, 0);
        }
      }
      TIFFWriteDirectory(tiff);
    }
    TIFFClose(tiff);
  }
  void frame(const std::string& name, double first, Shape s = {}) const {
    write<uint16_t>(path(name), {first}, SAMPLEFORMAT_UINT, s);
  }
  template <class T>
  void check_type(const char* name, uint16_t format, double first, Shape s) const {
    write<T>(path("t/a.tif"), {first}, format, s);
    const auto scan = io::open_scan(path("t")).or_throw();
    QCOMPARE(scan->info().pixel_type, std::string(name));
    const Range rows{1, 4}, cols{2, 6};
    const at::Tensor part = scan->read({{0, 1}, rows, cols}).or_throw();
    const bool fits = std::is_same_v<T, uint8_t> || std::is_same_v<T, uint16_t>;
    for (const Range& across : {cols, Range{0, s.cols}}) {
      const at::Tensor counts = scan->read({{0, 1}, rows, across}, Samples::counts).or_throw();
      QCOMPARE(counts.scalar_type(), fits ? at::kUInt16 : at::kFloat);
      QVERIFY(at::equal(counts.to(at::kFloat), scan->read({{0, 1}, rows, across}).or_throw()));
    }
    for (int64_t r = rows.begin; r < rows.end; ++r)
      for (int64_t c = cols.begin; c < cols.end; ++c)
        QCOMPARE(part[0][r - rows.begin][c - cols.begin].item<float>(),
                 static_cast<float>(pixel<T>(first, static_cast<uint32_t>(r), static_cast<uint32_t>(c))));
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void names() {
    QVERIFY(io::natural_less("a2", "a10") && !io::natural_less("a10", "a2"));
    QVERIFY(io::natural_less("a", "a1") && io::natural_less("a09", "a10") && io::natural_less("b1", "c0"));
    QVERIFY(!io::natural_less("a1", "a1"));
    QVERIFY(io::natural_less("a01", "a1") != io::natural_less("a1", "a01"));
    using io::FrameKind;
    QCOMPARE(io::frame_kind("scan_000001"), FrameKind::projection);
    QCOMPARE(io::frame_kind("diamond_0001"), FrameKind::projection);
    QCOMPARE(io::frame_kind("IMAT_Flower_Flat_000000"), FrameKind::flat);
    QCOMPARE(io::frame_kind("ff03"), FrameKind::flat);
    QCOMPARE(io::frame_kind("io000001"), FrameKind::flat);
    QCOMPARE(io::frame_kind("refHST0000"), FrameKind::flat);
    QCOMPARE(io::frame_kind("darkend0000"), FrameKind::dark);
    QCOMPARE(io::frame_kind("di000000"), FrameKind::dark);
  }

  void numbers_in_names() {
    const auto of = [](const std::vector<const char*>& names, const std::vector<const char*>& others = {}) {
      return io::numbered_frames({names.begin(), names.end()}, {others.begin(), others.end()});
    };
    const auto gap = of({"s1_0001.tif", "s1_0002.tif", "s1_0005.tif"});
    QVERIFY(gap && gap->indices == (std::vector<int64_t>{0, 1, 4}) && gap->all == 5);
    QCOMPARE(gap->missing, std::string("3 to 4"));
    QCOMPARE(of({"a10.tif", "a20.tif", "a40.tif", "a50.tif"})->missing, std::string("30"));
    QCOMPARE(of({"a9.tif", "a10.tif", "a11.tif"})->count_missing(), int64_t{0});
    // Flats among the views have numbers of the same row.
    QCOMPARE(of({"a1.tif", "a2.tif", "a5.tif"}, {"flats/a3.tif", "flats/a4.tif"})->count_missing(), int64_t{0});
    // Two numbers, other words, times.
    QVERIFY(!of({"a1_1.tif", "a2_2.tif"}) && !of({"a1.tif", "b2.tif"}) && !of({"a1.tif"}));
    QVERIFY(!of({"t100.tif", "t113.tif", "t131.tif"}));
  }

  // Views that are missing leave their angles: those of the others follow the numbers in the names.
  void missing_views_keep_the_angles_of_the_others() {
    constexpr int all = 10;
    for (int i = 0; i < all; ++i)
      if (i != 3 && i != 4) frame("scan/v_000" + std::to_string(i) + ".tif", 100 * i);
    std::ofstream(path("eight.txt")) << "0 18 36 90 108 126 144 162";
    std::ofstream(path("ten.txt")) << "0 18 36 54 72 90 108 126 144 162";
    std::ofstream(path("nine.txt")) << "0 18 36 54 72 90 108 126 144";
    io::ScanChoices step, eight, ten, nine;
    step.angle_step = pi / all;
    eight.angles_file = path("eight.txt");
    ten.angles_file = path("ten.txt");
    nine.angles_file = path("nine.txt");
    for (const io::ScanChoices& choices : {io::ScanChoices{}, step, eight, ten}) {
      const auto scan = io::open_scan(path("scan"), {}, {.choices = choices}).or_throw();
      QCOMPARE(scan->info().angles.value.size(), std::size_t{8});
      for (std::size_t i = 0; i < 8; ++i)
        QVERIFY(std::abs(scan->info().angles.value[i] - pi / all * static_cast<double>(i < 3 ? i : i + 2)) < 1e-9);
      const auto says = [](const std::string& note) { return note.find("2 of 10 views are missing") == 0; };
      QVERIFY(std::any_of(scan->info().notes.begin(), scan->info().notes.end(), says));
      QVERIFY(std::any_of(scan->info().outside.begin(), scan->info().outside.end(), says));
    }
    const auto neither = io::open_scan(path("scan"), {}, {.choices = nine});
    QVERIFY(!neither.ok() && neither.error().what.find("9 angles but 8 views") != std::string::npos);
  }

  // Memory comes back once nobody holds it, neither the tensor nor a view of it, and never before.
  void released_blocks_are_reused() {
    io::FramePool blocks;
    at::Tensor first = blocks.take(3, 512, 512, "test").value();
    QCOMPARE(first.sizes().vec(), (std::vector<int64_t>{3, 512, 512}));
    const void* place = first.const_data_ptr();
    first.fill_(7);
    at::Tensor part = first.narrow(0, 2, 1);
    // A node may write over what it alone holds: nobody else owns the storage.
    QCOMPARE(first.storage().use_count(), std::size_t(2));
    const at::Tensor second = blocks.take(3, 512, 512, "test").value();
    QCOMPARE(second.storage().use_count(), std::size_t(1));
    QVERIFY(second.const_data_ptr() != place);
    first.reset();
    QVERIFY(blocks.take(3, 512, 512, "test").value().const_data_ptr() != place);
    QCOMPARE(part.min().item<float>(), 7.0f);
    part.reset();
    at::Tensor third = blocks.take(2, 512, 512, "test").value();
    const void* kept = third.const_data_ptr();
    QVERIFY(kept != second.const_data_ptr());
    third.reset();
    third = blocks.take(1, 700, 600, "test").value();
    QVERIFY(third.const_data_ptr() == kept && third.is_contiguous());
    QCOMPARE(third.sizes().vec(), (std::vector<int64_t>{1, 700, 600}));
    QCOMPARE(blocks.take(0, 5, 7, "test").value().numel(), 0);
  }
  // Whoever keeps a few frames, a cache that counts their bytes for one, keeps no block many times their size.
  void a_block_is_not_used_for_much_less_than_it_holds() {
    io::FramePool blocks;
    at::Tensor many = blocks.take(32, 512, 512, "test").value();
    const void* place = many.const_data_ptr();
    many.reset();
    QCOMPARE(blocks.take(16, 512, 512, "test").value().const_data_ptr(), place);
    QVERIFY(blocks.take(2, 512, 512, "test").value().const_data_ptr() != place);
  }

  void references_by_name_and_natural_order() {
    for (const int i : {0, 1, 2, 10, 9}) frame("s/scan_" + std::to_string(i) + ".tif", i);
    frame("s/flat_1.tif", 500);
    frame("s/flat_after_1.tif", 501);
    frame("s/dark.tif", 5);
    auto scan = io::open_scan(path("s"));
    QVERIFY2(scan.ok(), scan.ok() ? "" : scan.error().message().c_str());
    const io::ScanInfo& info = scan.value()->info();
    QCOMPARE(info.format, std::string("tiff_stack"));
    QCOMPARE(info.views, 5);
    QCOMPARE(info.flat_positions, (std::vector<double>{-0.5, 4.5}));
    QCOMPARE(info.angles.origin, Origin::guessed);
    QCOMPARE(info.pixel_size_u.origin, Origin::guessed);
    QCOMPARE(first_pixels(scan.value()->read({{0, 5}, {0, 5}, {0, 7}}).or_throw()), (std::vector<int>{0, 1, 2, 9, 10}));
    QCOMPARE(first_pixels(scan.value()->read_flats({0, 5}, {0, 7}).or_throw()), (std::vector<int>{500, 501}));
    QCOMPARE(first_pixels(scan.value()->read_darks({0, 5}, {0, 7}).or_throw()), (std::vector<int>{5}));
    QCOMPARE(scan.value()->files().size(), std::size_t(8));
    // One of its files stands for the folder.
    QCOMPARE(io::open_scan(path("s/scan_9.tif")).value()->info().views, 5);
  }

  void references_in_folders() {
    for (int i = 0; i < 3; ++i) frame("x/Tomo/t_" + std::to_string(i) + ".tiff", i);
    frame("x/Flat_Before/a.tif", 600);
    frame("x/Flat_After/a.tif", 601);
    write<uint16_t>(path("x/Dark/d.tif"), {1, 2}, SAMPLEFORMAT_UINT, {});
    for (const char* given : {"x", "x/Tomo", "x/Tomo/"}) {
      auto scan = io::open_scan(path(given));
      QVERIFY2(scan.ok(), scan.ok() ? "" : scan.error().message().c_str());
      QCOMPARE(scan.value()->info().views, 3);
      QCOMPARE(first_pixels(scan.value()->read_flats({0, 5}, {0, 7}).or_throw()), (std::vector<int>{601, 600}));
      QCOMPARE(scan.value()->info().flat_positions, (std::vector<double>{2.5, -0.5}));
      QCOMPARE(first_pixels(scan.value()->read_darks({0, 5}, {0, 7}).or_throw()), (std::vector<int>{1, 2}));
    }
  }

  // Before: every other scan of the series was taken for its flats.
  void a_word_that_all_scans_have_says_nothing() {
    for (int i = 0; i < 3; ++i) frame("series/bone_io_1/t_" + std::to_string(i) + ".tif", i);
    for (int i = 0; i < 2; ++i) frame("series/bone_io_2/t_" + std::to_string(i) + ".tif", 100 + i);
    frame("series/bright/b.tif", 600);
    const auto scan = io::open_scan(path("series/bone_io_1")).or_throw();
    QCOMPARE(scan->info().views, 3);
    QCOMPARE(first_pixels(scan->read_flats({0, 5}, {0, 7}).or_throw()), (std::vector<int>{600}));
    // A folder within the scan is meant for it.
    frame("series/bone_io_2/io/b.tif", 700);
    const auto other = io::open_scan(path("series/bone_io_2")).or_throw();
    QCOMPARE(first_pixels(other->read_flats({0, 5}, {0, 7}).or_throw()), (std::vector<int>{700}));
  }

  void pages_of_one_file() {
    write<float>(path("m.tif"), {0.5, 100.5, 200.5, 300.5}, SAMPLEFORMAT_IEEEFP, {});
    auto scan = io::open_scan(path("m.tif"));
    QVERIFY(scan.ok());
    QCOMPARE(scan.value()->info().views, 4);
    const at::Tensor part = scan.value()->read({{1, 3}, {4, 5}, {6, 7}}).value();
    QCOMPARE(part[0][0][0].item<float>(), 146.5F);
    QCOMPARE(part[1][0][0].item<float>(), 246.5F);
    QCOMPARE(scan.value()->read({{0, 1}, {0, 1}, {0, 1}}).value().item<float>(), 0.5F);  // backwards
  }

  void types_strips_and_tiles() {
    for (const Shape& s :
         {Shape{}, Shape{5, 7, 5}, Shape{5, 7, 1, 0, COMPRESSION_LZW}, Shape{5, 7, 3, 0, COMPRESSION_ADOBE_DEFLATE},
          Shape{40, 40, 1, 16}, Shape{40, 40, 1, 16, COMPRESSION_LZW}}) {
      check_type<uint8_t>("uint8", SAMPLEFORMAT_UINT, 3, s);
      check_type<uint16_t>("uint16", SAMPLEFORMAT_UINT, 60000, s);
      check_type<uint32_t>("uint32", SAMPLEFORMAT_UINT, 16e6, s);
      check_type<int16_t>("int16", SAMPLEFORMAT_INT, -300, s);
      check_type<float>("float32", SAMPLEFORMAT_IEEEFP, -0.25, s);
    }
  }

  // Strips that follow each other in the file are read at once: those that do not must not be taken for such, and the
  // rows before and after the wanted ones are left out.
  void strips_in_any_order() {
    constexpr uint32_t rows = 8, cols = 7, strip = 2;
    for (const std::vector<uint32_t>& order :
         {std::vector<uint32_t>{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 3, 0, 1}, {0, 2, 1, 3}}) {
      const fs::path file = path("ordered/frame.tif");
      fs::create_directories(file.parent_path());
      TIFF* tiff = TIFFOpen(file.c_str(), "w");
      TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, cols);
      TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, rows);
      TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 16);
      TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
      TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, strip);
      TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
      for (const uint32_t number : order) {
        std::vector<uint16_t> block;
        for (uint32_t r = number * strip; r < (number + 1) * strip; ++r)
          for (uint32_t c = 0; c < cols; ++c) block.push_back(pixel<uint16_t>(3, r, c));
        TIFFWriteEncodedStrip(tiff, number, block.data(), static_cast<tmsize_t>(2 * block.size()));
      }
      TIFFClose(tiff);
      const auto scan = io::open_scan(file).or_throw();
      for (const Samples samples : {Samples::counts, Samples::floats})
        for (const Range wanted : {Range{0, rows}, Range{1, 7}, Range{3, 4}, Range{5, 8}}) {
          const at::Tensor read = scan->read({{0, 1}, wanted, {0, cols}}, samples).or_throw().to(at::kFloat);
          for (int64_t r = 0; r < wanted.size(); ++r)
            for (int64_t c = 0; c < int64_t{cols}; ++c)
              QCOMPARE(read[0][r][c].item<float>(),
                       pixel<float>(3, static_cast<uint32_t>(wanted.begin + r), static_cast<uint32_t>(c)));
        }
    }
  }

  // Counts are for stacks whose frames all hold some: what is read with another one comes as floats.
  void stacks_of_several_types() {
    frame("mixed/1.tif", 10);
    frame("mixed/2.tif", 20);
    write<uint8_t>(path("mixed/3.tif"), {30}, SAMPLEFORMAT_UINT, {});
    write<float>(path("mixed/4.tif"), {40.5}, SAMPLEFORMAT_IEEEFP, {});
    const auto scan = io::open_scan(path("mixed")).or_throw();
    const at::Tensor some = scan->read({{0, 3}, {0, 5}, {0, 7}}, Samples::counts).or_throw();
    QCOMPARE(some.scalar_type(), at::kUInt16);
    QCOMPARE(first_pixels(some.to(at::kFloat)), (std::vector<int>{10, 20, 30}));
    const at::Tensor all = scan->read({{0, 4}, {0, 5}, {0, 7}}, Samples::counts).or_throw();
    QCOMPARE(all.scalar_type(), at::kFloat);
    QCOMPARE(all[3][0][0].item<float>(), 40.5F);
  }

  void wrong_stacks() {
    const auto fails = [&](const fs::path& given, ErrorKind kind, const std::string& file, const std::string& words) {
      const auto scan = io::open_scan(given);
      QVERIFY(!scan.ok());
      const std::string message = scan.error().message();
      QVERIFY2(scan.error().kind == kind && message.find(file) != std::string::npos &&
                   message.find(words) != std::string::npos && !scan.error().hint.empty(),
               message.c_str());
    };
    fs::create_directories(path("empty"));
    fails(path("empty"), ErrorKind::invalid, "empty", "no frames");
    frame("a/1.tif", 0);
    frame("a/2.tif", 0, {6, 7, 1});
    fails(path("a"), ErrorKind::invalid, "2.tif", "6 x 7");
    frame("b/1.tif", 0);
    frame("b/2.tif", 0);
    fs::resize_file(path("b/2.tif"), 40);
    fails(path("b"), ErrorKind::io, "2.tif", "");
    frame("c/1.tif", 0);
    frame("c/2.tif", 0);
    frame("c/3.tif", 0);
    std::ofstream(path("c/2.tif")) << "text";
    auto scan = io::open_scan(path("c"));
    QVERIFY(scan.ok());  // found when it is read
    const auto read = scan.value()->read({{0, 3}, {0, 1}, {0, 1}});
    QCOMPARE(read.error().kind, ErrorKind::io);
    QVERIFY(read.error().where.find("2.tif") != std::string::npos);
    std::ofstream(path("text.tif")) << "no TIFF at all";
    fails(path("text.tif"), ErrorKind::invalid, "text.tif", "Tried");
    write<double>(path("d/1.tif"), {0}, SAMPLEFORMAT_IEEEFP, {});
    QVERIFY(io::open_scan(path("d")).ok());
    TIFF* rgb = TIFFOpen(path("rgb.tif").c_str(), "w");
    TIFFSetField(rgb, TIFFTAG_IMAGEWIDTH, 2);
    TIFFSetField(rgb, TIFFTAG_IMAGELENGTH, 1);
    TIFFSetField(rgb, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(rgb, TIFFTAG_SAMPLESPERPIXEL, 3);
    TIFFSetField(rgb, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    std::array<uint8_t, 6> colours{};
    TIFFWriteScanline(rgb, colours.data(), 0, 0);
    TIFFClose(rgb);
    fails(path("rgb.tif"), ErrorKind::invalid, "rgb.tif", "3 channels");
  }

  void damaged_bytes_never_crash() {
    write<uint16_t>(path("ok.tif"), {0, 100}, SAMPLEFORMAT_UINT, {});
    QFile file(QString::fromStdString(path("ok.tif")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    for (qsizetype i = 0; i < whole.size(); ++i)
      for (const bool cut : {false, true}) {
        QByteArray damaged = whole;
        damaged[i] = static_cast<char>(~damaged[i]);
        if (cut) damaged = whole.left(i);
        QFile out(QString::fromStdString(path("x.tif")));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(damaged);
        out.close();
        auto scan = io::open_scan(path("x.tif"));
        if (scan.ok()) (void)scan.value()->read({{0, 1}, {0, 1}, {0, 1}});
      }
  }

  void every_format_is_described() {
    QVERIFY(!io::scan_formats().empty());
    std::ofstream(path("text")) << "neither this nor that, but long enough for any signature\n";
    for (const io::ScanFormat& f : io::scan_formats()) {
      QVERIFY(!f.id.empty() && !f.title.empty() && f.extensions.starts_with(".") && f.summary.ends_with("."));
      for (const char* name : {"text", "absent"}) {
        const io::ScanAccess access{.sources = std::make_shared<io::SourceFiles>(path(name), io::OutsideLinks::refuse)};
        QCOMPARE(f.sniff(path(name), access), 0);
      }
      for (const char* wrong : {"text", "absent"}) {
        const auto scan = io::open_scan(path(wrong), f.id);
        QVERIFY(!scan.ok());
        QVERIFY(scan.error().where.find(wrong) != std::string::npos && !scan.error().hint.empty());
      }
    }
    QVERIFY(io::open_scan(path("text"), "nexus").error().hint.find("nxtomo") != std::string::npos);
  }
};

TL_TEST_CASE(IoTiffStackTest)

}  // namespace tl::tiff_stack_test

#include "tiff_stack.moc"
