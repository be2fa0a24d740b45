// Shared by the nodes that open a volume on disk: the choice of its format, and its values on a grid.
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

// The open reader, which the node caches while the file is unchanged; the run depends on its files. `open` opens the
// reader, and reports messages about the file.
Result<std::shared_ptr<io::VolumeReader>> kept_reader(
    const std::string& file, NodeRun& r, const std::function<Result<std::unique_ptr<io::VolumeReader>>()>& open);

// Values [z, y, x] on a grid, in the type of the volume (float32, labels int32): stored voxels if the grid is part of
// the volume's grid `whole`, else values sampled by `sample`; 0 outside. Errors: as VolumeReader::read().
Result<at::Tensor> values_on_grid(io::VolumeReader& reader, const VolumeGrid& whole, const VolumeGrid& wanted,
                                  SampleVoxels sample, const CancelToken& cancel);

}  // namespace tl
