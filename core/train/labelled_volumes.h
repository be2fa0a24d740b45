// Labelled volumes: pairs of files, or the examples of a pipeline, for a training set.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/graph/graph.h"
#include "core/io/output/output_rules.h"
#include "core/train/training_set.h"
#include "core/values/values.h"

namespace tl {
class Executor;
}

namespace tl::train {

// A volume and its labels, before label numbers are converted to class indices.
struct LabelledVolume {
  std::string name;            // for messages
  at::Tensor volume, numbers;  // float32 [1, z, y, x], int32 [z, y, x]
  VolumeGrid grid;
  LabelTable table;
  bool voxel_size_known = false;
};

// VOLUME LABELS VOLUME LABELS ...: files of any volume format. Adds to `read` the files that no output may replace.
// Errors: io; invalid, `where` is the file.
Result<std::vector<LabelledVolume>> read_pairs(const std::vector<std::string>& files, io::ProtectedFiles& read,
                                               const CancelToken& cancel);

// Every volume with labels for training (example_nodes.h). Labels are checked first, because computing volumes may take
// long. Errors: those of the executor; invalid, `where` is `pipeline`: there are no labels, or of one class only.
Result<std::vector<LabelledVolume>> example_volumes(Executor& executor, const Graph& graph,
                                                    const std::string& pipeline);

// automatic: by whole volumes if there are several, else by blocks.
enum class Split { automatic, volumes, blocks };

struct SplitSettings {
  Split split = Split::automatic;
  double share = 0.2;  // share of the labelled voxels, or of the volumes, for validation
  int64_t gap = 8;     // distance between training and validation blocks [voxel]
  uint64_t seed = 1;
  std::optional<int64_t> unlabelled;  // the number of unlabelled voxels; none: as in the tables
};

struct LabelledSet {
  TrainingSet set;
  std::vector<std::string> warnings;
};

// With names and colours of all tables. `validation`: none, or validation data instead of a part of the training
// volumes. Errors: invalid, `where` names the volume: tables or numbers that are incompatible, no validation
// data.
Result<LabelledSet> training_set_of(std::vector<LabelledVolume> training, std::vector<LabelledVolume> validation,
                                    const SplitSettings& settings);

}  // namespace tl::train
