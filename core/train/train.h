// Training: the tensors of a network are learned from volumes with labels.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/net/network.h"
#include "core/net/optimiser.h"
#include "core/train/loss.h"
#include "core/train/sampling.h"
#include "core/train/training_plan.h"
#include "core/train/training_set.h"

namespace tl::train {

enum class RateSchedule { constant, cosine };  // cosine: decreases to 0 by the last epoch

enum class ClassWeights { equal, balanced };  // balanced: proportional to 1 / c_i, with mean 1 over the labelled voxels

enum class Resume { no, if_there };

struct TrainingProgress {
  int64_t epoch = 0;  // that has ended, from 1
  const std::vector<EpochScores>& curves;
  bool best = false;        // the network after this epoch is the best so far
  double seconds_left = 0;  // if no early end comes
  const net::Network& network;
};
enum class Next { go_on, take_best };

struct TrainingOptions {
  Sampling sampling;
  Loss loss = Loss::cross_entropy;
  // Replaces `loss`: a function of the map of the last layer and labels as in loss_of(); also used for validation.
  std::function<at::Tensor(const at::Tensor& map, const at::Tensor& labels)> own_loss;
  ClassWeights class_weights = ClassWeights::equal;
  net::OptimiserSettings optimiser;
  RateSchedule schedule = RateSchedule::constant;
  int64_t epochs = 100, steps = 100;  // of an epoch
  int64_t batch = 1;
  int64_t validation_samples = 32;  // the same samples in every epoch, without variations
  int64_t patience = 0;             // ends after so many epochs without a lower validation loss; 0: never early
  // For pruned networks, masks by tensor, in its shape: 0 for numbers that stay 0, 1 elsewhere.
  std::map<std::string, at::Tensor> masks;
  uint64_t seed = 1;
  std::filesystem::path checkpoint;  // none: nothing is kept
  std::string note;                  // text of the caller, stored in the checkpoint: CheckpointHead
  int64_t checkpoint_steps = 0;      // also within an epoch, after so many steps; 0: only after each epoch
  Resume resume = Resume::no;
  CancelToken cancel;
  std::function<Next(const TrainingProgress&)> progress;  // after each epoch, on the calling thread
  // `step`: number of finished steps. take_best: as in progress(), once an epoch has ended.
  std::function<Next(int64_t step)> after_step;
  std::function<void(const std::string&)> warn;  // on the calling thread
};

struct TrainingRecord {
  std::vector<EpochScores> curves;
  int64_t best_epoch = 0;   // from 1: the epoch with the lowest validation loss; without validation items the last one
  int64_t first_epoch = 1;  // later if it was resumed
  TrainingEnd end = TrainingEnd::all_epochs;
  int64_t steps = 0;
  double seconds = 0;  // of this run
};

// Learns all tensors except the running means and variances of batch norm, which are updated. A network without tensors
// is initialised from the seed; one without scaling gets the mean and deviation of the voxels that samples can contain.
// At the end it has the tensors of the best epoch, and this training in its history; after an error it is unchanged.
// Without validation items the last epoch counts as the best. Equal networks, sets, options and numbers of threads give
// the same bits, also if the training was interrupted at any step and resumed. Errors: invalid: a set that check()
// refuses, other numbers of classes or channels, samples that the network does not accept, a checkpoint that is damaged
// or of another training; cancelled, after the checkpoint was written; invalid with the item's name if the loss is not
// finite; unavailable for insufficient memory; io.
Result<TrainingRecord> train(net::Network& network, const TrainingSet& set, const TrainingOptions& options);

// All on which the result of train() depends, except the number of epochs: by name, to compare two trainings. It reads
// all voxels.
std::map<std::string, std::string> settings_of(const TrainingSet& set, const net::Network& network,
                                               const TrainingOptions& options);

// The scores of a trained network on the validation samples that train() would draw with these options; the training
// loss is NaN. Without validation items all scores are NaN. Errors as train().
Result<EpochScores> validate(const net::Network& network, const TrainingSet& set, const TrainingOptions& options);

}  // namespace tl::train
