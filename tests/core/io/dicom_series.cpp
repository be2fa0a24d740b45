// DICOM series made by hand: what numbers mean, what makes slices one volume, and what is left out of a folder.
#include "core/io/dicom/header.h"
#include "core/io/dicom/header_writer.h"
#include "core/io/open_volume.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::dicom_series_test {

using namespace test::volumes;
namespace dicom = io::dicom;

namespace {

constexpr int64_t rows = 2, cols = 3;

struct SliceFile {
  std::string series = "1.2.3", number, place, spacing = "0.5\\0.5", slope, intercept, frames, kind = "MONOCHROME2";
  uint16_t bits = 16, stored = 16, is_signed = 0;
  std::string more;    // elements before the pixels, as bytes
  std::string pixels;  // as bytes
  bool has_image = true;
};

template <class T>
std::string pixels_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string bytes_of_slice(const SliceFile& s) {
  io::DicomElements e;
  const auto text = [&](uint32_t tag, const char* type, const std::string& value) {
    if (!value.empty()) e.text(tag, type, value);
  };
  text(dicom::series_uid, "UI", s.series);
  text(dicom::instance_number, "IS", s.number);
  text(dicom::position, "DS", s.place);
  if (!s.place.empty()) e.text(dicom::orientation, "DS", "1\\0\\0\\0\\1\\0");
  if (!s.has_image) return io::dicom_file_head("1.2", "1.2.3") + e.bytes() + s.more;
  text(dicom::photometric, "CS", s.kind);
  text(dicom::frames, "IS", s.frames);
  e.integer(dicom::rows, rows);
  e.integer(dicom::cols, cols);
  text(dicom::pixel_spacing, "DS", s.spacing);
  e.integer(dicom::bits_allocated, s.bits);
  e.integer(dicom::bits_stored, s.stored);
  e.integer(dicom::high_bit, static_cast<uint16_t>(s.stored - 1));
  e.integer(dicom::is_signed, s.is_signed);
  text(dicom::intercept, "DS", s.intercept);
  text(dicom::slope, "DS", s.slope);
  io::DicomElements last;
  last.pixels(dicom::pixels, static_cast<uint32_t>(s.pixels.size()));
  return io::dicom_file_head("1.2", "1.2.3") + e.bytes() + s.more + last.bytes() + s.pixels;
}

at::Tensor stored() { return at::arange(rows * cols, at::kFloat).reshape({1, rows, cols}); }
SliceFile slice(int k) {
  SliceFile s;
  s.number = std::to_string(k + 1);
  s.place = "0\\0\\" + std::to_string(k);
  s.pixels = pixels_of<uint16_t>({0, 1, 2, 3, 4, 5});
  return s;
}

}  // namespace

class DicomSeriesTest : public VolumeFolder {
  Q_OBJECT

  // A folder of four slices of which some were changed.
  fs::path series(const std::function<void(SliceFile&, int)>& change) const {
    fs::remove_all(path("series"));
    fs::create_directory(path("series"));
    for (int k = 0; k < 4; ++k) {
      SliceFile s = slice(k);
      change(s, k);
      put(path("series") / ("s" + std::to_string(k) + ".dcm"), bytes_of_slice(s));
    }
    return path("series");
  }
  Result<at::Tensor> one(const SliceFile& s) const {
    put(path("one.dcm"), bytes_of_slice(s));
    TL_TRY(const at::Tensor voxels, read_all(path("one.dcm")));
    return voxels.clone();
  }
  static bool says(const Error& e, const char* words) { return e.message().find(words) != std::string::npos; }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void numbers_are_values() {
    SliceFile s = slice(0);
    QVERIFY(one(s).or_throw().equal(stored()));
    s.intercept = "-1000";
    QVERIFY(one(s).or_throw().equal(stored() - 1000));
    s.slope = "2";
    QVERIFY(one(s).or_throw().equal(2 * stored() - 1000));
  }

  // Enhanced images state scale and position of each frame in sequences.
  void functional_groups_are_refused() {
    for (const char* element : {"\x29\x92", "\x30\x92"}) {
      SliceFile s = slice(0);
      s.frames = "2";
      s.pixels += s.pixels;
      QVERIFY(one(s).ok());
      s.more = std::string("\x00\x52", 2) + element + "SQ" + std::string(6, '\0');
      const auto refused = one(s);
      QVERIFY(!refused.ok() && refused.error().kind == ErrorKind::unavailable &&
              says(refused.error(), "functional groups"));
    }
  }

  // Voxels are read as float32, which has 24 bits.
  void bits_outside_the_numbers_are_removed() {
    SliceFile s = slice(0);
    s.bits = 32;
    s.stored = 20;
    s.is_signed = 1;
    s.pixels = pixels_of<int32_t>({0, 1, 2, 3, 4, 5});
    QVERIFY(one(s).or_throw().equal(stored()));
    s.pixels = pixels_of<int32_t>({0, -1, 0xfffff, 0x80000, -0x80000, 0x7ffff});
    QVERIFY(one(s).or_throw().equal(at::tensor({0.F, -1.F, -1.F, -524288.F, -524288.F, 524287.F}).reshape({1, 2, 3})));
    s.pixels = pixels_of<int32_t>({0, 1, 0x70000003, 3, 4, 5});
    QCOMPARE(one(s).error().kind, ErrorKind::unavailable);
    s.stored = 28;
    s.pixels = pixels_of<int32_t>({0, 1, 2, 3, 4, 5});
    QVERIFY(one(s).error().kind == ErrorKind::unavailable && says(one(s).error(), "28 of 32 bits"));
    s.stored = 32;
    QVERIFY(one(s).or_throw().equal(stored()));
  }

  void slices_must_be_one_volume_data() {
    QTest::addColumn<QString>("words");
    for (const char* words :
         {"PixelSpacing", "off the line", "unequal distances", "2 behind 2", "4 behind 2", "neither its position"})
      QTest::newRow(words) << words;
  }
  void slices_must_be_one_volume() {
    QFETCH(QString, words);
    QCOMPARE(read_all(series([](SliceFile&, int) {})).or_throw().size(0), 4);
    const fs::path folder = series([&](SliceFile& s, int k) {
      if (words.contains("behind") || words.contains("neither")) s.place.clear();
      if (words == "PixelSpacing" && k == 2) s.spacing = "0.6\\0.5";
      if (words == "off the line" && k == 2) s.place = "0.2\\0\\2";
      if (words == "unequal distances" && k == 3) s.place = "0\\0\\4";
      if (words == "2 behind 2" && k == 2) s.number = "2";
      if (words == "4 behind 2" && k >= 2) s.number = std::to_string(k + 2);
      if (words == "neither its position" && k == 2) s.number.clear();
    });
    const auto refused = io::open_volume(folder);
    QVERIFY2(!refused.ok() && says(refused.error(), words.toUtf8()),
             refused.ok() ? "" : refused.error().message().c_str());
    QVERIFY(refused.error().kind == ErrorKind::invalid && refused.error().where.find(".dcm") != std::string::npos);
  }

  void slices_without_position_are_ordered_by_number() {
    const auto without = [](bool numbered) {
      return [numbered](SliceFile& s, int k) {
        s.place.clear();
        s.number = numbered ? std::to_string(10 - k) : "";
        s.intercept = std::to_string(100 * k);
      };
    };
    const at::Tensor by_number = read_all(series(without(true))).or_throw();
    QVERIFY(by_number[0].min().item<double>() == 300 && by_number[3].min().item<double>() == 0);
    const auto by_name = io::open_volume(series(without(false))).or_throw();
    QVERIFY(by_name->info().notes.front().find("order of their names") != std::string::npos);
    QVERIFY(by_name->read({{3, 4}, {0, rows}, {0, cols}}).or_throw().min().item<double>() == 300);
  }

  // Directories, reports and images that programs put next to a series.
  void other_files_are_left_out() {
    const fs::path folder = series([](SliceFile&, int) {});
    SliceFile report;
    report.has_image = false;
    report.series = "1.2.9";
    put(folder / "DICOMDIR", bytes_of_slice(report));
    put(folder / "empty", "");
    SliceFile picture = slice(0);
    picture.series = "1.2.8";
    picture.kind = "RGB";
    std::string packed = bytes_of_slice(picture);
    put(folder / "picture", packed);
    const std::string plain = "1.2.840.10008.1.2.1", jpeg = "1.2.840.10008.1.2.4.50";
    // The lengths of the element and of its group grow by two.
    packed.replace(packed.find(plain), 20, jpeg);
    packed[packed.find(jpeg) - 2] = 22;
    packed[128 + 4 + 8] += 2;
    put(folder / "picture.jpeg", packed);
    const auto volume = io::open_volume(folder);
    QVERIFY2(volume.ok(), volume.ok() ? "" : volume.error().message().c_str());
    QCOMPARE(volume.value()->info().grid.nz, 4);
    std::string notes;
    for (const std::string& note : volume.value()->info().notes) notes += note;
    QVERIFY2(notes.find("empty, DICOMDIR") != std::string::npos && notes.find("2 series") != std::string::npos,
             notes.c_str());
    QVERIFY(one(picture).error().kind == ErrorKind::invalid && one(report).error().kind == ErrorKind::invalid);
    put(path("packed"), packed);
    QVERIFY(says(read_all(path("packed")).error(), "JPEG"));
    // What belongs to the series, or was an image, must have its pixels.
    report.series = "1.2.3";
    put(folder / "DICOMDIR", bytes_of_slice(report));
    QVERIFY(says(io::open_volume(folder).error(), "no pixels"));
    const std::string whole = bytes_of_slice(slice(0));
    put(folder / "DICOMDIR", whole.substr(0, whole.size() - 12 - 12));
    QVERIFY(says(io::open_volume(folder).error(), "no pixels"));
  }

  void pixels_that_are_cut_off_are_noticed_on_opening() {
    const std::string whole = bytes_of_slice(slice(0));
    put(path("one.dcm"), whole.substr(0, whole.size() - 2));
    const auto opened = io::open_volume(path("one.dcm"));
    QVERIFY(!opened.ok() && opened.error().kind == ErrorKind::io && says(opened.error(), "within its pixels"));
  }

  // PS3.5, 6.2.2: an element of an unknown type and length holds implicit elements.
  void pixels_that_the_header_does_not_claim_are_refused() {
    SliceFile s = slice(0);
    s.pixels += s.pixels;
    const auto read = one(s);
    QVERIFY(!read.ok() && says(read.error(), "more pixels than its rows, columns and number of frames require"));
  }

  // Slices at the ends leave no gap: their numbers say that some are missing.
  void numbers_that_do_not_begin_with_one_are_noted() {
    const auto notes = [&](const std::string& first) {
      const auto volume = io::open_volume(series([&](SliceFile& s, int k) {
                            s.number = std::to_string(std::stoi(first) + k);
                          })).or_throw();
      return volume->info().notes;
    };
    const auto is_said = [](const std::vector<std::string>& all) {
      return std::any_of(all.begin(), all.end(), [](const std::string& note) {
        return note.starts_with("The numbers of the slices begin with 3");
      });
    };
    QVERIFY(is_said(notes("3")) && !is_said(notes("1")));
  }

  void unknown_sequences_are_implicit() {
    SliceFile s = slice(0);
    const std::string endless = "\xff\xff\xff\xff", nothing(4, '\0');
    s.more = std::string("\x09\x00\x10\x10UN\0\0", 8) + endless + std::string("\xfe\xff\x00\xe0", 4) + endless +
             std::string("\x10\x00\x20\x00\x04\x00\x00\x00wxyz", 12) + std::string("\xfe\xff\x0d\xe0", 4) + nothing +
             std::string("\xfe\xff\xdd\xe0", 4) + nothing;
    const auto read = one(s);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
    QVERIFY(read.value().equal(stored()));
  }
};

TL_TEST_CASE(DicomSeriesTest)

}  // namespace tl::dicom_series_test

#include "dicom_series.moc"
