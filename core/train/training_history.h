// What a training leaves in the history of its network.
#pragma once

#include "core/net/history.h"
#include "core/train/train.h"

namespace tl::train {

enum class InitialWeights { random, given };

// The scores are those of the best epoch. The same for a training that was ended and resumed.
net::HistoryEntry history_entry_of(const TrainingSet& set, const TrainingOptions& options, const TrainingRecord& record,
                                   InitialWeights initial);

}  // namespace tl::train
