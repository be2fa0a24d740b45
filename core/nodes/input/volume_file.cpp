// Opens volumes for the nodes that load them.
#include "core/nodes/input/volume_file.h"

#include <ATen/ATen.h>

#include "core/base/grid_box.h"
#include "core/io/volumes/format.h"
#include "core/nodes/input/file_states.h"

namespace tl {

Choices<std::string> volume_format_choices() {
  Choices<std::string> all = {{"", "auto_detect", "Detect"}};
  for (const io::VolumeFormat& f : io::volume_formats())
    all.push_back({std::string(f.id), std::string(f.id), std::string(f.title)});
  return all;
}

Result<std::shared_ptr<io::VolumeReader>> kept_reader(
    const std::string& file, NodeRun& r, const std::function<Result<std::unique_ptr<io::VolumeReader>>()>& open) {
  const auto reader = r.memo<io::VolumeReader>(reader_name({file}), 1024, [&]() -> std::shared_ptr<io::VolumeReader> {
    std::shared_ptr<io::VolumeReader> opened = open().or_throw();
    for (const std::string& note : opened->info().notes) r.message(LogLevel::info, note);
    return opened;
  });
  TL_TRY(r.host().reads(reader->inputs()));
  return reader;
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
