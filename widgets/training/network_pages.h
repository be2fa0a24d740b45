// Network pages: what the pages that train and prune a network show.
#pragma once

#include "widgets/jobs/job_spec.h"
#include "widgets/session/pruning_session.h"
#include "widgets/session/training_session.h"

namespace tl::ui {

JobSpec training_spec(TrainingSession& training);
// What is trained and how: the network to begin with, planes and patches, epochs and steps.
QWidget* training_form(TrainingSession& training, QWidget* parent);

JobSpec pruning_spec(PruningSession& pruning);
// What is pruned and how: network, method, share to keep, steps, training in between, name of the output.
QWidget* pruning_form(PruningSession& pruning, QWidget* parent);

}  // namespace tl::ui
