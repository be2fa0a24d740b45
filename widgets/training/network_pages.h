// Network pages: forms of the pages that train and prune a network.
#pragma once

#include "widgets/jobs/job_spec.h"
#include "widgets/session/pruning_session.h"
#include "widgets/session/training_session.h"

namespace tl::ui {

JobSpec training_spec(TrainingSession& training);
// Settings of a training: initial network, planes and patches, epochs and steps.
QWidget* training_form(TrainingSession& training, QWidget* parent);

JobSpec pruning_spec(PruningSession& pruning);
// Settings of a pruning: network, method, fraction to keep, steps, training in between, name of the output.
QWidget* pruning_form(PruningSession& pruning, QWidget* parent);

}  // namespace tl::ui
