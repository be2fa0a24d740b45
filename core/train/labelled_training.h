// Training on the labels of a pipeline: makes the data and the options from a plan.
#pragma once

#include "core/node/registry.h"
#include "core/run/common/job_pipeline.h"
#include "core/train/labelled_volumes.h"
#include "core/train/train.h"

namespace tl::train {

// Computes the volumes, and splits the labelled voxels as in the plan. Errors as example_volumes() and
// training_set_of(); cancelled.
Result<LabelledSet> labelled_set(const Registry& registry, const JobPipeline& labelled, const TrainingPlan& plan,
                                 const CancelToken& cancel);

// Without checkpoint and listeners.
TrainingOptions options_of(const TrainingPlan& plan);

}  // namespace tl::train
