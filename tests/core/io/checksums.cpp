// Single wrong bits in compressed data: of every format whose compression has a checksum, never other numbers without
// an error. Compressions without one: LZW, PackBits and JPEG in TIFF, blosc and zstd as libtiff and most writers of
// Zarr call them, so there a wrong bit may give other numbers.
#include <tiffio.h>
#include <zlib.h>

#include "core/io/bytes/deflate.h"
#include "core/io/open_scan.h"
#include "core/io/open_volume.h"
#include "core/io/zarr/codecs.h"
#include "tests/support/io/edf_maker.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::checksums_test {

using namespace test::volumes;

namespace {

struct PackedRange {
  fs::path file;
  std::size_t begin = 0, end = 0;
};

// How many bytes of a text a stream of zlib or gzip takes from `at` on; 0: there is none.
std::size_t length_of_stream(const std::string& bytes, std::size_t at) {
  constexpr int either = 15 + 32;
  constexpr uLong least = 64;
  if (bytes[at] != '\x78' && bytes.compare(at, 3, "\x1f\x8b\x08") != 0) return 0;
  z_stream stream{};
  if (inflateInit2(&stream, either) != Z_OK) return 0;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + at));
  stream.avail_in = static_cast<unsigned>(bytes.size() - at);
  std::vector<Bytef> plain(std::size_t{1} << 20);
  stream.next_out = plain.data();
  stream.avail_out = static_cast<unsigned>(plain.size());
  const bool whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.total_out >= least;
  const std::size_t taken = whole ? stream.total_in : 0;
  inflateEnd(&stream);
  return taken;
}

// The streams in the files of a volume.
std::vector<PackedRange> packed_ranges(const fs::path& folder) {
  std::vector<PackedRange> found;
  for (const auto& one : fs::recursive_directory_iterator(folder)) {
    if (!one.is_regular_file()) continue;
    const std::string bytes = bytes_of(one.path());
    for (std::size_t at = 0; at + 3 < bytes.size(); ++at)
      if (const std::size_t length = length_of_stream(bytes, at); length > 0) {
        found.push_back({one.path(), at, at + length});
        at += length - 1;
      }
  }
  return found;
}

// Noise in the low bits: a stream of literals and of matches.
at::Tensor voxels_of_test() {
  const at::Tensor steps = at::arange(4 * 24 * 20, at::kFloat).reshape({4, 24, 20});
  return ((steps * 12.9898).sin() * 40).floor().add((steps / 300).floor() * 8).contiguous();
}

constexpr int trials = 60;

// Flips bits one after the other and calls `passes`, which says whether other numbers were read without an error.
template <class Passes>
void flip_bits(const std::vector<PackedRange>& ranges, const Passes& passes) {
  QVERIFY(!ranges.empty());
  uint64_t state = 11;
  const auto random = [&](uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  };
  for (int i = 0; i < trials; ++i) {
    const PackedRange& range = ranges[random(ranges.size())];
    const std::string whole = bytes_of(range.file);
    const std::size_t at = range.begin + random(range.end - range.begin);
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ (1 << random(8)));
    put(range.file, changed);
    const bool passed = passes();
    put(range.file, whole);
    QVERIFY2(!passed, ("a wrong bit in byte " + std::to_string(at) + " of " + range.file.filename().string() +
                       " changed voxels without an error")
                          .c_str());
  }
}

}  // namespace

class ChecksumsTest : public VolumeFolder {
  Q_OBJECT

  struct TiffForm {
    const char* mode;  // of TIFFOpen(): the byte order
    uint16_t predictor;
    uint32_t tile, strip;
    bool floats;
  };
  void write_frame(const fs::path& file, const TiffForm& form) const {
    constexpr uint32_t size = 48;
    TIFF* tiff = TIFFOpen(file.c_str(), form.mode);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, size);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, size);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, form.floats ? 32 : 16);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, form.floats ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(tiff, TIFFTAG_PREDICTOR, form.predictor);
    const at::Tensor pixels = (at::arange(size * size, at::kFloat) * 12.9898).sin().mul(900).floor().add(1000);
    const auto put_block = [&](uint32_t side, uint32_t rows, uint32_t y, uint32_t x) {
      const auto block = pixels.reshape({size, size}).narrow(0, y, rows).narrow(1, x, side).contiguous();
      at::Tensor stored = form.floats ? block : block.to(at::kInt).to(at::kShort);
      if (form.tile > 0)
        TIFFWriteEncodedTile(tiff, TIFFComputeTile(tiff, x, y, 0, 0), stored.data_ptr(),
                             static_cast<tmsize_t>(stored.nbytes()));
      else
        TIFFWriteEncodedStrip(tiff, TIFFComputeStrip(tiff, y, 0), stored.data_ptr(),
                              static_cast<tmsize_t>(stored.nbytes()));
    };
    if (form.tile > 0) {
      TIFFSetField(tiff, TIFFTAG_TILEWIDTH, form.tile);
      TIFFSetField(tiff, TIFFTAG_TILELENGTH, form.tile);
      for (uint32_t y = 0; y < size; y += form.tile)
        for (uint32_t x = 0; x < size; x += form.tile) put_block(form.tile, form.tile, y, x);
    } else {
      TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, form.strip);
      for (uint32_t y = 0; y < size; y += form.strip) put_block(size, std::min(form.strip, size - y), y, 0);
    }
    TIFFClose(tiff);
  }
  // All rows of the views, or a few of them.
  static Result<at::Tensor> views_of(const fs::path& scan, Range rows) {
    TL_TRY(const auto reader, io::open_scan(scan));
    TL_TRY(const at::Tensor views, reader->read({{0, reader->info().views}, rows, {0, reader->info().cols}}));
    return views.clone();
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void volumes_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("name");
    for (const io::VolumeFormat& f : io::volume_formats())
      if (f.compression != io::Compression::none)
        QTest::newRow(std::string(f.id).c_str())
            << QString::fromStdString(std::string(f.id))
            << QString::fromStdString(f.id == "nifti" ? std::string("v.nii.gz") : "v" + first_ending(f));
    QTest::newRow("metaimage in one file") << "metaimage"
                                           << "v.mha";
  }
  void volumes() {
    QFETCH(QString, name);
    io::VolumeTarget t = target(path(name.toStdString()), {4, 24, 20, {}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}});
    t.compression = io::Compression::gzip;
    write(format(), t, voxels_of_test()).or_throw();
    const at::Tensor right = read_all(t.path).or_throw().clone();
    QVERIFY(right.equal(voxels_of_test()));
    flip_bits(packed_ranges(path("")), [&] {
      const auto volume = io::open_volume(t.path);
      if (!volume.ok()) return false;
      // A part first: it ends before the checksum.
      const auto part = volume.value()->read({{0, 1}, {0, 24}, {0, 20}});
      const auto all = volume.value()->read({{0, 4}, {0, 24}, {0, 20}});
      return (part.ok() && !part.value().equal(right.narrow(0, 0, 1))) || (all.ok() && !all.value().equal(right));
    });
  }

  void tiff_frames_data() {
    QTest::addColumn<int>("form");
    int form = 0;
    for (const char* name : {"one strip", "strips", "tiles", "big-endian", "differences", "differences of floats"})
      QTest::newRow(name) << form++;
  }
  void tiff_frames() {
    QFETCH(int, form);
    const TiffForm forms[] = {{"wl", 1, 0, 48, false}, {"wl", 1, 0, 11, false}, {"wl", 1, 16, 0, false},
                              {"wb", 1, 0, 48, false}, {"wl", 2, 0, 48, false}, {"wl", 3, 0, 20, true}};
    fs::create_directory(path("scan"));
    for (const char* name : {"a_0000.tif", "a_0001.tif"}) write_frame(path("scan") / name, forms[form]);
    const Range all{0, 48}, some{0, 5};
    const at::Tensor right = views_of(path("scan"), all).or_throw();
    flip_bits(packed_ranges(path("scan")), [&] {
      for (const Range rows : {all, some})
        if (const auto read = views_of(path("scan"), rows);
            read.ok() && !read.value().equal(right.slice(1, rows.begin, rows.end)))
          return true;
      return false;
    });
  }

  void edf_frames() {
    for (const char* name : {"a_0000.edf.gz", "a_0001.edf.gz"}) {
      const std::string plain = test::edf::image(7);
      const auto packed = io::deflated(io::DeflateForm::gzip, std::as_bytes(std::span(plain)));
      put(path(name), {reinterpret_cast<const char*>(packed.data()), packed.size()});
    }
    const Range rows{0, test::edf::rows};
    const at::Tensor right = views_of(path(""), rows).or_throw();
    flip_bits(packed_ranges(path("")), [&] {
      const auto read = views_of(path(""), rows);
      return read.ok() && !read.value().equal(right);
    });
  }

  void checksums_of_zarr_chunks() {
    const std::string nine = "123456789";
    QCOMPARE(io::crc32c(std::as_bytes(std::span(nine))), uint32_t{0xe3069283});  // RFC 3720 and others
    const io::VolumeFormat& zarr = *io::find_volume_format("ome_zarr_05");
    write(zarr, target(path("v.ome.zarr"), off_centre()), numbers()).or_throw();
    const fs::path chunk = path("v.ome.zarr") / "0/c/0/0/0", header = path("v.ome.zarr") / "0/zarr.json";
    std::string text = bytes_of(header);
    const auto codecs = text.find("\"codecs\"");
    const auto end = text.find(']', codecs);
    text.insert(end, ", {\"name\": \"crc32c\"}");
    put(header, text);
    std::string bytes = bytes_of(chunk);
    const uint32_t sum = io::crc32c(std::as_bytes(std::span(bytes)));
    bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    put(chunk, bytes);
    QVERIFY(read_all(path("v.ome.zarr")).or_throw().equal(numbers()));
    bytes[40] = static_cast<char>(bytes[40] ^ 1);
    put(chunk, bytes);
    QCOMPARE(read_all(path("v.ome.zarr")).error().kind, ErrorKind::io);
  }

  // A header next to the voxels of another run, with another scale and position.
  void voxels_of_another_header() {
    const io::VolumeFormat& meta = *io::find_volume_format("metaimage");
    for (const io::Compression compression : {io::Compression::none, io::Compression::gzip}) {
      for (const char* name : {"a.mhd", "b.mhd"}) {
        io::VolumeTarget t = target(path(name), off_centre());
        t.compression = compression;
        t.rules = io::no_inputs(io::Overwrite::replace);
        write(meta, t, name[0] == 'a' ? numbers() : numbers() * 10).or_throw();
      }
      const char* ending = compression == io::Compression::none ? ".raw" : ".zraw";
      QVERIFY(read_all(path("a.mhd")).or_throw().equal(numbers()));
      fs::copy_file(path(std::string("b") + ending), path(std::string("a") + ending),
                    fs::copy_options::overwrite_existing);
      const auto opened = io::open_volume(path("a.mhd"));
      QVERIFY(!opened.ok());
      QVERIFY2(opened.error().what.find("the data for which this header was written") != std::string::npos,
               opened.error().message().c_str());
      QVERIFY(opened.error().hint.find("TomoloomDataChecksum") != std::string::npos);
    }
  }

  // More voxels than the header claims: refused where it is a slice or more, noted where it is less.
  void longer_files_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("name");
    QTest::newRow("nrrd") << "nrrd"
                          << "v.nrrd";
    QTest::newRow("nifti") << "nifti"
                           << "v.nii";
    QTest::newRow("metaimage") << "metaimage"
                               << "v.mhd";
    QTest::newRow("metaimage in one file") << "metaimage"
                                           << "v.mha";
  }
  void longer_files() {
    QFETCH(QString, name);
    const io::VolumeTarget t = target(path(name.toStdString()), off_centre());
    write(format(), t, numbers()).or_throw();
    const fs::path file = file_of_voxels(t.path);
    const std::string whole = bytes_of(file);
    put(file, whole + std::string(4 * 3 * sizeof(float), '\1'));
    const auto longer = io::open_volume(t.path);
    QVERIFY(!longer.ok());
    QVERIFY2(longer.error().what.find("claims") != std::string::npos, longer.error().message().c_str());
    put(file, whole + "padding");
    // The header of another program, without the checksum of ours.
    std::string header = bytes_of(t.path);
    if (const auto at = header.find("TomoloomDataChecksum"); at != std::string::npos && file != t.path)
      put(t.path, header.replace(at, 1, "X"));
    const auto padded = io::open_volume(t.path).or_throw();
    const auto& notes = padded->info().notes;
    QVERIFY(std::any_of(notes.begin(), notes.end(),
                        [](const std::string& note) { return note.starts_with("The 7 bytes"); }));
  }
};

TL_TEST_CASE(ChecksumsTest)

}  // namespace tl::checksums_test

#include "checksums.moc"
