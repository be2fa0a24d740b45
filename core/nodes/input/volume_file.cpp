// Opens volumes for the nodes that load them.
#include "core/nodes/input/volume_file.h"

#include <ATen/ATen.h>

#include "core/base/grid_box.h"
#include "core/io/open_volume.h"
#include "core/io/reader/scan_format.h"
#include "core/io/volumes/format.h"

namespace tl {

std::vector<Choice> volume_format_choices() {
  std::vector<Choice> all = {{"auto_detect", "Detect"}};
  for (const io::VolumeFormat& f : io::volume_formats()) all.push_back({std::string(f.id), std::string(f.title)});
  return all;
}

Result<std::unique_ptr<io::VolumeReader>> open_volume_file(const std::string& file, int format_choice,
                                                           const CancelToken& cancel) {
  const auto chosen = static_cast<std::size_t>(format_choice);
  return io::open_volume(file, chosen == 0 ? std::string_view() : io::volume_formats()[chosen - 1].id, cancel);
}

Result<at::Tensor> values_on_grid(io::VolumeReader& reader, const VolumeGrid& whole, const VolumeGrid& wanted,
                                  SampleVoxels sample, const CancelToken& cancel) {
  if (const auto part = box_in(whole, wanted)) return reader.read({part->z, part->y, part->x}, cancel);
  const at::Tensor values = at::zeros({wanted.nz, wanted.ny, wanted.nx}, at::kFloat);
  TL_TRY(sample_volume(reader, whole, wanted, values, sample, cancel));
  return values;
}

}  // namespace tl
