// Network content: training and pruning as plots.
#pragma once

#include "core/live/jobs/pruning_job.h"
#include "core/live/jobs/training_job.h"
#include "widgets/plot/plot_content.h"

namespace tl::ui {

QString class_name(const LabelClass& of);  // "class 3" if the class has no name
QRgb class_color(const LabelClass& of);

// Over the epochs: the losses of training and validation; the best epoch is marked.
PlotContent training_loss_content(const jobs::TrainingJob::Progress& progress);
// F1 of the validation samples, in the colours of the classes, and their mean.
PlotContent f1_content(const jobs::TrainingJob::Progress& progress);

// Over the steps: F1 of the validation samples after each, in the colours of the classes, and their mean: it falls when
// filters are removed and rises while the remaining ones are trained. Empty without labels.
PlotContent pruned_f1_content(const jobs::PruningJob::Progress& progress);
// Over the steps: the fractions of filters and of parameters that remain, and the requested fraction.
PlotContent kept_content(const jobs::PruningJob::Progress& progress);

}  // namespace tl::ui
