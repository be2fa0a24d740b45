// What nodes share that open a volume on disk: the choice of its format, and its values on a grid.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/choices.h"
#include "core/base/grid.h"
#include "core/io/open_volume.h"
#include "core/node/node_run.h"
#include "core/nodes/input/sample_volume.h"

namespace tl {

// The choices of a parameter "format": "Detect", which is empty, then the ids of io::volume_formats().
Choices<std::string> volume_format_choices();

// The open reader that the node keeps while the file stays as it is; the run depends on its files. `open`: opens it,
// and reports what is worth a message of its own.
Result<std::shared_ptr<io::VolumeReader>> kept_reader(
    const std::string& file, NodeRun& r, const std::function<Result<std::unique_ptr<io::VolumeReader>>()>& open);

// Values [z, y, x] on a grid, as the volume is read (float32, labels as int32): of the voxels where it is part of the
// volume's grid `whole`, else those that `sample` gives between them; 0 outside. Errors: as VolumeReader::read().
Result<at::Tensor> values_on_grid(io::VolumeReader& reader, const VolumeGrid& whole, const VolumeGrid& wanted,
                                  SampleVoxels sample, const CancelToken& cancel);

}  // namespace tl
