// Damaged scans: thousands of wrong HDF5, TIFF, EDF, .txrm, .geom and .mhd files, RTK geometries and files of
// laboratory scanners are opened and read; each gives numbers or an error that says what and where, and none crashes,
// hangs or takes memory that its size does not explain.
#include <ATen/Parallel.h>
#include <tiffio.h>

#include <QTemporaryDir>
#include <array>
#include <fstream>
#include <set>
#include <string>

#include "core/io/bytes/fingerprint.h"
#include "core/io/hdf5/tree.h"
#include "core/io/open_scan.h"
#include "core/io/process/remote_scan.h"
#include "core/io/scans/scan_formats.h"
#include "tests/fuzz/hdf5_checksums.h"
#include "tests/fuzz/many_trials.h"
#include "tests/fuzz/mutations.h"
#include "tests/support/file_tree.h"
#include "tests/support/io/diondo_scan.h"
#include "tests/support/io/edf_maker.h"
#include "tests/support/io/hdf5_maker.h"
#include "tests/support/io/nikon_scan.h"
#include "tests/support/io/nsi_scan.h"
#include "tests/support/io/phoenix_scan.h"
#include "tests/support/io/rtk_scan.h"
#include "tests/support/io/rx_scan.h"
#include "tests/support/io/skyscan_scan.h"
#include "tests/support/io/tescan_scan.h"
#include "tests/support/io/txrm_maker.h"
#include "tests/support/io/yxlon_scan.h"
#include "tests/support/test_case.h"

namespace tl::scans_test {

using tl::test::contents;
using tl::test::Hdf5Maker;
using tl::test::ramp;
namespace fs = std::filesystem;

namespace {

constexpr hsize_t frames = 6;

// Texts in heaps, links, attributes and several layouts: the metadata that readers follow.
void make_nxtomo(const fs::path& file, test::Versions versions, const std::vector<hsize_t>& chunk) {
  Hdf5Maker h5(file.string(), versions);
  h5.text("/entry/definition", "NXtomo");
  h5.frames<uint16_t>("/entry/instrument/detector/data", frames, 4, 5, 0, chunk,
                      chunk.empty() ? test::Packing::none : test::Packing::deflate);
  h5.numbers<int32_t>("/entry/instrument/detector/image_key", {frames}, {2, 1, 0, 0, 0, 1});
  h5.numbers<double>("/entry/sample/rotation_angle", {frames}, ramp(frames, 0, 10));
  h5.long_attribute("/entry/sample/rotation_angle", "units", "degree");
  h5.long_attribute("/", "default", "entry");
  h5.numbers<double>("/entry/instrument/detector/x_pixel_size", {}, {1.5});
  h5.long_attribute("/entry/instrument/detector/x_pixel_size", "units", "um");
  h5.soft_link("/entry/instrument/detector/data", "/entry/data/data");
}

// Lists of texts and integers as attributes, which lead to the frames and their angles.
void make_nxdata(const fs::path& file) {
  Hdf5Maker h5(file.string());
  const std::string group = "/entry/imaging";
  h5.frames<uint16_t>(group + "/data", frames, 4, 5, 0);
  h5.numbers<int32_t>(group + "/image_key", {frames}, {2, 1, 0, 0, 0, 1});
  h5.numbers<double>(group + "/stage", {frames}, ramp(frames, 0, 10), "deg");
  h5.attribute("/entry", "NX_class", "NXentry");
  h5.attribute("/entry", "default", "imaging");
  h5.attribute(group, "NX_class", "NXdata");
  h5.attribute(group, "signal", "data");
  h5.attribute(group, "axes", std::vector<std::string>{"stage", ".", "."});
  h5.attribute(group, "stage_indices", int64_t{0});
}

void make_dxchange(const fs::path& file, test::Versions versions) {
  Hdf5Maker h5(file.string(), versions);
  h5.frames<uint16_t>("/exchange/data", frames, 4, 5, 0, {1, 4, 5});
  h5.frames<uint16_t>("/exchange/data_white", 2, 4, 5, 0);
  h5.frames<uint16_t>("/exchange/data_dark", 1, 4, 5, 0);
  h5.numbers<double>("/exchange/theta", {frames}, ramp(frames, 0, 10));
  h5.long_attribute("/exchange/theta", "units", "degree");
}

// A sequence with darks, flats and projections, as BLISS writes it.
void make_bliss(const fs::path& file) {
  Hdf5Maker h5(file.string());
  h5.long_attribute("/", "creator", "Bliss");
  h5.text("/1.1/title", "tomo:basic");
  h5.texts("/1.1/technique/tomoconfig/detector", {"camera"});
  h5.texts("/1.1/technique/tomoconfig/rotation", {"srot"});
  h5.numbers<double>("/1.1/technique/optic/sample_pixel_size", {2}, {6.5, 6.6}, "um");
  for (int key = 2; key >= 0; --key) {
    const std::string scan = "/" + std::to_string(4 - key) + ".1";
    h5.text(scan + "/title", key == 2 ? "dark images" : key == 1 ? "flat" : "projections");
    h5.numbers<int32_t>(scan + "/technique/image_key", {}, {key});
    h5.frames<uint16_t>(scan + "/measurement/camera", frames, 4, 5, 0);
    h5.numbers<double>(scan + "/measurement/srot", {frames + 1}, ramp(frames + 1, 0, 10), "deg");
  }
}

// A header whose pages are the frames of a separate file.
void make_meta_image(const fs::path& file) {
  test::put(file,
            "ObjectType = Image\nNDims = 3\nElementSpacing = 0.01 0.02 1\nHeaderSize = 2\nDimSize = 5 4 6\n"
            "ElementType = MET_USHORT\nElementByteOrderMSB = False\nElementDataFile = frames.raw\n");
  test::put(file.parent_path() / "frames.raw", std::string(2 + 2 * 5 * 4 * frames, 'a'));
}

void make_tiff(const fs::path& file, uint16_t compression, bool tiled) {
  TIFF* tiff = TIFFOpen(file.c_str(), "w");
  std::array<uint16_t, 16 * 16> pixels{};
  for (hsize_t page = 0; page < frames; ++page) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 16);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 16);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 16);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<uint16_t>(100 * page + i);
    if (tiled) {
      TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
      TIFFSetField(tiff, TIFFTAG_TILELENGTH, 16);
      TIFFWriteEncodedTile(tiff, 0, pixels.data(), sizeof pixels);
    } else {
      TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 4);
      for (uint32_t r = 0; r < 16; ++r) TIFFWriteScanline(tiff, &pixels[16 * r], r, 0);
    }
    TIFFWriteDirectory(tiff);
  }
  TIFFClose(tiff);
}

// Headers of images, and one that belongs to none.
void make_edf(const fs::path& file) {
  std::string bytes = test::edf::header({{"EDF_DataFormatVersion", "2.40"}, {"EDF_BinarySize", "0"}});
  for (hsize_t i = 0; i < frames; ++i)
    bytes += test::edf::image(100.0 * static_cast<double>(i), {{"EDF_BinarySize", "30"}});
  std::ofstream(file, std::ios::binary) << bytes;
}

// Positions of source and detector next to their frames.
void make_orbit(const fs::path& file) {
  std::string lines;
  for (int i = 0; i < 3; ++i) {
    lines += std::to_string(i) + " -60 0 0 60 0 1 0 0 0 0 -1\n";
    test::nikon::write_frame(file.parent_path() / ("scan_00000" + std::to_string(i) + ".tif"), at::full({4, 5}, i));
  }
  test::put(file, lines);
}

std::string complaint_about(const Error& e) {
  if (e.where.empty()) return "an error without a location: " + e.message();
  return fuzz::complaint_about(e);
}

bool is_hdf5(const fs::path& file) {
  const std::string ending = file.extension();
  return ending == ".nx" || ending == ".nxs" || ending == ".h5";
}

// Everything that a run would read.
std::string read_all(const Result<std::unique_ptr<io::ScanReader>>& scan) {
  if (!scan.ok()) return complaint_about(scan.error());
  const io::ScanInfo& info = scan.value()->info();
  // A damaged size may be honest about a file with holes: frames of more than a few pixels are not read here.
  if (info.views <= 0 || info.rows <= 0 || info.cols <= 0) return "a scan without pixels was opened";
  if (info.views > (1 << 20) / info.rows || info.views * info.rows > (1 << 20) / info.cols) return {};
  const auto views = scan.value()->read({{0, info.views}, {0, info.rows}, {0, info.cols}});
  if (!views.ok()) return complaint_about(views.error());
  for (const auto& references : {scan.value()->read_flats({0, info.rows}, {0, info.cols}),
                                 scan.value()->read_darks({0, info.rows}, {0, info.cols})})
    if (!references.ok()) return complaint_about(references.error());
  return {};
}

io::ScanChoices choices_for(const fs::path& file) {
  io::ScanChoices choices;
  if (file.extension() == ".mhd") choices.angle_step = 0.1;
  return choices;
}

// As every user reads it, by a process of its own; of HDF5 files also the tree.
std::string read_elsewhere(const fs::path& file) {
  if (is_hdf5(file))
    if (const auto tree = io::read_hdf5_tree(file); !tree.ok()) {
      if (std::string complaint = complaint_about(tree.error()); !complaint.empty()) return complaint;
    }
  io::OpenOptions options;
  options.choices = choices_for(file);
  if (std::string complaint = read_all(io::open_scan(file, {}, options)); !complaint.empty()) return complaint;
  const auto print = io::fingerprint(file);
  return print.ok() ? std::string() : complaint_about(print.error());
}

// In this process, whose memory is counted and whose sanitizers are heard.
std::string read_here(const fs::path& file) {
  fuzz::limit_as_reader();
  if (is_hdf5(file))
    if (const auto tree = io::read_hdf5_tree_here(file); !tree.ok()) {
      if (std::string complaint = complaint_about(tree.error()); !complaint.empty()) return complaint;
    }
  fuzz::limit_as_reader();
  const auto sources = std::make_shared<io::SourceFiles>(file, io::OutsideLinks::refuse);
  return read_all(io::open_scan_here(file, {}, {sources, 1, choices_for(file)}));
}

}  // namespace

class ScansFuzz : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    TIFFSetWarningHandler(nullptr);
    at::set_num_threads(1);  // children of a process with threads would wait for them
  }

  void checksums_are_found_and_renewed() {
    // Reference value of lookup3.c, hashlittle("Four score and seven years ago", 30, 0).
    const std::string words = "Four score and seven years ago";
    QCOMPARE(fuzz::lookup3(reinterpret_cast<const unsigned char*>(words.data()), words.size()), 0x17770551u);
    const QTemporaryDir dir;
    const fs::path file = dir.filePath("latest.nx").toStdString();
    make_nxtomo(file, test::Versions::latest, {2, 2, 5});
    const std::string good = contents(file);
    const fuzz::Hdf5Checksums checksums(good);
    QVERIFY2(checksums.size() >= 8, qPrintable(QString::number(checksums.size())));
    std::string same = good;
    checksums.repair(same);
    QVERIFY(same == good);
  }

  // The heap of strings is where HDF5 1.10 leaves its memory.
  void wrong_bytes_in_the_heap_of_strings() {
    const QTemporaryDir dir;
    const fs::path whole = dir.filePath("whole.nx").toStdString(), damaged = dir.filePath("heap.nx").toStdString();
    make_nxtomo(whole, test::Versions::earliest, {});
    const std::string good = contents(whole);
    const std::size_t heap = good.find("GCOL");
    QVERIFY(heap != std::string::npos);
    constexpr int64_t step = 7, places = 23;
    const auto failures = fuzz::run_trials(places, [&](int64_t trial) {
      std::string bad = good;
      bad[heap + static_cast<std::size_t>(step * trial)] = '\xff';
      std::ofstream(damaged, std::ios::binary) << bad;
      return read_elsewhere(damaged);
    });
    QVERIFY2(failures.empty(), fuzz::describe(failures).c_str());
  }

  void damaged_files_give_numbers_or_errors_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("siblings");  // kinds of files that share the trials of one reader
    const std::pair<const char*, int> kinds[] = {{"earliest.nx", 4},
                                                 {"latest.nx", 4},
                                                 {"chunked.nx", 4},
                                                 {"chunked_latest.nx", 4},
                                                 {"nxdata.nxs", 1},
                                                 {"exchange.h5", 1},
                                                 {"bliss.h5", 1},
                                                 {"cone.txrm", 2},
                                                 {"small.txrm", 2},
                                                 {"strips.tif", 3},
                                                 {"packed.tif", 3},
                                                 {"tiles.tif", 3},
                                                 {"turn.edf", 1},
                                                 {"bead.xtekct", 1},
                                                 {"bead.log", 1},
                                                 {"bead.pca", 1},
                                                 {"orbit.geom", 1},
                                                 {"frames.mhd", 1},
                                                 {"geom.csv", 1},
                                                 {"bead.nsipro", 1},
                                                 {"settings.txt", 1},
                                                 {"geometry.xml", 2},
                                                 {"bead.xml", 2},
                                                 {"ScanParameter.xml", 2},
                                                 {"unireconstruction.xml", 2}};
    for (const auto& [kind, siblings] : kinds) QTest::newRow(kind) << kind << siblings;
  }
  void damaged_files_give_numbers_or_errors() {
    QFETCH(QString, kind);
    QFETCH(int, siblings);
    const QTemporaryDir dir;
    const fs::path whole = dir.filePath(kind).toStdString(), damaged = dir.filePath("damaged_" + kind).toStdString();
    if (kind == "earliest.nx") make_nxtomo(whole, test::Versions::earliest, {});
    if (kind == "latest.nx") make_nxtomo(whole, test::Versions::latest, {});
    if (kind == "chunked.nx") make_nxtomo(whole, test::Versions::earliest, {2, 2, 5});
    if (kind == "chunked_latest.nx") make_nxtomo(whole, test::Versions::latest, {2, 2, 5});
    if (kind == "nxdata.nxs") make_nxdata(whole);
    if (kind == "exchange.h5") make_dxchange(whole, test::Versions::earliest);
    if (kind == "strips.tif") make_tiff(whole, COMPRESSION_NONE, false);
    if (kind == "packed.tif") make_tiff(whole, COMPRESSION_LZW, false);
    if (kind == "tiles.tif") make_tiff(whole, COMPRESSION_ADOBE_DEFLATE, true);
    if (kind == "turn.edf") make_edf(whole);
    if (kind == "bliss.h5") make_bliss(whole);
    if (kind == "frames.mhd") make_meta_image(whole);
    const std::set<std::string> texts{".xtekct", ".log", ".pca", ".geom", ".mhd", ".csv", ".nsipro", ".txt", ".xml"};
    const bool is_text = texts.count(whole.extension().string()) != 0;
    const fs::path own = dir.path().toStdString();
    if (kind == "bead.xtekct") test::nikon::write_small_scan(dir.path().toStdString());
    if (kind == "bead.log") fs::rename(test::skyscan::write_small(dir.path().toStdString()), whole);
    if (kind == "bead.pca") test::phoenix::write_small(dir.path().toStdString());
    if (kind == "orbit.geom") make_orbit(whole);
    if (kind == "geom.csv") test::rx::write_small(own);
    if (kind == "unireconstruction.xml") {
      fs::remove(test::rx::write_small(own));
      test::put(whole, test::rx::circle_text(60, 120, 2));
    }
    if (kind == "bead.nsipro") test::nsi::write_small(own);
    if (kind == "settings.txt") test::tescan::write_small(own);
    if (kind == "geometry.xml") test::rtk::write_small(own);
    if (kind == "bead.xml") test::diondo::write_small(own);
    if (kind == "ScanParameter.xml") test::yxlon::write_small(own);
    if (kind == "cone.txrm") test::txrm_scan(frames, 60, 50).write(whole.string());
    if (kind == "small.txrm")
      test::txrm_scan(frames, 4, 5).write(whole.string(), {512, 0, test::SectorOrder::backwards});
    const std::string good = contents(whole);
    fuzz::keep_sound(good, kind.toStdString());
    const fuzz::Hdf5Checksums checksums(good);
    const auto damage = [&](int64_t trial, const auto& read) -> std::string {
      fuzz::Random random(fuzz::seed() * 1'000'003 + static_cast<uint64_t>(trial));
      std::string bad = is_text ? fuzz::damaged_text(good, random) : fuzz::damaged_bytes(good, random);
      if (bad.size() == good.size()) checksums.repair(bad);
      std::ofstream(damaged, std::ios::binary) << bad;
      std::string complaint =
          fuzz::complaint_within_limits([&] { return read(damaged); }, static_cast<int64_t>(bad.size()));
      if (!complaint.empty()) fuzz::keep(bad, std::to_string(trial) + "_" + kind.toStdString());
      return complaint;
    };
    const auto failures = fuzz::run_reading_trials(
        fuzz::trials(2000) / siblings, [&](int64_t trial) { return damage(trial, read_here); },
        [&](int64_t trial) { return damage(trial, read_elsewhere); },
        is_hdf5(whole) ? fuzz::Library::hdf5 : fuzz::Library::any);
    QVERIFY2(failures.empty(), fuzz::describe(failures).c_str());
  }
};

TL_TEST_CASE(ScansFuzz)

}  // namespace tl::scans_test

#include "scans.moc"
