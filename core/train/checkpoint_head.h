// CheckpointHead: the description of a training in its checkpoint, without the tensors. No array type in this header.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/train/training_plan.h"

namespace tl::train {

struct CheckpointHead {
  std::string note;  // TrainingOptions::note
  int64_t step = 0;  // steps done
  std::vector<EpochScores> curves;
  int64_t best_epoch = 0;  // from 1; 0 before the first epoch has ended
};

// Reads only the header of the file. Errors: io; invalid, `where` is the file.
Result<CheckpointHead> read_checkpoint_head(const std::filesystem::path& file);

}  // namespace tl::train
