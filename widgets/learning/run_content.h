// Run content: a learning run as plots: the loss, each parameter, per-view lists.
#pragma once

#include <set>

#include "widgets/plot/plot_content.h"
#include "widgets/session/learning_session.h"

namespace tl::ui {

// Earlier runs to plot, as indices of LearningSession::records().
using ShownRecords = std::set<std::size_t>;

// Over the iterations: a line through the accepted steps, below it every evaluation on all data as a point.
PlotContent loss_content(const LearningSession& learning, const ShownRecords& shown);
// Like loss_content() for one target; for a list, the values of the shown step over the views; for an array, its root
// mean square.
PlotContent parameter_content(const LearningSession& learning, const learn::Target& target, const ShownRecords& shown);

// The value of a number in an evaluation; nullopt if the target is a list or not among `values`.
std::optional<double> target_value(const std::vector<learn::TargetValue>& values, const learn::Target& target);
// The found value of the finished run; nullptr if the data do not determine one.
const learn::Found* determined(const LearningSession& learning, const learn::Target& target);

}  // namespace tl::ui
