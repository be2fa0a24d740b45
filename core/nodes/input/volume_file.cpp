// Opens volumes for the nodes that load them.
#include "core/nodes/input/volume_file.h"

#include <ATen/ATen.h>

#include "core/base/grid_box.h"
#include "core/io/volumes/format.h"

namespace tl {

Choices<std::string> volume_format_choices() {
  Choices<std::string> all = {{"", "auto_detect", "Detect"}};
  for (const io::VolumeFormat& f : io::volume_formats())
    all.push_back({std::string(f.id), std::string(f.id), std::string(f.title)});
  return all;
}

Result<at::Tensor> values_on_grid(io::VolumeReader& reader, const VolumeGrid& whole, const VolumeGrid& wanted,
                                  SampleVoxels sample, const CancelToken& cancel) {
  if (const auto part = box_in(whole, wanted)) return reader.read({part->z, part->y, part->x}, cancel);
  const at::ScalarType type = reader.meaning() == io::VoxelMeaning::labels ? at::kInt : at::kFloat;
  const at::Tensor values = at::zeros({wanted.nz, wanted.ny, wanted.nx}, type);
  TL_TRY(sample_volume(reader, whole, wanted, values, sample, cancel));
  return values;
}

}  // namespace tl
