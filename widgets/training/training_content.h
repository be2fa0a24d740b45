// Training content: the course of a training as plots: losses, and F1 of each class.
#pragma once

#include "core/train/training_job.h"
#include "widgets/plot/plot_content.h"

namespace tl::ui {

// Over the epochs: the losses of training and validation; the best epoch is marked.
PlotContent training_loss_content(const train::JobProgress& progress);
// F1 of the validation samples, in the colours of the classes, and their mean.
PlotContent f1_content(const train::JobProgress& progress);

}  // namespace tl::ui
