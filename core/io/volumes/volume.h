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

// An open volume. Only the requested box is read. One thread at a time.
class VolumeReader {
 public:
  // `slices`: the reader of its slices as views, in a reading process.
  VolumeReader(VolumeFileInfo info, std::unique_ptr<ScanReader> slices)
      : info_(std::move(info)), slices_(std::move(slices)) {}
  [[nodiscard]] const VolumeFileInfo& info() const { return info_; }
  // The values of a box [z, y, x] as float32, in the order of the grid. Errors: invalid outside the volume; io with the
  // file, also for files that changed since the volume was opened.
  Result<at::Tensor> read(const GridBox& box, const CancelToken& cancel = {});
  // Files on which the voxels depend, with their state when they were first read.
  [[nodiscard]] const std::shared_ptr<InputFiles>& inputs() const { return slices_->inputs(); }
  [[nodiscard]] std::vector<std::filesystem::path> files() const { return slices_->files(); }

 private:
  VolumeFileInfo info_;
  std::unique_ptr<ScanReader> slices_;
};

}  // namespace tl::io
