// What must hold for every volume format, walked through the registry: round trips of voxels and place, lazy boxes,
// recognition, damage, and outputs that appear complete or not at all.
#include <QTemporaryDir>
#include <cmath>
#include <fstream>
#include <iterator>

#include "core/io/header_text.h"
#include "core/io/samples.h"
#include "core/io/volume/convert.h"
#include "core/io/volume/format.h"
#include "core/io/volume/volume.h"
#include "tests/support/committed.h"
#include "tests/support/test_case.h"

namespace tl::volumes_test {

namespace {

namespace fs = std::filesystem;
using io::SampleType;

// Positions are stored as decimal texts or doubles: some roundings of numbers of about 10 mm.
constexpr double same_place = 1e-11;  // [mm]
// NIfTI has float32 for positions of about 10 mm, and for the scale of integers.
constexpr double same_place_in_nifti = 2e-6;
const std::string record = "{\"pipeline\": {\"a\": \"b\\\\c\"},\n\"provenance\": {}}";

// Away from the origin, with three different voxel sizes.
VolumeGrid off_centre() { return {5, 4, 3, {1.25, -2.5, 10}, {0.00065, 0, 0}, {0, 0.0007, 0}, {0, 0, 0.0013}}; }
// Turned about z and tilted, by angles without short decimals.
VolumeGrid turned() {
  VolumeGrid g = off_centre();
  const double a = 0.3, b = 0.2;
  const Vec3 x{std::cos(a), std::sin(a), 0}, y{-std::sin(a) * std::cos(b), std::cos(a) * std::cos(b), std::sin(b)};
  g.step_x = 0.01 * x;
  g.step_y = 0.02 * y;
  g.step_z = 0.03 * cross(x, y);
  return g;
}
at::Tensor numbers() { return (at::arange(60, at::kFloat).reshape({5, 4, 3}) * 0.37 - 3).contiguous(); }

double distance(const VolumeGrid& a, const VolumeGrid& b) {
  double most = 0;
  for (const double k : {0.0, 4.0})
    for (const double j : {0.0, 3.0})
      for (const double i : {0.0, 2.0}) most = std::max(most, norm(a.position(k, j, i) - b.position(k, j, i)));
  return most;
}

double tolerance(const io::VolumeFormat& f) { return f.id == "nifti" ? same_place_in_nifti : same_place; }

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void put(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

std::string first_ending(const io::VolumeFormat& f) {
  return std::string(f.extensions.substr(0, f.extensions.find(' ')));
}

}  // namespace

class IoVolumesTest : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  fs::path path(const std::string& name) const { return dir_->filePath(QString::fromStdString(name)).toStdString(); }

  static void formats() {
    QTest::addColumn<QString>("id");
    for (const io::VolumeFormat& f : io::volume_formats())
      QTest::newRow(std::string(f.id).c_str()) << QString::fromStdString(std::string(f.id));
  }
  static const io::VolumeFormat& format() {
    QFETCH(QString, id);
    return *io::find_volume_format(id.toStdString());
  }
  static io::VolumeTarget target(const fs::path& file, const VolumeGrid& grid, SampleType type = SampleType::float32) {
    return {file, grid, Unit::per_mm, type, -3, 19, io::no_inputs(io::Overwrite::refuse), record};
  }
  static Result<void> write(const io::VolumeFormat& f, const io::VolumeTarget& t, const at::Tensor& voxels) {
    TL_TRY(const auto writer, f.write(t));
    const int64_t half = voxels.size(0) / 2;
    TL_TRY(writer->write({0, half}, voxels.narrow(0, 0, half)));
    TL_TRY(writer->write({half, voxels.size(0)}, voxels.narrow(0, half, voxels.size(0) - half)));
    return test::committed(writer->finish());
  }
  fs::path file_of(const io::VolumeFormat& f) const { return path("v" + first_ending(f)); }
  // What opening, or reading everything, gives.
  static Result<at::Tensor> read_all(const fs::path& file, std::string_view format = {}) {
    TL_TRY(const auto volume, io::open_volume(file, format));
    const VolumeGrid& g = volume->info().grid;
    return volume->read({{0, g.nz}, {0, g.ny}, {0, g.nx}});
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }

  void declarations_are_complete_data() { formats(); }
  void declarations_are_complete() {
    const io::VolumeFormat& f = format();
    QVERIFY(!f.title.empty() && f.summary.ends_with('.') && (f.lacks.empty() || f.lacks.ends_with('.')));
    QVERIFY(f.sniff != nullptr && f.open != nullptr && f.write != nullptr);
    QCOMPARE(io::volume_format_by_name(file_of(f)).value(), &f);
    QVERIFY(f.output_kind() == io::OutputKind::folder || first_ending(f).starts_with('.'));
  }

  void voxels_and_place_come_back_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("type");
    for (const io::VolumeFormat& f : io::volume_formats())
      for (const SampleType type : {SampleType::float32, SampleType::uint16, SampleType::uint8})
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
    QCOMPARE(io::without_spaces_around(info.description), format().lacks.empty() ? record : std::string());
    QVERIFY2(info.notes.empty(), info.notes.empty() ? "" : info.notes.front().c_str());
    const at::Tensor back = volume->read({{0, 5}, {0, 4}, {0, 3}}).or_throw();
    if (stored == SampleType::float32) {
      QVERIFY(!info.scale && back.equal(numbers()));
    } else {
      // Half a step of the integers, and the rounding of float32 in values and scale.
      QVERIFY(info.scale && (back - numbers()).abs().max().item<double>() < 0.501 * info.scale->step + 5e-6);
    }
    QVERIFY(volume->inputs()->unchanged().ok() && !volume->files().empty());
  }

  void rotated_volumes_keep_their_place_data() { formats(); }
  void rotated_volumes_keep_their_place() {
    const io::VolumeTarget t = target(file_of(format()), turned());
    write(format(), t, numbers()).or_throw();
    const auto volume = io::open_volume(t.path).or_throw();
    QVERIFY2(distance(volume->info().grid, t.grid) < tolerance(format()),
             std::to_string(distance(volume->info().grid, t.grid)).c_str());
    QVERIFY(read_all(t.path).or_throw().equal(numbers()));
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
    const io::VolumeTarget t = target(file_of(format()), off_centre());
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
    const io::VolumeTarget t = target(file_of(format()), off_centre());
    write(format(), t, numbers()).or_throw();
    // The file with the voxels: the last slice of a folder, the file beside a header.
    fs::path file = t.path;
    if (fs::is_directory(file)) file /= "v_00004.tif";
    if (file.extension() == ".mhd") file.replace_extension(".raw");
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

  // Each byte of a header may be wrong: numbers, or an error with its place; the reading process does not crash.
  void wrong_bytes_are_survived_data() { formats(); }
  void wrong_bytes_are_survived() {
    const io::VolumeTarget t = target(file_of(format()), off_centre(), SampleType::uint16);
    write(format(), t, numbers()).or_throw();
    fs::path file = t.path;
    if (fs::is_directory(file)) file /= "v_00000.tif";
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

  void what_is_no_volume_is_refused() {
    put(path("empty.nrrd"), "");
    QCOMPARE(io::open_volume(path("empty.nrrd")).error().kind, ErrorKind::io);
    QCOMPARE(io::open_volume(path("none.nrrd")).error().kind, ErrorKind::io);
    put(path("text.nrrd"), "this is no volume");
    const auto text = io::open_volume(path("text.nrrd"));
    QCOMPARE(text.error().kind, ErrorKind::invalid);
    QVERIFY(text.error().hint.find("NRRD") != std::string::npos);
    fs::create_directory(path("folder"));
    QCOMPARE(io::open_volume(path("folder")).error().kind, ErrorKind::invalid);
    QCOMPARE(io::volume_format_by_name("a.xyz").error().kind, ErrorKind::invalid);
  }

  void outputs_appear_complete_or_not_at_all_data() { formats(); }
  void outputs_appear_complete_or_not_at_all() {
    const io::VolumeTarget t = target(file_of(format()), off_centre());
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
    const Result<void> replaced = write(format(), replacing, numbers() + 1);
    QVERIFY2(replaced.ok(), replaced.ok() ? "" : replaced.error().message().c_str());
    QVERIFY(read_all(t.path).or_throw().equal(numbers() + 1));
  }

  void integers_need_a_range_data() { formats(); }
  void integers_need_a_range() {
    io::VolumeTarget t = target(file_of(format()), off_centre(), SampleType::uint8);
    t.low = t.high;
    QCOMPARE(format().write(t).error().kind, ErrorKind::invalid);
    QVERIFY(fs::is_empty(path("")));
  }

  // Each format to each: the same voxels at the same place.
  void formats_convert_into_each_other_data() { formats(); }
  void formats_convert_into_each_other() {
    const io::VolumeTarget t = target(file_of(format()), off_centre(), SampleType::uint16);
    write(format(), t, numbers()).or_throw();
    const at::Tensor whole = read_all(t.path).or_throw();
    for (const io::VolumeFormat& to : io::volume_formats()) {
      const auto source = io::open_volume(t.path).or_throw();
      io::VolumeConversion wanted;
      wanted.output = path("converted" + first_ending(to));
      wanted.format = &to;
      wanted.box = io::parse_box("1:4,:,1:", source->info().grid).or_throw();
      wanted.description = source->info().description;
      wanted.rules = io::no_inputs(io::Overwrite::refuse);
      int64_t told = 0;
      const auto done = io::convert_volume(*source, wanted, {}, [&](int64_t slices, int64_t) { told = slices; });
      QVERIFY2(done.ok(), done.ok() ? "" : done.error().message().c_str());
      QCOMPARE(told, 3);
      const auto written = io::open_volume(wanted.output).or_throw();
      const VolumeGrid part = t.grid.sub({1, 4}, {0, 4}, {1, 3});
      QVERIFY(norm(written->info().grid.position(0, 0, 0) - part.position(0, 0, 0)) <
              std::max(tolerance(format()), tolerance(to)));
      QCOMPARE(written->info().voxel_type, std::string("uint16"));
      QCOMPARE(io::without_spaces_around(written->info().description),
               format().lacks.empty() && to.lacks.empty() ? record : std::string());
      QVERIFY(read_all(wanted.output).or_throw().allclose(whole.slice(0, 1, 4).slice(2, 1, 3), 0, 1e-5));
    }
  }

  void regions_are_parsed() {
    const VolumeGrid g = off_centre();
    const GridBox all = io::parse_box(",,", g).or_throw();
    QVERIFY(all.z == Range({0, 5}) && all.y == Range({0, 4}) && all.x == Range({0, 3}));
    const GridBox some = io::parse_box("2,1:,:2", g).or_throw();
    QVERIFY(some.z == Range({2, 3}) && some.y == Range({1, 4}) && some.x == Range({0, 2}));
    for (const char* wrong : {"", "1:2", "1:2,1:2", "a,b,c", "0:6,:,:", "3:3,:,:", "-1:2,:,:", "1:2,1:2,1:2,1:2"})
      QVERIFY2(!io::parse_box(wrong, g).ok(), wrong);
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

#include "volumes.moc"
