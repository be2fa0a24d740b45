// Reads boxes of volumes.
#include "core/io/volumes/volume.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

#include "core/io/volumes/label_table.h"

namespace tl::io {
namespace {

// Integers that float32 does not hold exactly.
bool is_wide_integer(const std::string& type) {
  return type == "uint32" || type == "int32" || type == "uint64" || type == "int64";
}

}  // namespace

Result<at::Tensor> VolumeReader::read_integers(const GridBox& box, const CancelToken& cancel) {
  constexpr int64_t voxels_at_once = int64_t{1} << 24;  // each request to the reading process is short
  const int64_t slice = box.y.size() * box.x.size(), slices = box.z.size(),
                at_once = std::max<int64_t>(1, voxels_at_once / std::max<int64_t>(1, slice));
  at::Tensor numbers = at::empty({slices, box.y.size(), box.x.size()}, at::kInt);
  for (int64_t k = 0; k < slices; k += at_once) {
    cancel.check();
    const int64_t count = std::min(at_once, slices - k);
    const FrameRegion part{Frames::views, {box.z.begin + k, box.z.begin + k + count}, box.y, box.x};
    TL_TRY(slices_->read_into(part, numbers.narrow(0, k, count), cancel));
  }
  return numbers;
}

Result<at::Tensor> VolumeReader::read(const GridBox& box, const CancelToken& cancel) {
  const VolumeGrid& g = info_.grid;
  const auto inside = [](Range r, int64_t n) { return r.begin >= 0 && r.begin <= r.end && r.end <= n; };
  const auto text = [](Range r) { return std::to_string(r.begin) + ":" + std::to_string(r.end); };
  if (!inside(box.z, g.nz) || !inside(box.y, g.ny) || !inside(box.x, g.nx))
    return invalid("z " + text(box.z) + ", y " + text(box.y) + ", x " + text(box.x) + " is not in the volume",
                   info_.path.string(),
                   "It has " + std::to_string(g.nz) + " x " + std::to_string(g.ny) + " x " + std::to_string(g.nx) +
                       " voxels along z, y, x");
  const bool are_labels = meaning_ == VoxelMeaning::labels;
  if (are_labels && is_wide_integer(info_.voxel_type)) {
    const Result<at::Tensor> numbers = read_integers(box, cancel);
    if (numbers.ok()) return label_numbers(numbers.value(), info_.path.string());
    if (numbers.error().kind != ErrorKind::unavailable) return numbers.error();
  }
  std::vector<int64_t> slices(static_cast<std::size_t>(box.z.size()));
  std::iota(slices.begin(), slices.end(), box.z.begin);
  TL_TRY(at::Tensor values, slices_->read_views(slices, box.y, box.x, Samples::floats, cancel));
  return are_labels ? label_numbers(values, info_.path.string()) : values;
}

bool has_wide_labels(const VolumeFileInfo& volume, const LabelTable& table) {
  return is_wide_integer(volume.voxel_type) && (table != LabelTable{} || describes_labels(volume.description));
}

}  // namespace tl::io
