// The entry of a training in the history of its network, and the names of its settings.
#pragma once

#include "core/net/history.h"
#include "core/train/train.h"

namespace tl::train {

// The names of settings, in histories and on the command line; int64_t: for the axis of a sampling.
template <>
const Choices<Prior>& choices_of();
template <>
const Choices<Masking>& choices_of();
template <>
const Choices<Loss>& choices_of();
template <>
const Choices<ClassWeights>& choices_of();
template <>
const Choices<net::OptimiserSettings::Kind>& choices_of();
template <>
const Choices<RateSchedule>& choices_of();
template <>
const Choices<int64_t>& choices_of();

enum class InitialWeights { random, given };

// The scores are those of the best epoch. Equal for a training that was interrupted and resumed.
net::HistoryEntry history_entry_of(const TrainingSet& set, const TrainingOptions& options, const TrainingRecord& record,
                                   InitialWeights initial);

}  // namespace tl::train
