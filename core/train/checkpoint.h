// Checkpoint: everything that a training needs to continue as if uninterrupted, in one file.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/net/network.h"
#include "core/net/optimiser.h"
#include "core/train/step_threads.h"
#include "core/train/train.h"

namespace tl::train {

// Random numbers need no state: numbers of a step depend only on the seed and the number of the step.
struct Checkpoint {
  std::map<std::string, std::string> settings;  // settings that must be equal in order to continue, by name
  std::string note;                             // TrainingOptions::note
  int64_t step = 0;                             // steps done
  StepThreads threads;                          // of these steps
  double loss_sum = 0;                          // sum over the finished steps of the current epoch
  std::vector<EpochScores> curves;
  int64_t best_epoch = 0;       // from 1
  net::NamedTensors now, best;  // tensors of the network
  net::NamedTensors first, second;
};

// The file is replaced atomically; after an error it is unchanged. Errors: io.
Result<void> write_checkpoint(const Checkpoint& checkpoint, const std::filesystem::path& file);

// Deletes the checkpoint of a training that has ended, and leftovers of killed writers.
void remove_checkpoint(const std::filesystem::path& file);

// Errors: io; invalid, `where` is the file: damaged, not a checkpoint, tensors of another network.
Result<Checkpoint> read_checkpoint(const std::filesystem::path& file, const net::Network& network);

}  // namespace tl::train
