// Full disks: every writer, with all volume formats of the registry, says that there is no room and where, and leaves
// nothing behind, wherever in the file the room ends.
#include <QTemporaryDir>

#include "core/io/output/samples.h"
#include "core/io/output/views_writer.h"
#include "core/io/volumes/format.h"
#include "tests/support/committed.h"
#include "tests/support/small_disk.h"
#include "tests/support/test_case.h"

namespace tl::full_disk_test {

namespace {

namespace fs = std::filesystem;
using io::SampleType;
using test::Shortage;

constexpr int64_t page = 4096;
const io::OutputRules rules = io::no_inputs(io::Overwrite::refuse);

Result<void> write_volume(const io::VolumeFormat& format, SampleType type, const fs::path& folder) {
  // Noise: what compresses finds room that others do not find.
  const at::Tensor voxels = at::rand({20, 48, 48}, at::kFloat);
  const VolumeGrid grid{20, 48, 48, {0, 0, 0}, {0.001, 0, 0}, {0, 0.001, 0}, {0, 0, 0.001}};
  const std::string name = "v" + std::string(format.extensions.substr(0, format.extensions.find(' ')));
  const std::string record = R"({"pipeline": {"a": "b"}, "provenance": {}})";
  TL_TRY(const auto writer, format.write({folder / name, grid, Unit::per_mm, type, 0, 1, rules, record}));
  for (int64_t z = 0; z < 20; z += 4) TL_TRY(writer->write({z, z + 4}, voxels.narrow(0, z, 4)));
  return test::committed(writer->finish());
}

ScanGeometry geometry() {
  std::vector<double> angles;
  for (int i = 0; i < 12; ++i) angles.push_back(pi * i / 12);
  return ScanGeometry::parallel(angles, {16, 64, 0.001, 0.001}).or_throw();
}

Result<void> write_views(const fs::path& folder) {
  TL_TRY(const auto writer, io::open_nxtomo_views({folder / "views.nx", geometry(), PixelKind::absorption, 20, rules}));
  TL_TRY(writer->write({{0, 12}, {0, 16}, {0, 64}}, at::rand({12, 16, 64}, at::kFloat)));
  return test::committed(writer->finish());
}

Result<void> write_text(const char* name, const fs::path& folder) {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += std::to_string(i) + ",0.5\n";
  return io::write_text(folder / name, text, rules);
}

using Writer = std::function<Result<void>(const fs::path& folder)>;

// Pages that the files of a folder fill, and the bytes of the largest.
struct Taken {
  int64_t pages = 0, largest = 0;
};
Taken taken_by(const Writer& write) {
  const QTemporaryDir folder;
  write(folder.path().toStdString()).or_throw();
  Taken taken;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path().toStdString())) {
    if (!entry.is_regular_file()) continue;
    const auto bytes = static_cast<int64_t>(entry.file_size());
    taken.pages += (bytes + page - 1) / page;
    taken.largest = std::max(taken.largest, bytes);
  }
  return taken;
}

}  // namespace

class FullDiskTest : public QObject {
  Q_OBJECT
  std::map<std::string, Writer> writers_;

  void try_in(const std::string& name, Shortage shortage, int64_t bytes) const {
    test::SmallDisk disk(shortage, bytes);
    if (!disk.is_made())
      QSKIP(shortage == Shortage::disk ? "no file system may be mounted" : "no limit for files may be set");
    const Result<void> written = writers_.at(name)(disk.folder());
    disk.end_limit();
    const std::string at = name + ", " + std::to_string(bytes) + " bytes: ";
    QVERIFY2(!written.ok(), (at + "written").c_str());
    const Error& e = written.error();
    QVERIFY2(e.kind == ErrorKind::io, (at + e.message()).c_str());
    const char* word = shortage == Shortage::disk ? "No space left on device" : "File too large";
    QVERIFY2(e.what.find(word) != std::string::npos, (at + e.message()).c_str());
    QVERIFY2(e.where.starts_with(disk.folder().string()) && !e.hint.empty(), (at + e.message()).c_str());
    std::string left;
    for (const auto& entry : fs::directory_iterator(disk.folder())) left += entry.path().filename().string() + " ";
    QVERIFY2(left.empty(), (at + left + "is left").c_str());
  }
  void rows() const {
    QTest::addColumn<QString>("name");
    for (const auto& [name, write] : writers_) QTest::newRow(name.c_str()) << QString::fromStdString(name);
  }

 private Q_SLOTS:
  void initTestCase() {
    for (const io::VolumeFormat& f : io::volume_formats())
      for (const SampleType type : {SampleType::float32, SampleType::uint16, SampleType::uint8}) {
        if (!f.stores(type)) continue;
        writers_[std::string(f.id) + " " + io::sample_type_name(type)] = [&f, type](const fs::path& folder) {
          return write_volume(f, type, folder);
        };
      }
    writers_["views"] = write_views;
    writers_["png"] = [](const fs::path& folder) {
      return io::write_png(folder / "slice.png", at::rand({200, 200}, at::kFloat), 0, 1, rules);
    };
    for (const char* file : {"table.csv", "parameters.json", "report.html"})
      writers_[file] = [file](const fs::path& folder) { return write_text(file, folder); };
  }

  void a_full_file_system_data() { rows(); }
  void a_full_file_system() {
    QFETCH(QString, name);
    const Taken taken = taken_by(writers_.at(name.toStdString()));
    QVERIFY(taken.pages >= 2);
    for (const int64_t pages : {int64_t{1}, taken.pages / 2, taken.pages - 1})
      try_in(name.toStdString(), Shortage::disk, pages * page);
  }

  void a_limit_for_files_data() { rows(); }
  void a_limit_for_files() {
    QFETCH(QString, name);
    const Taken taken = taken_by(writers_.at(name.toStdString()));
    for (const int64_t bytes : {int64_t{0}, int64_t{100}, taken.largest / 2, taken.largest - 1})
      try_in(name.toStdString(), Shortage::limit, bytes);
  }
};

TL_TEST_CASE(FullDiskTest)

}  // namespace tl::full_disk_test

#include "full_disk.moc"
