// Network content: the course of a training and of a pruning as plots.
#pragma once

#include "core/live/jobs/pruning_job.h"
#include "core/live/jobs/training_job.h"
#include "widgets/plot/plot_content.h"

namespace tl::ui {

QString class_name(const LabelClass& of);  // "class 3" where it has no name
QRgb class_color(const LabelClass& of);

// Over the epochs: the losses of training and validation; the best epoch is marked.
PlotContent training_loss_content(const jobs::TrainingJob::Progress& progress);
// F1 of the validation samples, in the colours of the classes, and their mean.
PlotContent f1_content(const jobs::TrainingJob::Progress& progress);

// Over the steps: F1 of the validation samples after each, in the colours of the classes, their mean, and how the mean
// falls where filters are removed and rises while what is left is trained. Empty without labels.
PlotContent pruned_f1_content(const jobs::PruningJob::Progress& progress);
// Over the steps: the shares of filters and of parameters that are left, and the share that was asked for.
PlotContent kept_content(const jobs::PruningJob::Progress& progress);

}  // namespace tl::ui
