// Volume and image writers: files are read back with libtiff and libpng, and with tifffile if Python is available.
#include <png.h>
#include <sys/resource.h>
#include <tiffio.h>

#include <QTemporaryDir>
#include <cmath>
#include <csignal>

#include "core/io/output/samples.h"
#include "core/io/output/volume_writer.h"
#include "core/io/tiff/layout.h"
#include "tests/support/committed.h"
#include "tests/support/test_case.h"

namespace tl::writers_test {

namespace fs = std::filesystem;

class IoWritersTest : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  fs::path path(const char* name) const { return dir_->filePath(name).toStdString(); }
  int64_t entries() const { return std::distance(fs::directory_iterator(path("")), fs::directory_iterator()); }

  static at::Tensor volume(int64_t nz, int64_t ny, int64_t nx) {
    return at::arange(nz * ny * nx, at::kFloat).reshape({nz, ny, nx}) * 0.5 - 3;
  }
  io::VolumeTarget target(const char* name, const at::Tensor& v) const {
    VolumeGrid grid = VolumeGrid::cubic(v.size(0), v.size(1), v.size(2), 0.00065);
    grid.step_z.z = 0.0013;
    return {path(name), grid, Unit::per_mm, io::SampleType::float32, 0, 1, io::no_inputs(io::Overwrite::refuse), {}};
  }
  static Result<void> write(const io::VolumeTarget& t, const at::Tensor& v) {
    TL_TRY(auto writer, io::open_imagej_tiff(t));
    for (int64_t z = 0; z < v.size(0); z += 2) {
      const Range part{z, std::min(z + 2, v.size(0))};
      TL_TRY(writer->write(part, v.slice(0, part.begin, part.end)));
    }
    return test::committed(writer->finish());
  }
  struct Page {
    uint32_t width = 0, height = 0;
    uint16_t bits = 0, format = 0;
    float x_resolution = 0, y_resolution = 0;
    std::string description;
    std::vector<unsigned char> bytes;
    template <class T>
    T at(uint32_t row, uint32_t col) const {
      T value;
      std::memcpy(&value, bytes.data() + (row * width + col) * sizeof(T), sizeof(T));
      return value;
    }
  };
  static std::vector<Page> read(const fs::path& p) {
    std::vector<Page> pages;
    TIFF* tiff = TIFFOpen(p.c_str(), "r");
    if (tiff == nullptr) return pages;
    do {
      Page page;
      char* text = nullptr;
      TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &page.width);
      TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &page.height);
      TIFFGetField(tiff, TIFFTAG_BITSPERSAMPLE, &page.bits);
      TIFFGetField(tiff, TIFFTAG_SAMPLEFORMAT, &page.format);
      TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &page.x_resolution);
      TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &page.y_resolution);
      if (TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text) == 1) page.description = text;
      page.bytes.resize(static_cast<std::size_t>(TIFFScanlineSize(tiff)) * page.height);
      for (uint32_t r = 0; r < page.height; ++r)
        TIFFReadScanline(tiff, page.bytes.data() + static_cast<std::size_t>(TIFFScanlineSize(tiff)) * r, r, 0);
      pages.push_back(std::move(page));
    } while (TIFFReadDirectory(tiff) == 1);
    TIFFClose(tiff);
    return pages;
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void floats_come_back_exactly() {
    const at::Tensor v = volume(5, 3, 4);
    const auto written = write(target("v.tif", v), v);
    QVERIFY2(written.ok(), written.ok() ? "" : written.error().message().c_str());
    QCOMPARE(entries(), 1);
    const auto pages = read(path("v.tif"));
    QCOMPARE(pages.size(), std::size_t(5));
    for (int64_t k = 0; k < 5; ++k) {
      const Page& page = pages[static_cast<std::size_t>(k)];
      QCOMPARE(page.width, 4U);
      QCOMPARE(page.height, 3U);
      QCOMPARE(int(page.format), SAMPLEFORMAT_IEEEFP);
      for (uint32_t r = 0; r < 3; ++r)  // row 0 = largest y
        for (uint32_t c = 0; c < 4; ++c) QCOMPARE(page.at<float>(r, c), v[k][2 - r][c].item<float>());
      QVERIFY(std::abs(page.x_resolution * 0.65F - 1) < 1e-6F);  // pixels per um
    }
    const std::string& text = pages[0].description;
    for (const char* line : {"ImageJ=1.11a\n", "images=5\n", "slices=5\n", "unit=micron\n", "spacing=1.3\n",
                             "vunit=1/mm\n", "min=-3.000000000e+00\n", "max=+2.650000000e+01\n"})
      QVERIFY2(text.find(line) != std::string::npos, (line + text).c_str());
  }

  void one_page_and_doubles() {
    const at::Tensor v = volume(1, 2, 3);
    QVERIFY(write(target("v.tif", v), v.to(at::kDouble)).ok());
    QCOMPARE(read(path("v.tif")).size(), std::size_t(1));
    QCOMPARE(read(path("v.tif"))[0].at<float>(1, 0), -3.F);
  }

  void integers_keep_their_scale() {
    at::Tensor v = volume(2, 3, 4);  // -3 ... 8.5
    v[0][0][0] = std::nan("");
    for (const auto type : {io::SampleType::uint16, io::SampleType::uint8}) {
      io::VolumeTarget t = target("v.tif", v);
      t.type = type;
      t.low = -1;
      t.high = 5;
      t.rules.overwrite = io::Overwrite::replace;
      QVERIFY(write(t, v).ok());
      const auto pages = read(path("v.tif"));
      const double step = 6.0 / io::largest_sample(type);
      const auto stored = [&](int64_t k, int64_t j, int64_t i) -> double {
        const Page& page = pages[static_cast<std::size_t>(k)];
        const auto r = static_cast<uint32_t>(2 - j), c = static_cast<uint32_t>(i);
        return type == io::SampleType::uint16 ? page.at<uint16_t>(r, c) : page.at<uint8_t>(r, c);
      };
      QCOMPARE(stored(0, 0, 0), 0.0);                       // not a number
      QCOMPARE(stored(0, 0, 1), 0.0);                       // -2.5 is clipped
      QCOMPARE(stored(1, 2, 3), io::largest_sample(type));  // 8.5 is clipped
      for (int64_t i = 0; i < 4; ++i)                       // 1 ... 2.5: half a step off at most
        QVERIFY(std::abs(-1 + step * stored(0, 2, i) - v[0][2][i].item<double>()) <= 0.5 * step * (1 + 1e-9));
      QVERIFY(pages[0].description.find("c0=-1\n") != std::string::npos);
      QVERIFY(pages[0].description.find("c1=" + std::string(type == io::SampleType::uint8 ? "0.0235" : "9.15")) !=
              std::string::npos);
    }
    io::VolumeTarget t = target("w.tif", v);
    t.type = io::SampleType::uint8;
    t.low = t.high = 2;
    QCOMPARE(write(t, v).error().kind, ErrorKind::invalid);
    QVERIFY(!fs::exists(path("w.tif")));
  }

  void our_text_travels_along() {
    const std::string text = "{\n  \"min\": 3,\n  \"u\": \"\\u00b5\"\n}\n";
    const at::Tensor v = volume(2, 2, 2);
    io::VolumeTarget t = target("v.tif", v);
    t.description = text;
    QVERIFY(write(t, v).ok());
    QCOMPARE(io::text_of_description(read(path("v.tif"))[0].description), text);
    QCOMPARE(io::text_of_description("ImageJ=1.11a\nimages=2\n# not ours\n"), std::string());
  }

  void big_files_are_bigtiff() {
    io::TiffLayout small{4, 1000, 1000, io::SampleType::float32, "d", 1, 1};
    QVERIFY(!small.big());
    QCOMPARE(int(small.head()[2]), 42);
    io::TiffLayout large{2000, 1000, 1000, io::SampleType::float32, "d", 1, 1};
    QVERIFY(large.big());
    QCOMPARE(int(large.head()[2]), 43);
    // As large as possible without changing format: its last byte still has a 32-bit address.
    io::TiffLayout limit{1, 1000, 1000, io::SampleType::float32, "d", 1, 1};
    while (!limit.big()) ++limit.pages;
    --limit.pages;
    const auto end = static_cast<int64_t>(limit.head().size()) + limit.pages * limit.page_bytes() +
                     static_cast<int64_t>(limit.tail().size());
    QVERIFY(end < (int64_t{1} << 32));
    // A BigTIFF whose pixels are a hole: sparse files make this cheap.
    io::TiffLayout holed{3, 40000, 40000, io::SampleType::uint8, "description", 2, 4};
    const auto head = holed.head(), tail = holed.tail();
    QFile file(QString::fromStdString(path("big.tif")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(reinterpret_cast<const char*>(head.data()), static_cast<qint64>(head.size()));
    QVERIFY(file.seek(static_cast<qint64>(head.size()) + 3 * holed.page_bytes()));
    file.write(reinterpret_cast<const char*>(tail.data()), static_cast<qint64>(tail.size()));
    file.close();
    TIFF* tiff = TIFFOpen(path("big.tif").c_str(), "r");
    QVERIFY(tiff != nullptr);
    QCOMPARE(int(TIFFNumberOfDirectories(tiff)), 3);
    TIFFSetDirectory(tiff, 2);
    uint64_t offset = TIFFGetStrileOffset(tiff, 0);
    QCOMPARE(offset, head.size() + 2 * static_cast<uint64_t>(holed.page_bytes()));
    TIFFClose(tiff);
  }

  void nothing_is_left_of_a_failure() {
    const at::Tensor v = volume(4, 64, 64);
    {
      auto writer = io::open_imagej_tiff(target("v.tif", v));
      QVERIFY(writer.ok());
      QVERIFY(writer.value()->write({0, 2}, v.slice(0, 0, 2)).ok());
    }
    QCOMPARE(entries(), 0);
    {
      std::signal(SIGXFSZ, SIG_IGN);
      rlimit old{};
      getrlimit(RLIMIT_FSIZE, &old);
      const rlimit limit{40000, old.rlim_max};
      setrlimit(RLIMIT_FSIZE, &limit);
      const auto stopped = write(target("v.tif", v), v);
      setrlimit(RLIMIT_FSIZE, &old);
      QCOMPARE(stopped.error().kind, ErrorKind::io);
    }
    QCOMPARE(entries(), 0);
    io::VolumeTarget full = target("v.tif", v);
    full.path = "/dev/full";
    QCOMPARE(write(full, v).error().kind, ErrorKind::io);
    QVERIFY(fs::is_character_file("/dev/full"));
    full.path = path("no/v.tif");
    QCOMPARE(write(full, v).error().kind, ErrorKind::io);
  }

  void stacks() {
    at::Tensor v = volume(3, 2, 4);
    io::VolumeTarget t = target("bone", v);
    t.type = io::SampleType::uint8;
    t.low = -3;
    t.high = 9;
    t.description = "{\n\"pipeline\": {}}\n";
    const auto write_stack = [&] {
      auto writer = io::open_tiff_stack(t);
      if (!writer.ok()) return Result<void>(writer.error());
      for (int64_t z = 0; z < 3; ++z)
        if (auto done = writer.value()->write({z, z + 1}, v.slice(0, z, z + 1)); !done.ok()) return done;
      return test::committed(writer.value()->finish());
    };
    QVERIFY(write_stack().ok());
    QCOMPARE(entries(), 1);
    for (const char* name : {"bone_00000.tif", "bone_00001.tif", "bone_00002.tif", "scale.json"})
      QVERIFY2(fs::exists(path("bone") / name), name);
    const Page page = read(path("bone") / "bone_00001.tif").at(0);
    QVERIFY(std::abs(-3 + 12.0 / 255 * page.at<uint8_t>(0, 0) - v[1][1][0].item<double>()) <= 6.0 / 255);
    QCOMPARE(io::read_description(path("bone")).value(), t.description);
    QCOMPARE(write_stack().error().kind, ErrorKind::invalid);
    t.rules.overwrite = io::Overwrite::replace;
    QVERIFY(write_stack().ok());
    {
      t.path = path("other");
      auto writer = io::open_tiff_stack(t);
      QVERIFY(writer.ok() && writer.value()->write({0, 2}, v.slice(0, 0, 2)).ok());
    }
    QCOMPARE(entries(), 1);
  }

  void descriptions_are_read_back() {
    const at::Tensor v = volume(2, 2, 2);
    io::VolumeTarget t = target("v.tif", v);
    t.description = "{\"format\": \"tomoloom-pipeline\"}\n";
    QVERIFY(write(t, v).ok());
    QCOMPARE(io::read_description(path("v.tif")).value(), t.description);
    QVERIFY(write(target("w.tif", v), v).ok());
    QCOMPARE(io::read_description(path("w.tif")).error().kind, ErrorKind::invalid);
    QCOMPARE(io::read_description(path("none.tif")).error().kind, ErrorKind::io);
  }

  void png_images() {
    at::Tensor slice = at::tensor({0., 1., 2., 3., 4., 5.}, at::kFloat).reshape({2, 3});
    QVERIFY(io::write_png(path("p.png"), slice, 0, 5, io::no_inputs(io::Overwrite::refuse)).ok());
    QCOMPARE(io::write_png(path("p.png"), slice, 0, 5, io::no_inputs(io::Overwrite::refuse)).error().kind,
             ErrorKind::invalid);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    QVERIFY(png_image_begin_read_from_file(&image, path("p.png").c_str()) != 0);
    QCOMPARE(image.width, 3U);
    QCOMPARE(image.height, 2U);
    image.format = PNG_FORMAT_GRAY;
    std::array<unsigned char, 6> pixels{};
    QVERIFY(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) != 0);
    // Row 0 of the image is the largest y.
    QCOMPARE(pixels, (std::array<unsigned char, 6>{153, 204, 255, 0, 51, 102}));
    QVERIFY(io::write_png(path("q.png"), at::full({4, 4}, 2.F), 2, 2, io::no_inputs(io::Overwrite::refuse)).ok());
    QCOMPARE(io::write_png("/dev/full", slice, 0, 5, io::no_inputs(io::Overwrite::refuse)).error().kind, ErrorKind::io);
  }
};

TL_TEST_CASE(IoWritersTest)

}  // namespace tl::writers_test

#include "writers.moc"
