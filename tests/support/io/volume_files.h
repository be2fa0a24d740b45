// Volumes of every format, for tests that write, read and compare them, in a separate folder.
#pragma once

#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <QtTest/QtTest>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "core/io/open_volume.h"
#include "core/io/output/samples.h"
#include "core/io/volumes/format.h"
#include "tests/support/committed.h"

namespace tl::test::volumes {

namespace fs = std::filesystem;
using io::SampleType;

// Positions are stored as decimal texts or doubles: a few roundings of numbers of about 10 mm.
inline constexpr double same_place = 1e-11;  // [mm]
// NIfTI has float32 for positions of about 10 mm, and for the scale of integers.
inline constexpr double same_place_in_nifti = 2e-6;
inline const std::string record = "{\"pipeline\": {\"a\": \"b\\\\c\"},\n\"provenance\": {}}";

// Away from the origin, with three different voxel sizes.
inline VolumeGrid off_centre() { return {5, 4, 3, {1.25, -2.5, 10}, {0.00065, 0, 0}, {0, 0.0007, 0}, {0, 0, 0.0013}}; }
// Rotated about z and tilted, by angles without short decimals.
inline VolumeGrid turned() {
  VolumeGrid g = off_centre();
  const double a = 0.3, b = 0.2;
  const Vec3 x{std::cos(a), std::sin(a), 0}, y{-std::sin(a) * std::cos(b), std::cos(a) * std::cos(b), std::sin(b)};
  g.step_x = 0.01 * x;
  g.step_y = 0.02 * y;
  g.step_z = 0.03 * cross(x, y);
  return g;
}
inline at::Tensor numbers() { return (at::arange(60, at::kFloat).reshape({5, 4, 3}) * 0.37 - 3).contiguous(); }

inline double distance(const VolumeGrid& a, const VolumeGrid& b) {
  double most = 0;
  for (const double k : {0.0, 4.0})
    for (const double j : {0.0, 3.0})
      for (const double i : {0.0, 2.0}) most = std::max(most, norm(a.position(k, j, i) - b.position(k, j, i)));
  return most;
}

// float32 if the format supports it.
inline SampleType best_type(const io::VolumeFormat& f) {
  return f.stores(SampleType::float32) ? SampleType::float32 : SampleType::uint16;
}
// Allowed difference from the written values: half a step of the integers, and the rounding of float32.
inline double value_tolerance(const io::VolumeTarget& t) {
  if (t.type == SampleType::float32) return 0;
  return 0.501 * io::SampleScale{t.type, t.low, t.high}.step() + 5e-6;
}
inline bool are_close(const at::Tensor& a, const at::Tensor& b, double tolerance) {
  return a.sizes() == b.sizes() && (a - b).abs().max().item<double>() <= tolerance;
}

inline double tolerance(const io::VolumeFormat& f) { return f.id == "nifti" ? same_place_in_nifti : same_place; }

inline std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void put(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

// The first file with this name in a folder and its subfolders.
inline fs::path find_in(const fs::path& folder, const std::string& name) {
  for (const auto& one : fs::recursive_directory_iterator(folder))
    if (one.is_regular_file() && one.path().filename() == name) return one.path();
  return {};
}
// The file with the voxels: the last slice of a folder, a chunk, the data file of a header.
inline fs::path file_of_voxels(const fs::path& volume) {
  if (volume.extension() == ".mhd") return fs::path(volume).replace_extension(".raw");
  if (!fs::is_directory(volume)) return volume;
  if (fs::exists(volume / "v_00004.dcm")) return volume / "v_00004.dcm";
  const fs::path chunk = find_in(volume, "0");
  return chunk.empty() ? volume / "v_00004.tif" : chunk;
}
// The file with the sizes.
inline fs::path file_of_header(const fs::path& volume) {
  if (!fs::is_directory(volume)) return volume;
  if (fs::path array = find_in(volume, ".zarray"); !array.empty()) return array;
  if (fs::exists(volume / "v_00000.dcm")) return volume / "v_00000.dcm";
  return fs::exists(volume / "zarr.json") ? volume / "0" / "zarr.json" : volume / "v_00000.tif";
}

inline std::string first_ending(const io::VolumeFormat& f) {
  return std::string(f.extensions.substr(0, f.extensions.find(' ')));
}

class VolumeFolder : public QObject {
 protected:
  std::unique_ptr<QTemporaryDir> dir_ = std::make_unique<QTemporaryDir>();
  [[nodiscard]] fs::path path(const std::string& name) const {
    return dir_->filePath(QString::fromStdString(name)).toStdString();
  }

  // Test data for every format, and the format of the current row.
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
  [[nodiscard]] fs::path file_of(const io::VolumeFormat& f) const { return path("v" + first_ending(f)); }
  // The result of opening and reading everything.
  static Result<at::Tensor> read_all(const fs::path& file, std::string_view format = {}) {
    TL_TRY(const auto volume, io::open_volume(file, format));
    const VolumeGrid& g = volume->info().grid;
    return volume->read({{0, g.nz}, {0, g.ny}, {0, g.nx}});
  }
};

}  // namespace tl::test::volumes
