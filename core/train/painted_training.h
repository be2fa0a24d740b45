// Training on what is painted in a pipeline: the data and the options that a plan asks for.
#pragma once

#include "core/node/registry.h"
#include "core/train/labelled_volumes.h"
#include "core/train/painted_pipeline.h"
#include "core/train/train.h"

namespace tl::train {

// Computes the volumes, and splits what is painted as the plan says. Errors as painted_volumes() and training_set_of();
// cancelled.
Result<LabelledSet> painted_set(const Registry& registry, const PaintedPipeline& painted, const TrainingPlan& plan,
                                const CancelToken& cancel);

// Without checkpoint and listeners.
TrainingOptions options_of(const TrainingPlan& plan);

}  // namespace tl::train
