// StoredVolume: a volume file opened by its format in the reading process, with its voxels in the order of the file.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/grid_box.h"
#include "core/io/bytes/input_files.h"
#include "core/io/reader/scan.h"
#include "core/io/voxels/volume_info.h"

namespace tl::io {

// The voxels of a file in stored order: pages of rows of columns. One thread at a time.
class StoredVoxels {
 public:
  virtual ~StoredVoxels() = default;
  // Reads a box (z: pages, y: rows, x: columns) into `out`, float32 [page, row, col], in which the numbers of a page
  // are contiguous. The value scale is not applied. io: the file is damaged or incomplete. A block of uint8 or uint16
  // in a file (raw_voxels) can also be read as uint16; unavailable for others. Integers can be read into int32
  // (saturated()); unavailable for floats, and for formats that do not support it.
  virtual Result<void> read(const GridBox& box, const at::Tensor& out) = 0;
  // An irregularity of the voxel file, as a sentence; empty: none.
  [[nodiscard]] virtual std::string note() const { return {}; }
};

// Whether pages, rows or columns in a file have the order of the grid indices, or the reverse order.
enum class AxisOrder : uint32_t { ascending, descending };

struct StoredVolume {
  VolumeFileInfo info;
  AxisOrder pages = AxisOrder::ascending, rows = AxisOrder::ascending, cols = AxisOrder::ascending;
  std::unique_ptr<StoredVoxels> voxels;
  std::vector<InputFile> files;
};

// Position of a file's voxels in space [mm]: the centre of the volume, and the steps along its axes.
struct FileAxes {
  int64_t pages = 1, rows = 1, cols = 1;
  Vec3 centre;
  Vec3 page_step, row_step, col_step;
};
// Axes of a file in our convention (volume_axes in core/io/output/volume_writer.h).
FileAxes usual_axes(int64_t pages, int64_t rows, int64_t cols, Vec3 voxel, Vec3 centre = {});
// Centre of a volume whose first voxel is at `first`.
Vec3 centre_from_first(const FileAxes& axes, Vec3 first);
// Sets grid and orders, such that the steps of the grid point along +x, +y, +z as far as possible.
void set_grid(const FileAxes& axes, StoredVolume& volume);

// Sets the voxel size to 1 mm and marks it as not stated.
void guess_voxel_size(VolumeFileInfo& info);

// Invalid if a volume is empty or implausibly large (more than 2^24 pages or 2^31 voxels in one).
Result<void> check_volume_sizes(int64_t pages, int64_t rows, int64_t cols, const std::string& where);

// Provides the slices of a volume, in the order of the grid and as values, as the views of a scan: the reading process
// then serves volumes by the same requests as scans. There are no flats, darks or angles.
Result<std::unique_ptr<ScanReader>> slices_as_views(StoredVolume volume);

}  // namespace tl::io
