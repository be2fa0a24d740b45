// Damaged scans: files with random wrong bytes open or are refused; nothing crashes, hangs or runs out of memory.
#include <tiffio.h>

#include <QTemporaryDir>
#include <fstream>
#include <random>

#include "core/io/format.h"
#include "tests/support/hdf5_maker.h"
#include "tests/support/test_main.h"

using namespace tl;
using tl::test::Hdf5Maker;
using tl::test::ramp;
namespace fs = std::filesystem;

namespace {

constexpr int trials = 20;  // per kind of file; tests/fuzz tries thousands
constexpr hsize_t frames = 6;

void make_nxtomo(const fs::path& file) {
  Hdf5Maker h5(file.string());
  // Strings in heaps, as h5py writes them: what HDF5 1.10 cannot follow safely.
  h5.text("/entry/definition", "NXtomo");
  h5.text("/entry/title", "a scan");
  h5.frames<uint16_t>("/entry/instrument/detector/data", frames, 4, 5, 0);
  h5.numbers<int32_t>("/entry/instrument/detector/image_key", {frames}, {2, 1, 0, 0, 0, 1});
  h5.numbers<double>("/entry/sample/rotation_angle", {frames}, ramp(frames, 0, 10));
  h5.long_attribute("/entry/sample/rotation_angle", "units", "degree");
  h5.long_attribute("/", "default", "entry");
  h5.numbers<double>("/entry/instrument/detector/x_pixel_size", {}, {1.5});
  h5.long_attribute("/entry/instrument/detector/x_pixel_size", "units", "um");
}

void make_chunked_nxtomo(const fs::path& file) {
  Hdf5Maker h5(file.string());
  h5.text("/entry/definition", "NXtomo");
  h5.frames<uint16_t>("/entry/instrument/detector/data", frames, 4, 5, 0, {2, 2, 5}, test::Packing::deflate);
  h5.numbers<int32_t>("/entry/instrument/detector/image_key", {frames}, {2, 1, 0, 0, 0, 1}, {}, {frames});
  h5.numbers<double>("/entry/sample/rotation_angle", {frames}, ramp(frames, 0, 10), "degree");
}

void make_dxchange(const fs::path& file) {
  Hdf5Maker h5(file.string());
  h5.frames<uint16_t>("/exchange/data", frames, 4, 5, 0);
  h5.frames<uint16_t>("/exchange/data_white", 2, 4, 5, 0);
  h5.frames<uint16_t>("/exchange/data_dark", 1, 4, 5, 0);
  h5.numbers<double>("/exchange/theta", {frames}, ramp(frames, 0, 10));
  h5.long_attribute("/exchange/theta", "units", "degree");
}

void make_tiff(const fs::path& file, uint16_t compression) {
  TIFF* tiff = TIFFOpen(file.c_str(), "w");
  for (hsize_t page = 0; page < frames; ++page) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 5);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 4);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 16);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 2);
    std::array<uint16_t, 5> line = {1, 2, 3, 4, static_cast<uint16_t>(page)};
    for (uint32_t r = 0; r < 4; ++r) TIFFWriteScanline(tiff, line.data(), r, 0);
    TIFFWriteDirectory(tiff);
  }
  TIFFClose(tiff);
}

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Everything a run would read. An error has to say what and where.
void read_all(const fs::path& file) {
  const auto complain = [](const Error& e) {
    QVERIFY2(!e.what.empty() && !e.where.empty(), e.message().c_str());
    QVERIFY2(e.kind != ErrorKind::internal, e.message().c_str());
  };
  auto scan = io::open_scan(file);
  if (!scan.ok()) return complain(scan.error());
  const io::ScanInfo& info = scan.value()->info();
  // A damaged size may be honest about a file with holes: frames of more than a few pixels are not read here.
  if (info.views * info.rows * info.cols > 1 << 20) return;
  const auto pixels = scan.value()->read({{0, info.views}, {0, info.rows}, {0, info.cols}});
  if (!pixels.ok()) complain(pixels.error());
  for (const auto& references : {scan.value()->read_flats({0, info.rows}, {0, info.cols}),
                                 scan.value()->read_darks({0, info.rows}, {0, info.cols})})
    if (!references.ok()) complain(references.error());
  if (const auto print = io::fingerprint(file); !print.ok()) complain(print.error());
}

}  // namespace

class IoDamageTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { TIFFSetWarningHandler(nullptr); }

  void wrong_bytes_data() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"nxtomo.nx", "chunked.nx", "dxchange.h5", "plain.tif", "packed.tif"})
      QTest::newRow(kind) << kind;
  }
  void wrong_bytes() {
    QFETCH(QString, kind);
    const QTemporaryDir dir;
    const fs::path whole = dir.filePath(kind).toStdString(), damaged = dir.filePath("damaged_" + kind).toStdString();
    if (kind == "nxtomo.nx") make_nxtomo(whole);
    if (kind == "chunked.nx") make_chunked_nxtomo(whole);
    if (kind == "dxchange.h5") make_dxchange(whole);
    if (kind == "plain.tif") make_tiff(whole, COMPRESSION_NONE);
    if (kind == "packed.tif") make_tiff(whole, COMPRESSION_LZW);
    QVERIFY(io::open_scan(whole).ok());
    const std::string good = contents(whole);
    std::vector<std::size_t> written;  // places that hold anything: HDF5 files are mostly holes
    for (std::size_t i = 0; i < good.size(); ++i)
      if (good[i] != 0) written.push_back(i);
    std::mt19937 random(20);
    for (int trial = 0; trial < trials; ++trial) {
      std::string bad = good;
      for (uint32_t flips = 1 + random() % 4; flips > 0; --flips) {
        const std::size_t near = written[random() % written.size()] + random() % 8;
        if (near < bad.size()) bad[near] = static_cast<char>(random());
      }
      std::ofstream(damaged, std::ios::binary) << bad;
      read_all(damaged);
      if (QTest::currentTestFailed()) return;
    }
  }

  // The heap of strings is where HDF5 1.10 leaves its memory.
  void wrong_bytes_in_the_heap_of_strings() {
    const QTemporaryDir dir;
    const fs::path whole = dir.filePath("whole.nx").toStdString(), damaged = dir.filePath("heap.nx").toStdString();
    make_nxtomo(whole);
    const std::string good = contents(whole);
    const std::size_t heap = good.find("GCOL");
    QVERIFY(heap != std::string::npos);
    for (std::size_t at = heap; at < heap + 160; at += 7)
      for (const char value : {'\xff'}) {
        std::string bad = good;
        bad[at] = value;
        std::ofstream(damaged, std::ios::binary) << bad;
        read_all(damaged);
        if (QTest::currentTestFailed()) return;
      }
  }
};

TL_TEST_MAIN(IoDamageTest)
#include "damage.moc"
