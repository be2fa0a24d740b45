// Writers of volumes (slab by slab), images and scans.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/base/grid.h"
#include "core/base/units.h"
#include "core/io/output/output_file.h"
#include "core/values/values.h"

namespace tl::io {

enum class SampleType { float32, uint16, uint8, int32 };  // int32: labels alone
enum class Compression { none, gzip };                    // gzip: lossless deflate, in the variant that the format uses

// Axis directions of every volume file in the right-handed frame of the scan (geometry.h); written into files and
// records. A reader that interprets (column, row, page) as right-handed shows the mirror image.
inline constexpr const char* volume_axes = "column +x, row -y, page +z (left-handed)";

struct VolumeTarget {
  std::filesystem::path path;  // file, or folder for a stack
  VolumeGrid grid;             // of the whole volume
  Unit unit = Unit::per_mm;
  SampleType type = SampleType::float32;
  double low = 0, high = 1;  // integer types: values that map to the smallest and largest integer; stored in the file
  OutputRules rules;
  std::string description;  // extra text for the file's own metadata
  Compression compression = Compression::none;
};

// Accepts slabs in ascending z (page k = slice k; row 0 of each page = largest y). finish() returns the complete
// output, which gets its name when it is committed; otherwise nothing remains. Scale of integers: value = low + stored
// * (high - low) / max.
class VolumeWriter {
 public:
  explicit VolumeWriter(const VolumeGrid& grid) : slices_(grid.nz), rows_(grid.ny), cols_(grid.nx) {}
  VolumeWriter(const VolumeWriter&) = delete;
  VolumeWriter& operator=(const VolumeWriter&) = delete;
  virtual ~VolumeWriter() = default;
  // [z, y, x], floating point or, of labels, int32.
  Result<void> write(Range z, const at::Tensor& slab);
  Result<OutputFile> finish();

 protected:
  [[nodiscard]] int64_t next() const { return next_; }  // index of the next slice to write

 private:
  // Implemented by each format: writes slices [y, x] of float32 (int32 if the slab was), contiguous in host memory, in
  // ascending order; then the end.
  virtual Result<void> write_slice(const at::Tensor& slice) = 0;
  virtual Result<OutputFile> complete() = 0;
  // The open file of a format with a single file: its data are written to the disk while the next slab is computed, so
  // that the final sync is short. -1: there is none, or several.
  [[nodiscard]] virtual int file_in_progress() const { return -1; }

  const int64_t slices_, rows_, cols_;
  int64_t next_ = 0;
};

// Writers of the other formats: core/io/volumes/format.h.
//
// One multi-page TIFF (BigTIFF if large) with ImageJ's metadata (voxel size in um), readable by ImageJ, Fiji and
// tifffile.
Result<std::unique_ptr<VolumeWriter>> open_imagej_tiff(const VolumeTarget& target);
// A folder of one TIFF per slice, NAME_00000.tif..., with a scale.json for integer types.
Result<std::unique_ptr<VolumeWriter>> open_tiff_stack(const VolumeTarget& target);

// Reads VolumeTarget::description from a volume that this program wrote. Invalid if there is none.
Result<std::string> read_description(const std::filesystem::path& path);

// An 8-bit grey PNG of an image [row, column], black = low, white = high; `where` is for errors.
Result<std::vector<std::byte>> encoded_png(const at::Tensor& slice, double low, double high, const std::string& where);
// A slice [y, x], whose row 0 is the largest y, as a PNG file, which gets its name when it is committed.
Result<OutputFile> uncommitted_png(const std::filesystem::path& name, const at::Tensor& slice, double low, double high,
                                   const OutputRules& rules);
Result<void> write_png(const std::filesystem::path& name, const at::Tensor& slice, double low, double high,
                       const OutputRules& rules);

// An NXtomo file of a simulated or corrected scan: counts or absorption with flats, darks, angles, sizes, distances.
Result<void> write_nxtomo(const std::filesystem::path& name, const Projections& scan, double energy_kev,
                          const OutputRules& rules);

}  // namespace tl::io
