// VolumeReader: lazy access to the voxels of a volume on disk, which a separate process reads.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/grid_box.h"
#include "core/io/reader/scan.h"
#include "core/io/voxels/volume_info.h"

namespace tl::io {

// What the voxels of a volume are read as: float32, or the numbers of labels, int32 (label_numbers()).
enum class VoxelMeaning : uint32_t { values, labels };

// An open volume. Only the requested box is read. One thread at a time.
class VolumeReader {
 public:
  // `slices`: the reader of its slices as views, in a reading process.
  VolumeReader(VolumeFileInfo info, std::unique_ptr<ScanReader> slices)
      : info_(std::move(info)), slices_(std::move(slices)) {}
  // Of a volume that has just been opened: its voxels are labels.
  void read_labels() { meaning_ = VoxelMeaning::labels; }
  [[nodiscard]] VoxelMeaning meaning() const { return meaning_; }
  [[nodiscard]] const VolumeFileInfo& info() const { return info_; }
  // The voxels of a box [z, y, x] as meaning() says, in the order of the grid. Integers of any width are exact as
  // labels; as values up to 24 bits. Errors: invalid outside the volume, and for numbers that no label has; io with the
  // file, also for files that changed since the volume was opened.
  Result<at::Tensor> read(const GridBox& box, const CancelToken& cancel = {});
  // Files on which the voxels depend, with their state when they were first read.
  [[nodiscard]] const std::shared_ptr<InputFiles>& inputs() const { return slices_->inputs(); }
  [[nodiscard]] std::vector<std::filesystem::path> files() const { return slices_->files(); }

 private:
  Result<at::Tensor> read_integers(const GridBox& box, const CancelToken& cancel);

  VolumeFileInfo info_;
  std::unique_ptr<ScanReader> slices_;
  VoxelMeaning meaning_ = VoxelMeaning::values;
};

// Whether a volume with this table of classes says that its voxels are labels, in integers that float32 does not hold.
bool has_wide_labels(const VolumeFileInfo& volume, const LabelTable& table);

}  // namespace tl::io
