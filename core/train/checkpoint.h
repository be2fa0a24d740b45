// Checkpoint: all that a training needs to go on as if it had never ended, in one file.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/net/network.h"
#include "core/train/optimiser.h"
#include "core/train/step_threads.h"
#include "core/train/train.h"

namespace tl::train {

// Random numbers need no state: those of a step follow from the seed and its number.
struct Checkpoint {
  std::map<std::string, std::string> settings;  // that must be the same to go on, by name
  std::string note;                             // TrainingOptions::note
  int64_t step = 0;                             // steps done
  StepThreads threads;                          // of these steps
  double loss_sum = 0;                          // of the steps of the epoch that has begun
  std::vector<EpochScores> curves;
  int64_t best_epoch = 0;  // from 1
  NamedTensors now, best;  // tensors of the network
  NamedTensors first, second;
};

// The file is replaced at once, or stays as it was. Errors: io.
Result<void> write_checkpoint(const Checkpoint& checkpoint, const std::filesystem::path& file);

// Removes the checkpoint of a training that has ended, and what a killed writer left of it.
void remove_checkpoint(const std::filesystem::path& file);

// Errors: io; invalid, `where` is the file: damaged, not a checkpoint, tensors of another network.
Result<Checkpoint> read_checkpoint(const std::filesystem::path& file, const net::Network& network);

}  // namespace tl::train
