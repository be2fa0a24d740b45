// What the descriptions of TIFFs say about their images, as scan and as volume: one reader for both.
#include "core/io/open_scan.h"
#include "core/io/open_volume.h"
#include "tests/support/io/tiff_maker.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::tiff_pictures_test {

using namespace test::volumes;
using namespace test::tiffs;

std::string ome(int channels, int slices, int frames, const std::string& more = {}) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!-- <Pixels SizeC=\"9\"/> --><OME xmlns=\"http://www."
         "openmicroscopy.org/Schemas/OME/2016-06\"><Image ID=\"Image:0\"><Pixels ID=\"Pixels:0\" "
         "DimensionOrder=\"XYCZT\" Type=\"uint16\" SizeX=\"5\" SizeY=\"3\" SizeC=\"" +
         std::to_string(channels) + "\" SizeZ=\"" + std::to_string(slices) + "\" SizeT=\"" + std::to_string(frames) +
         "\" " + more + "><TiffData/></Pixels></Image></OME>";
}

class IoTiffPicturesTest : public VolumeFolder {
  Q_OBJECT

  static std::string problem_of(const auto& result) { return result.ok() ? std::string() : result.error().message(); }
  // The frames of a scan from above, and the slices of a volume, whose rows grow with y.
  static at::Tensor expected(int pages) {
    at::Tensor all = at::empty({pages, rows, cols});
    for (int k = 0; k < pages; ++k)
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) all[k][r][c] = pixel(k, r, c);
    return all;
  }
  // `mirrored`: dimensions of the stored pages.
  void both_read(const fs::path& file, int pages, const std::vector<int64_t>& mirrored = {}) const {
    const at::Tensor right = expected(pages).flip(mirrored);
    const auto scan = io::open_scan(file);
    QVERIFY2(scan.ok(), problem_of(scan).c_str());
    QCOMPARE(scan.value()->info().views, pages);
    QVERIFY(scan.value()->read({{0, pages}, {0, rows}, {0, cols}}).or_throw().equal(right));
    QVERIFY(scan.value()
                ->read({{pages - 1, pages}, {1, 2}, {2, 4}})
                .or_throw()
                .equal(right.slice(0, pages - 1).slice(1, 1, 2).slice(2, 2, 4)));
    QVERIFY(scan.value()
                ->read({{0, 1}, {0, 2}, {0, 3}})
                .or_throw()
                .equal(right.slice(0, 0, 1).slice(1, 0, 2).slice(2, 0, 3)));
    const auto volume = read_all(file);
    QVERIFY2(volume.ok(), problem_of(volume).c_str());
    QVERIFY(volume.value().equal(right.flip(1)));
  }
  void both_refuse(const fs::path& file, const char* words) const {
    const std::string as_scan = problem_of(io::open_scan(file)), as_volume = problem_of(read_all(file));
    QVERIFY2(as_scan.find(words) != std::string::npos, as_scan.c_str());
    QVERIFY2(as_volume.find(words) != std::string::npos, as_volume.c_str());
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void images_along_two_axes_are_refused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const std::string& text, const char* words) {
      QTest::newRow(name) << QString::fromStdString(text) << words;
    };
    row("OME, channels", ome(2, 3, 1), "2 channels and 3 slices");
    row("OME, frames", ome(1, 3, 2), "3 slices and 2 frames");
    row("OME, two images", ome(1, 3, 1) + "<Image ID=\"Image:1\"><Pixels SizeC=\"1\" SizeZ=\"3\" SizeT=\"1\"/></Image>",
        "3 slices and 2 images");
    row("ImageJ, channels", "ImageJ=1.54f\nimages=6\nchannels=2\nslices=3\nhyperstack=true\nmode=grayscale\n",
        "2 channels and 3 slices");
    row("ImageJ, frames", "ImageJ=1.54f\nimages=6\nslices=3\nframes=2\nhyperstack=true\n", "3 slices and 2 frames");
    row("ImageJ, colours", "ImageJ=1.54f\nimages=6\nchannels=6\nmode=composite\n", "6 channels");
    row("tifffile", "{\"shape\": [2, 3, 3, 5]}", "2 indices of axis 0 and 3 indices of axis 1");
  }
  void images_along_two_axes_are_refused() {
    QFETCH(QString, text);
    QFETCH(QString, words);
    write_tiff(path("s.tif"), {6, text.toStdString()});
    both_refuse(path("s.tif"), words.toUtf8().constData());
    // Channel by channel in files of one page.
    for (int k = 0; k < 6; ++k) write_tiff(path("f") / ("p" + std::to_string(k) + ".tif"), {1, text.toStdString()});
    both_refuse(path("f"), words.toUtf8().constData());
  }

  void one_long_axis_is_that_of_the_slices_data() {
    QTest::addColumn<QString>("text");
    for (const char* axis : {"channels", "slices", "frames", "images"})
      QTest::newRow(axis) << "ImageJ=1.11a\nimages=6\n" + (QString(axis) + "=6\nhyperstack=true\nmode=grayscale\n");
    QTest::newRow("OME, channels") << QString::fromStdString(ome(6, 1, 1));
    QTest::newRow("OME, slices") << QString::fromStdString(ome(1, 6, 1));
    QTest::newRow("OME, frames") << QString::fromStdString(ome(1, 1, 6));
    QTest::newRow("tifffile") << "{\"shape\": [6, 1, 3, 5]}";
    QTest::newRow("tifffile, first of several") << "{\"shape\": [2, 3, 5]}";
    QTest::newRow("nothing") << "a text";
  }
  void one_long_axis_is_that_of_the_slices() {
    QFETCH(QString, text);
    write_tiff(path("s.tif"), {6, text.toStdString()});
    both_read(path("s.tif"), 6);
  }

  void fewer_images_than_described_are_refused_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("OME") << QString::fromStdString(ome(1, 8, 1));
    QTest::newRow("ImageJ") << "ImageJ=1.54f\nimages=8\nslices=8\n";
  }
  void fewer_images_than_described_are_refused() {
    QFETCH(QString, text);
    write_tiff(path("s.tif"), {6, text.toStdString()});
    both_refuse(path("s.tif"), "8 slices, but the file holds 6 images");
  }

  // The tag Orientation: where the first stored row and column are displayed.
  void pages_are_read_as_they_are_displayed() {
    constexpr uint16_t orientation = 274;
    const std::vector<std::vector<int64_t>> mirrored = {{}, {2}, {1, 2}, {1}};
    for (const Listed listed : {Listed::all, Listed::first})
      for (uint32_t value = 1; value <= 8; ++value) {
        write_tiff(path("s.tif"), {6,
                                   "ImageJ=1.54f\nimages=6\nslices=6\n",
                                   PixelType::uint16,
                                   Bytes::little,
                                   listed,
                                   {{orientation, value}}});
        if (value <= mirrored.size())
          both_read(path("s.tif"), 6, mirrored[value - 1]);
        else
          both_refuse(path("s.tif"), "its rows are stored as columns (Orientation ");
        if (QTest::currentTestFailed()) return;
      }
  }

  // ImageJ lists the first image of a large stack alone.
  void images_that_are_not_listed_are_read_data() {
    QTest::addColumn<int>("pixels");
    QTest::addColumn<int>("bytes");
    for (const PixelType pixels : {PixelType::uint8, PixelType::int16, PixelType::uint16, PixelType::float32})
      for (const Bytes bytes : {Bytes::little, Bytes::big})
        QTest::newRow((std::to_string(static_cast<int>(pixels)) + (bytes == Bytes::big ? " big" : " little")).c_str())
            << static_cast<int>(pixels) << static_cast<int>(bytes);
  }
  void images_that_are_not_listed_are_read() {
    QFETCH(int, pixels);
    QFETCH(int, bytes);
    constexpr int pages = 3;  // whose pixels fit uint8
    Picture p{pages, "ImageJ=1.54f\nimages=3\nslices=3\n", static_cast<PixelType>(pixels), static_cast<Bytes>(bytes),
              Listed::first};
    write_tiff(path("s.tif"), p);
    both_read(path("s.tif"), pages);
    const auto counts =
        io::open_scan(path("s.tif")).or_throw()->read({{0, pages}, {0, rows}, {0, cols}}, Samples::counts).or_throw();
    QVERIFY(counts.to(at::kFloat).equal(expected(pages)));
    // Cut within the last image; and one image alone, with the description of the stack it was cut out of.
    const std::string whole = bytes_of(path("s.tif"));
    put(path("s.tif"), whole.substr(0, whole.size() - 2));
    both_refuse(path("s.tif"), "the file ends within number 3");
    p.pages = 1;
    for (const char* name : {"a.tif", "b.tif"}) write_tiff(path("slices") / name, p);
    QCOMPARE(io::open_scan(path("slices")).or_throw()->info().views, 2);
    QVERIFY(problem_of(read_all(path("slices/a.tif"))).find("3 slices, but the file holds 1 image") !=
            std::string::npos);
  }

  void sizes_of_ome_are_used_data() {
    QTest::addColumn<QString>("unit");
    QTest::addColumn<double>("mm");
    QTest::newRow("none") << "" << 1e-3;
    QTest::newRow("um") << "\u00b5m" << 1e-3;
    QTest::newRow("escaped") << "&#181;m" << 1e-3;
    QTest::newRow("nm") << "nm" << 1e-6;
    QTest::newRow("mm") << "mm" << 1.0;
    QTest::newRow("inch") << "in" << 25.4;
    QTest::newRow("pixel") << "pixel" << 0.0;
  }
  void sizes_of_ome_are_used() {
    QFETCH(QString, unit);
    QFETCH(double, mm);
    std::string sizes;
    for (const char* size : {"X=\"2.5\" ", "Y=\"3\" ", "Z=\"5\" "}) sizes += std::string("PhysicalSize") + size;
    for (const char* axis : {"X", "Y", "Z"})
      if (!unit.isEmpty()) sizes += std::string("PhysicalSize") + axis + "Unit='" + unit.toStdString() + "' ";
    write_tiff(path("s.tif"), {6, ome(1, 6, 1, sizes)});
    const auto volume = io::open_volume(path("s.tif")).or_throw();
    const VolumeGrid& g = volume->info().grid;
    constexpr double rounding = 1e-12;  // of decimal texts
    if (mm == 0) {
      QCOMPARE(volume->info().voxel_size, Origin::guessed);
      return;
    }
    QCOMPARE(volume->info().voxel_size, Origin::file);
    QVERIFY(std::abs(g.step_x.x - 2.5 * mm) < rounding && std::abs(g.step_y.y - 3 * mm) < rounding &&
            std::abs(g.step_z.z - 5 * mm) < rounding);
  }

  void what_cannot_be_decoded_is_named_data() {
    QTest::addColumn<int>("tag");
    QTest::addColumn<int>("value");
    QTest::addColumn<QString>("words");
    QTest::newRow("JPEG 2000") << 259 << 34712 << "compressed as JPEG 2000 (34712)";
    QTest::newRow("JPEG 2000 of Aperio") << 259 << 33005 << "compressed as JPEG 2000 (33005)";
    QTest::newRow("JPEG XL") << 259 << 50002 << "compressed as JPEG XL (50002)";
    QTest::newRow("JPEG XL in DNG") << 259 << 52546 << "compressed as JPEG XL (52546)";
    QTest::newRow("JPEG XR") << 259 << 22610 << "compressed as JPEG XR (22610)";
    QTest::newRow("unknown") << 259 << 60000 << "compressed as number 60000";
    QTest::newRow("several slices a page") << 32997 << 8 << "8 slices each (ImageDepth)";
  }
  void what_cannot_be_decoded_is_named() {
    QFETCH(int, tag);
    QFETCH(int, value);
    QFETCH(QString, words);
    write_tiff(path("s.tif"), {6,
                               "",
                               PixelType::uint16,
                               Bytes::little,
                               Listed::all,
                               {{static_cast<uint16_t>(tag), static_cast<uint32_t>(value)}}});
    both_refuse(path("s.tif"), words.toUtf8().constData());
    QVERIFY(problem_of(read_all(path("s.tif"))).find("damaged") == std::string::npos);
  }

  // All pages of all files of a folder; a file with more pages than the others is not a slice.
  void folders_of_many_pages() {
    for (const char* name : {"a.tif", "b.tif"}) write_tiff(path("many") / name, {3});
    QCOMPARE(io::open_scan(path("many")).or_throw()->info().views, 6);
    const at::Tensor twice = at::cat({expected(3), expected(3)});
    QVERIFY(read_all(path("many")).or_throw().equal(twice.flip(1)));
    write_tiff(path("odd/a.tif"), {1});
    write_tiff(path("odd/b.tif"), {2});
    const char* words = "the file has several pages, the first file has one";
    QVERIFY(problem_of(read_all(path("odd"))).find(words) != std::string::npos);
    QVERIFY(problem_of(io::open_scan(path("odd"))).find(words) != std::string::npos);  // the last frame is looked at
  }
};

TL_TEST_CASE(IoTiffPicturesTest)

}  // namespace tl::tiff_pictures_test

#include "tiff_pictures.moc"
