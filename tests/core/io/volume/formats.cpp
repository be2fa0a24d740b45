// What must hold for every volume format, walked through the registry: round trips of voxels and position, lazy boxes,
// recognition, damage, and outputs that appear complete or not at all.
#include <zlib.h>

#include "core/base/text.h"
#include "core/io/open_volume.h"
#include "tests/support/io/volume_files.h"
#include "tests/support/test_case.h"

namespace tl::volumes_test {

using namespace test::volumes;

class IoVolumesTest : public VolumeFolder {
  Q_OBJECT

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void declarations_are_complete_data() { formats(); }
  void declarations_are_complete() {
    const io::VolumeFormat& f = format();
    QVERIFY(!f.title.empty() && f.summary.ends_with('.') && (f.lacks.empty() || f.lacks.ends_with('.')));
    QVERIFY(f.sniff != nullptr && f.open != nullptr && f.write != nullptr);
    QCOMPARE(io::volume_format_by_name(file_of(f)).value()->extensions, f.extensions);
    QVERIFY(io::name_fits(f, file_of(f)));
    QVERIFY(f.output_kind == io::OutputKind::folder || first_ending(f).starts_with('.'));
  }

  void voxels_and_place_come_back_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("type");
    for (const io::VolumeFormat& f : io::volume_formats())
      for (const SampleType type : {SampleType::float32, SampleType::uint16, SampleType::uint8})
        if (f.stores(type))
          QTest::newRow((std::string(f.id) + " " + io::sample_type_name(type)).c_str())
              << QString::fromStdString(std::string(f.id)) << static_cast<int>(type);
  }
  void voxels_and_place_come_back() {
    QFETCH(int, type);
    const auto stored = static_cast<SampleType>(type);
    const io::VolumeTarget t = target(file_of(format()), off_centre(), stored);
    write(format(), t, numbers()).or_throw();
    const auto volume = io::open_volume(t.path).or_throw();
    const io::VolumeFileInfo& info = volume->info();
    QCOMPARE(info.format, std::string(format().id));
    QCOMPARE(info.voxel_type, io::sample_type_name(stored));
    QVERIFY(info.grid.nz == 5 && info.grid.ny == 4 && info.grid.nx == 3 && info.grid.is_axis_aligned());
    QVERIFY2(distance(info.grid, t.grid) < tolerance(format()), std::to_string(distance(info.grid, t.grid)).c_str());
    QVERIFY(info.voxel_size == Origin::file && info.position == Origin::file && !info.voxel_size_source.empty());
    QCOMPARE(info.unit, Unit::per_mm);
    QCOMPARE(std::string(trimmed(info.description)), format().lacks.empty() ? record : std::string());
    QVERIFY2(info.notes.empty(), info.notes.empty() ? "" : info.notes.front().c_str());
    const at::Tensor back = volume->read({{0, 5}, {0, 4}, {0, 3}}).or_throw();
    QCOMPARE(info.scale.has_value(), stored != SampleType::float32);
    QVERIFY(are_close(back, numbers(), value_tolerance(t)));
    QVERIFY(volume->inputs()->unchanged().ok() && !volume->files().empty());
  }

  // NIfTI's header and voxels in files of their own; by the name of either.
  void nifti_in_two_files() {
    const io::VolumeFormat& nifti = *io::find_volume_format("nifti");
    constexpr std::size_t magic = 344, offset = 108, header = 352;
    const io::VolumeTarget t = target(path("v.nii"), off_centre(), SampleType::uint16);
    write(nifti, t, numbers()).or_throw();
    const std::string whole = bytes_of(path("v.nii"));
    float begin = 0;
    std::memcpy(&begin, whole.data() + offset, sizeof begin);
    // With extensions, which lie behind the header.
    std::string first = whole.substr(0, static_cast<std::size_t>(begin));
    const std::string voxels = whole.substr(static_cast<std::size_t>(begin));
    first[magic + 1] = 'i';
    std::fill_n(first.begin() + offset, 4, '\0');
    const at::Tensor right = read_all(path("v.nii")).or_throw();
    for (const auto& [head, data] : {std::pair("p.hdr", "p.img"), {"P.HDR", "P.IMG"}, {"q.hdr.gz", "q.img.gz"}}) {
      const bool packed = std::string(head).ends_with(".gz");
      for (const auto& [name, bytes] : {std::pair(head, first), {data, voxels}}) {
        gzFile file = gzopen(path(name).c_str(), packed ? "wb" : "wbT");
        QCOMPARE(gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size())), static_cast<int>(bytes.size()));
        gzclose(file);
      }
      for (const char* named : {head, data}) {
        const auto volume = io::open_volume(path(named)).or_throw();
        QCOMPARE(volume->info().format, std::string("nifti"));
        QVERIFY(distance(volume->info().grid, t.grid) < tolerance(nifti));
        QCOMPARE(std::string(trimmed(volume->info().description)), record);
        QVERIFY(volume->read({{0, 5}, {0, 4}, {0, 3}}).or_throw().equal(right));
        QCOMPARE(volume->files().size(), std::size_t{2});
      }
    }
    const auto refused = [&](const char* name, const std::string& words) {
      const auto opened = io::open_volume(path(name));
      const std::string text = opened.ok() ? "was read" : opened.error().message();
      QVERIFY2(text.find(words) != std::string::npos, text.c_str());
    };
    put(path("p.img"), voxels.substr(2));
    refused("p.hdr", "p.img");
    fs::remove(path("p.img"));
    refused("p.hdr", "p.img, is missing");
    // Other formats have the same endings.
    std::string analyze = first.substr(0, header - 4);
    std::fill_n(analyze.begin() + magic, 4, '\0');
    put(path("a.hdr"), analyze);
    put(path("a.img"), voxels);
    for (const char* name : {"a.hdr", "a.img"}) refused(name, "a.hdr is a header of ANALYZE 7.5");
    put(path("e.hdr"), "ENVI\nsamples = 5\nlines = 4\nbands = 3\n");
    put(path("e.img"), voxels);
    put(path("s.hdr"), "BYTEORDER I\nLAYOUT BIL\nNROWS 4\nNCOLS 5\n");
    put(path("s.img"), voxels);
    for (const char* name : {"e.hdr", "e.img", "s.hdr", "s.img"}) refused(name, "text header of ESRI or ENVI");
  }

  void rotated_volumes_keep_their_place_data() { formats(); }
  void rotated_volumes_keep_their_place() {
    const io::VolumeTarget t = target(file_of(format()), turned(), best_type(format()));
    write(format(), t, numbers()).or_throw();
    const auto volume = io::open_volume(t.path).or_throw();
    QVERIFY2(distance(volume->info().grid, t.grid) < tolerance(format()),
             std::to_string(distance(volume->info().grid, t.grid)).c_str());
    QVERIFY(are_close(read_all(t.path).or_throw(), numbers(), value_tolerance(t)));
  }

  void boxes_equal_the_whole_data() { formats(); }
  void boxes_equal_the_whole() {
    const io::VolumeTarget t = target(file_of(format()), off_centre(), SampleType::uint16);
    write(format(), t, numbers()).or_throw();
    const auto volume = io::open_volume(t.path).or_throw();
    const at::Tensor whole = volume->read({{0, 5}, {0, 4}, {0, 3}}).or_throw();
    for (const GridBox& box : {GridBox{{1, 3}, {0, 4}, {0, 3}}, GridBox{{4, 5}, {1, 3}, {0, 3}},
                               GridBox{{0, 5}, {2, 3}, {1, 2}}, GridBox{{2, 4}, {1, 4}, {0, 2}}}) {
      const at::Tensor part = volume->read(box).or_throw();
      QVERIFY(part.equal(
          whole.slice(0, box.z.begin, box.z.end).slice(1, box.y.begin, box.y.end).slice(2, box.x.begin, box.x.end)));
    }
    QCOMPARE(volume->read({{2, 2}, {0, 4}, {0, 3}}).or_throw().numel(), 0);
    const auto outside = volume->read({{0, 6}, {0, 4}, {0, 3}});
    QCOMPARE(outside.error().kind, ErrorKind::invalid);
    QVERIFY(outside.error().hint.find("5 x 4 x 3") != std::string::npos);
  }

  void a_named_format_is_used_data() { formats(); }
  void a_named_format_is_used() {
    const io::VolumeTarget t = target(file_of(format()), off_centre(), best_type(format()));
    write(format(), t, numbers()).or_throw();
    for (const io::VolumeFormat& other : io::volume_formats()) {
      const auto opened = io::open_volume(t.path, other.id);
      QCOMPARE(opened.ok(), &other == &format());
      if (!opened.ok()) QVERIFY(!opened.error().what.empty() && !opened.error().where.empty());
    }
    QCOMPARE(io::open_volume(t.path, "no_such_format").error().kind, ErrorKind::invalid);
  }

  void damaged_files_are_refused_data() { formats(); }
  void damaged_files_are_refused() {
    const io::VolumeTarget t = target(file_of(format()), off_centre(), best_type(format()));
    write(format(), t, numbers()).or_throw();
    const fs::path file = file_of_voxels(t.path);
    const std::string whole = bytes_of(file);
    for (const double part : {0.9, 0.5, 0.1, 0.01}) {
      put(file, whole.substr(0, static_cast<std::size_t>(part * static_cast<double>(whole.size()))));
      const auto read = read_all(t.path);
      QVERIFY2(!read.ok(), ("a file cut to " + std::to_string(part) + " was read").c_str());
      QVERIFY2(read.error().kind == ErrorKind::io || read.error().kind == ErrorKind::invalid,
               read.error().message().c_str());
    }
    put(file, "");
    QVERIFY(!read_all(t.path).ok());
    put(file, std::string(3000, 'x'));
    if (file == t.path) QCOMPARE(read_all(t.path).error().kind, ErrorKind::invalid);
  }

  // Each byte of a header may be wrong: numbers, or an error that says where; the reading process does not crash.
  void wrong_bytes_are_survived_data() { formats(); }
  void wrong_bytes_are_survived() {
    const io::VolumeTarget t = target(file_of(format()), off_centre(), SampleType::uint16);
    write(format(), t, numbers()).or_throw();
    const fs::path file = file_of_header(t.path);
    const std::string whole = bytes_of(file);
    constexpr int trials = 120;
    uint64_t state = 7;
    const auto random = [&](uint64_t below) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return (state >> 33) % below;
    };
    for (int i = 0; i < trials; ++i) {
      std::string bytes = whole;
      for (uint64_t n = 1 + random(3); n > 0; --n)
        bytes[random(std::min<uint64_t>(bytes.size(), 700))] = static_cast<char>(random(256));
      put(file, bytes);
      const auto read = read_all(t.path);
      if (read.ok()) continue;
      const Error& e = read.error();
      QVERIFY2(e.kind != ErrorKind::internal && !e.what.empty() && !e.where.empty(), e.message().c_str());
      QVERIFY2(e.what.find("crashes") == std::string::npos, ("trial " + std::to_string(i)).c_str());
    }
  }

  void headers_that_lie_are_refused_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    const QString nrrd = "NRRD0005\ntype: float\ndimension: 3\nsizes: %1\nencoding: %2\nendian: little\n\nabcd";
    const QString meta = "NDims = 3\nDimSize = %1\nElementType = %2\nElementDataFile = %3\n";
    QTest::newRow("more voxels than bytes") << "v.nrrd" << nrrd.arg("4000 4000 4000", "raw");
    QTest::newRow("more voxels than packed bytes can be") << "v.nrrd" << nrrd.arg("4000 4000 4000", "gzip");
    QTest::newRow("overflow") << "v.nrrd" << nrrd.arg("4294967296 4294967296 4294967296", "raw");
    QTest::newRow("negative") << "v.nrrd" << nrrd.arg("-1 -1 1", "raw");
    QTest::newRow("two numbers") << "v.nrrd" << nrrd.arg("1 1", "raw");
    QTest::newRow("unknown encoding") << "v.nrrd" << nrrd.arg("1 1 1", "bzip2");
    QTest::newRow("mhd, more voxels than bytes") << "v.mha" << meta.arg("4000 4000 4000", "MET_FLOAT", "LOCAL");
    QTest::newRow("mhd, unknown type") << "v.mha" << meta.arg("1 1 1", "MET_TEXT", "LOCAL");
    QTest::newRow("mhd, no such file") << "v.mhd" << meta.arg("1 1 1", "MET_FLOAT", "none.raw");
    QTest::newRow("mhd, another folder") << "v.mhd" << meta.arg("1 1 1", "MET_UCHAR", "../v.raw");
    QTest::newRow("mhd, an absolute path") << "v.mhd" << meta.arg("1 1 1", "MET_UCHAR", "/etc/hostname");
    QTest::newRow("mhd, the folder itself") << "v.mhd" << meta.arg("1 1 1", "MET_UCHAR", "..");
    QTest::newRow("mhd, cut") << "v.mhd"
                              << "NDims = 3\nDimSize = 1 1 1\nElementTy";
  }
  void headers_that_lie_are_refused() {
    QFETCH(QString, name);
    QFETCH(QString, text);
    put(path(name.toStdString()), text.toStdString());
    const auto opened = io::open_volume(path(name.toStdString()));
    QVERIFY(!opened.ok());
    QVERIFY2(opened.error().kind != ErrorKind::internal && !opened.error().hint.empty(),
             opened.error().message().c_str());
  }

  void what_is_not_a_volume_is_refused() {
    put(path("empty.nrrd"), "");
    QCOMPARE(io::open_volume(path("empty.nrrd")).error().kind, ErrorKind::io);
    QCOMPARE(io::open_volume(path("none.nrrd")).error().kind, ErrorKind::io);
    put(path("text.nrrd"), "this is not a volume");
    const auto text = io::open_volume(path("text.nrrd"));
    QCOMPARE(text.error().kind, ErrorKind::invalid);
    QVERIFY(text.error().hint.find("NRRD") != std::string::npos);
    fs::create_directory(path("folder"));
    QCOMPARE(io::open_volume(path("folder")).error().kind, ErrorKind::invalid);
    QCOMPARE(io::volume_format_by_name("a.xyz").error().kind, ErrorKind::invalid);
  }

  void outputs_appear_complete_or_not_at_all_data() { formats(); }
  void outputs_appear_complete_or_not_at_all() {
    const io::VolumeTarget t = target(file_of(format()), off_centre(), best_type(format()));
    {
      const auto writer = format().write(t).or_throw();
      writer->write({0, 2}, numbers().narrow(0, 0, 2)).or_throw();
    }
    QVERIFY2(fs::is_empty(path("")), "something was left of an unfinished volume");
    write(format(), t, numbers()).or_throw();
    const auto again = write(format(), t, numbers());
    QCOMPARE(again.error().kind, ErrorKind::invalid);
    io::VolumeTarget replacing = t;
    replacing.rules = io::no_inputs(io::Overwrite::replace);
    const Result<void> replaced = write(format(), replacing, numbers() - 1);
    QVERIFY2(replaced.ok(), replaced.ok() ? "" : replaced.error().message().c_str());
    const at::Tensor clamped = t.type == SampleType::float32 ? numbers() - 1 : (numbers() - 1).clamp_min(t.low);
    QVERIFY(are_close(read_all(t.path).or_throw(), clamped, value_tolerance(t)));
    for (const auto& left : fs::directory_iterator(path("")))
      QVERIFY(!left.path().filename().string().starts_with('.'));
  }

  void integers_need_a_range_data() { formats(); }
  void integers_need_a_range() {
    io::VolumeTarget t = target(file_of(format()), off_centre(), SampleType::uint16);
    t.low = t.high;
    QCOMPARE(format().write(t).error().kind, ErrorKind::invalid);
    QVERIFY(fs::is_empty(path("")));
  }

  void compressed_volumes_come_back_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("name");
    for (const io::VolumeFormat& f : io::volume_formats()) {
      const std::string id(f.id), name = f.id == "nifti" ? "v.nii.gz" : "v" + first_ending(f);
      if (f.compression != io::Compression::none)
        QTest::newRow(id.c_str()) << QString::fromStdString(id) << QString::fromStdString(name);
    }
    QTest::newRow("metaimage in one file") << "metaimage"
                                           << "v.mha";
  }
  void compressed_volumes_come_back() {
    QFETCH(QString, name);
    const VolumeGrid grid{16, 30, 40, {0, 0, 0}, {0.5, 0, 0}, {0, 0.25, 0}, {0, 0, 2}};
    const at::Tensor voxels = at::arange(16 * 30 * 40, at::kFloat).reshape({16, 30, 40}).floor_divide(500) / 4 - 2;
    for (const SampleType type : {SampleType::float32, SampleType::uint8}) {
      io::VolumeTarget t = target(path(name.toStdString()), grid, type);
      t.compression = io::Compression::gzip;
      t.rules = io::no_inputs(io::Overwrite::replace);
      write(format(), t, voxels).or_throw();
      int64_t bytes = 0;
      for (const auto& file : fs::recursive_directory_iterator(path("")))
        if (file.is_regular_file()) bytes += static_cast<int64_t>(file.file_size());
      // Less than half, next to headers of a folder's slices and of HDF5.
      QVERIFY2(bytes < grid.count() * io::bytes_per_sample(type) / 2 + 16 * 1500, std::to_string(bytes).c_str());
      const auto volume = io::open_volume(t.path).or_throw();
      QVERIFY(are_close(volume->read({{0, 16}, {0, 30}, {0, 40}}).or_throw(), voxels, value_tolerance(t)));
      // Forwards and backwards.
      for (const GridBox& box : {GridBox{{9, 11}, {3, 20}, {7, 40}}, GridBox{{1, 2}, {0, 30}, {0, 40}}})
        QVERIFY(are_close(
            volume->read(box).or_throw(),
            voxels.slice(0, box.z.begin, box.z.end).slice(1, box.y.begin, box.y.end).slice(2, box.x.begin, box.x.end),
            value_tolerance(t)));
      fs::remove_all(t.path);
    }
  }

  // A folder of slices of other programs: no description, no scale.
  void slices_without_our_words_are_read() {
    const io::VolumeFormat& stack = *io::find_volume_format("tiff_stack");
    const io::VolumeTarget t = target(path("v"), off_centre(), SampleType::uint16);
    write(stack, t, numbers()).or_throw();
    const at::Tensor values = read_all(path("v")).or_throw();
    // Without the scale file the description of the first slice says the same.
    fs::remove(path("v") / "scale.json");
    QVERIFY(read_all(path("v")).or_throw().equal(values));
    for (const auto& slice : fs::directory_iterator(path("v"))) {
      std::string bytes = bytes_of(slice.path());
      for (const char* word : {"ImageJ=", "cf=0", "grid_mm="})
        if (const auto at = bytes.find(word); at != std::string::npos) bytes[at] = 'x';
      put(slice.path(), bytes);
    }
    const auto plain = io::open_volume(path("v")).or_throw();
    QVERIFY(plain->info().voxel_size == Origin::guessed && plain->info().position == Origin::guessed);
    QVERIFY(!plain->info().scale && !plain->info().notes.empty());
    const double step = (t.high - t.low) / 65535;
    QVERIFY((read_all(path("v")).or_throw() * step + t.low - values).abs().max().item<double>() < 1e-5);
  }
};

TL_TEST_CASE(IoVolumesTest)

}  // namespace tl::volumes_test

#include "formats.moc"
