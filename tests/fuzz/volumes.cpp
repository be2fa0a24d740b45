// Damaged volumes: thousands of wrong files of every format in the registry are opened and read; each gives voxels or
// an error that says what and where, and none crashes, hangs or takes memory that its size does not explain.
#include <ATen/Parallel.h>
#include <tiffio.h>

#include <QTemporaryDir>
#include <fstream>

#include "core/io/open_volume.h"
#include "core/io/output/samples.h"
#include "core/io/volumes/format.h"
#include "tests/fuzz/hdf5_checksums.h"
#include "tests/fuzz/many_trials.h"
#include "tests/fuzz/mutations.h"
#include "tests/support/committed.h"
#include "tests/support/file_tree.h"
#include "tests/support/test_case.h"

namespace tl::volumes_fuzz {

using tl::test::contents;
namespace fs = std::filesystem;

namespace {

constexpr int64_t nz = 5, ny = 7, nx = 6;

// A small volume with all that its format can state. The file, or the folder of slices.
fs::path make_volume(const io::VolumeFormat& format, io::SampleType type, const fs::path& folder) {
  const VolumeGrid grid{nz, ny, nx, {1, -2, 3}, {0.001, 0, 0}, {0, 0.001, 0}, {0, 0, 0.002}};
  fs::path file = folder / ("v" + std::string(format.extensions.substr(0, format.extensions.find(' '))));
  const std::string record = R"({"pipeline": {"format": "tomoloom-pipeline"}, "provenance": {"inputs": {}}})";
  const auto writer =
      format.write({file, grid, Unit::per_mm, type, -3, 19, io::no_inputs(io::Overwrite::refuse), record}).or_throw();
  const at::Tensor voxels = at::arange(nz * ny * nx, at::kFloat).reshape({nz, ny, nx}) * 0.1 - 3;
  writer->write({0, nz}, voxels).or_throw();
  test::committed(writer->finish()).or_throw();
  return file;
}

std::string complaint_about(const Error& e) {
  if (e.where.empty()) return "an error without a location: " + e.message();
  return fuzz::complaint_about(e);
}

// What is wrong with a size. A damaged one may be honest about a file with holes: `few` says whether its voxels are
// read.
std::string complaint_about(const VolumeGrid& g, bool& few) {
  if (g.nz <= 0 || g.ny <= 0 || g.nx <= 0) return "a volume without voxels was opened";
  few = g.nz <= (1 << 20) / g.ny && g.nz * g.ny <= (1 << 20) / g.nx;
  return {};
}

// As every user reads it, by a process of its own.
std::string read_elsewhere(const fs::path& file) {
  const auto volume = io::open_volume(file);
  if (!volume.ok()) return complaint_about(volume.error());
  const VolumeGrid& g = volume.value()->info().grid;
  bool few = false;
  if (std::string complaint = complaint_about(g, few); !complaint.empty() || !few) return complaint;
  const auto voxels = volume.value()->read({{0, g.nz}, {0, g.ny}, {0, g.nx}});
  return voxels.ok() ? std::string() : complaint_about(voxels.error());
}

// In this process, whose memory is counted and whose sanitizers are heard.
std::string read_here(const fs::path& file) {
  fuzz::limit_as_reader();
  const auto volume =
      io::open_volume_here(file, {}, {std::make_shared<io::SourceFiles>(file, io::OutsideLinks::refuse), 1});
  if (!volume.ok()) return complaint_about(volume.error());
  const VolumeGrid& g = volume.value().info.grid;
  bool few = false;
  if (std::string complaint = complaint_about(g, few); !complaint.empty() || !few) return complaint;
  const auto read =
      volume.value().voxels->read({{0, g.nz}, {0, g.ny}, {0, g.nx}}, at::empty({g.nz, g.ny, g.nx}, at::kFloat));
  return read.ok() ? std::string() : complaint_about(read.error());
}

// A file as it was written.
struct SoundFile {
  fs::path path;
  std::string bytes;
  fuzz::Hdf5Checksums checksums;
  void write(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }
};

// All files of a volume: of a folder its members, of a header also its file of voxels.
std::vector<SoundFile> files_of(const fs::path& volume) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(fs::is_directory(volume) ? volume : volume.parent_path()))
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<SoundFile> files;
  for (const fs::path& path : paths) {
    const std::string bytes = contents(path);
    files.push_back({path, bytes, fuzz::Hdf5Checksums(bytes)});
    fuzz::keep_sound(bytes, path.parent_path().filename().string() + "_" + path.filename().string());
  }
  return files;
}

// In every second trial the header as a text: numbers become extreme, lines are lost or repeated.
std::string damaged(const std::string& good, int64_t trial, fuzz::Random& random) {
  const std::size_t header = std::min<std::size_t>(good.size(), 600);
  if (trial % 2 == 0) return fuzz::damaged_bytes(good, random);
  return fuzz::damaged_text(good.substr(0, header), random) + good.substr(header);
}

}  // namespace

class VolumesFuzz : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    TIFFSetWarningHandler(nullptr);
    at::set_num_threads(1);  // children of a process with threads would wait for them
  }

  void damaged_files_give_voxels_or_errors_data() {
    QTest::addColumn<QString>("id");
    for (const io::VolumeFormat& f : io::volume_formats())
      QTest::newRow(std::string(f.id).c_str()) << QString::fromStdString(std::string(f.id));
  }
  void damaged_files_give_voxels_or_errors() {
    QFETCH(QString, id);
    const io::VolumeFormat& format = *io::find_volume_format(id.toStdString());
    const QTemporaryDir dir;
    std::vector<std::pair<fs::path, std::vector<SoundFile>>> volumes;
    for (const auto type : {io::SampleType::float32, io::SampleType::uint16}) {
      if (!format.stores(type)) continue;
      const fs::path folder = fs::path(dir.path().toStdString()) / io::sample_type_name(type);
      fs::create_directory(folder);
      const fs::path volume = make_volume(format, type, folder);
      QCOMPARE(read_elsewhere(volume), std::string());
      volumes.emplace_back(volume, files_of(volume));
    }
    const auto damage = [&](int64_t trial, const auto& read) -> std::string {
      fuzz::Random random(fuzz::seed() * 1'000'003 + static_cast<uint64_t>(trial));
      const auto& [volume, files] = volumes[static_cast<std::size_t>(trial) % volumes.size()];
      for (const SoundFile& file : files) file.write(file.bytes);  // also what a trial that crashed left
      const SoundFile& victim = files[static_cast<std::size_t>(trial) / volumes.size() % files.size()];
      std::string bad = damaged(victim.bytes, trial / static_cast<int64_t>(volumes.size() * files.size()), random);
      if (bad.size() == victim.bytes.size()) victim.checksums.repair(bad);
      victim.write(bad);
      std::string complaint =
          fuzz::complaint_within_limits([&] { return read(volume); }, static_cast<int64_t>(bad.size()));
      if (!complaint.empty()) fuzz::keep(bad, std::to_string(trial) + "_" + victim.path.filename().string());
      return complaint;
    };
    const auto failures = fuzz::run_reading_trials(
        fuzz::trials(2000), [&](int64_t trial) { return damage(trial, read_here); },
        [&](int64_t trial) { return damage(trial, read_elsewhere); },
        id == "nxtomoproc" ? fuzz::Library::hdf5 : fuzz::Library::any);
    QVERIFY2(failures.empty(), fuzz::describe(failures).c_str());
  }
};

TL_TEST_CASE(VolumesFuzz)

}  // namespace tl::volumes_fuzz

#include "volumes.moc"
