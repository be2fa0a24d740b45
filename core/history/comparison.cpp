// Compares the records of two entries, and the first volumes that they wrote.
#include "core/history/comparison.h"

#include <ATen/ATen.h>

#include "core/io/open_volume.h"
#include "core/io/voxel_difference.h"
#include "core/picture/measure.h"

namespace tl::history {
namespace {

using Opened = std::unique_ptr<io::VolumeReader>;

Result<Opened> first_volume(const Entry& entry, const CancelToken& cancel) {
  std::optional<Error> why;
  for (const File& file : entry.outputs) {
    Result<Opened> volume = io::open_volume(file.path, {}, cancel);
    if (volume.ok()) return volume;
    if (!why) why = volume.error();
  }
  return why ? *why : invalid("the entry wrote no volume", name_of(entry));
}

Result<picture::Image> middle_slice(io::VolumeReader& volume, const CancelToken& cancel) {
  const VolumeGrid& grid = volume.info().grid;
  const int64_t middle = grid.nz / 2;
  TL_TRY(const at::Tensor slice, volume.read({{middle, middle + 1}, {0, grid.ny}, {0, grid.nx}}, cancel));
  // In views, row 0 of an image is the largest y.
  const at::Tensor plain = slice.to(at::kCPU, at::kFloat).flip(1).contiguous();
  const auto* const pixels = plain.data_ptr<float>();
  return picture::Image{grid.ny, grid.nx, {pixels, pixels + plain.numel()}};
}

Result<ComparedVoxels> voxels_apart(const Entry& first, const Entry& second, const CancelToken& cancel) {
  TL_TRY(const Opened a, first_volume(first, cancel));
  TL_TRY(const Opened b, first_volume(second, cancel));
  TL_TRY(const io::VoxelDifference d, io::compare_voxels(*a, *b, cancel));
  ComparedVoxels apart{d.voxels, d.differing, d.largest, d.rms, d.low, d.high, {}, {}, {}, {}};
  TL_TRY(apart.first, middle_slice(*a, cancel));
  TL_TRY(apart.second, middle_slice(*b, cancel));
  TL_TRY(apart.apart, picture::difference(apart.second, apart.first));
  apart.grey = picture::percentile_levels(apart.first, picture::clipped_percent);
  return apart;
}

}  // namespace

Result<Comparison> compare(const Entry& first, const Entry& second, const Registry& registry,
                           const CancelToken& cancel) {
  const auto record = [](const Entry& e) {
    return NamedRecord{e.record.empty() ? std::string_view("{}") : std::string_view(e.record), name_of(e)};
  };
  Comparison all;
  TL_TRY(all.record, compare_records(record(first), record(second), registry));
  Result<ComparedVoxels> voxels = voxels_apart(first, second, cancel);
  if (voxels.ok()) {
    all.voxels = std::move(voxels).value();
  } else if (voxels.error().kind == ErrorKind::cancelled) {
    return voxels.error();
  } else {
    all.why_no_voxels = voxels.error().message();
  }
  return all;
}

}  // namespace tl::history
