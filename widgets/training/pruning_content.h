// Pruning content: the course of a pruning as plots: accuracy, and what is left of the network.
#pragma once

#include "core/train/pruning_job.h"
#include "widgets/plot/plot_content.h"

namespace tl::ui {

// Over the steps: F1 of the validation samples after each, in the colours of the classes, their mean, and how the mean
// falls where filters are removed and rises while what is left is trained. Empty without labels.
PlotContent pruned_f1_content(const train::PruningProgress& progress);
// Over the steps: the shares of filters and of parameters that are left, and the share that was asked for.
PlotContent kept_content(const train::PruningProgress& progress);

}  // namespace tl::ui
