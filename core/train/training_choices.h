// The choices of a training, with their words in plans, histories and on the command line.
#pragma once

#include "core/base/choices.h"
#include "core/train/train.h"

namespace tl {

template <>
const Choices<train::Planes>& choices_of();
template <>
const Choices<train::Prior>& choices_of();
template <>
const Choices<train::Masking>& choices_of();
template <>
const Choices<train::Loss>& choices_of();
template <>
const Choices<train::ClassWeights>& choices_of();
template <>
const Choices<train::OptimiserSettings::Kind>& choices_of();
template <>
const Choices<train::RateSchedule>& choices_of();

namespace train {
// Of Sampling::axis.
const Choices<int64_t>& axis_choices();
}  // namespace train

}  // namespace tl
