// Run content: the course of a learning run as plots: the loss, each parameter, per-view lists.
#pragma once

#include <set>

#include "widgets/plot/plot_content.h"
#include "widgets/session/learning_session.h"

namespace tl::ui {

// Earlier runs to plot, as indices of LearningSession::records().
using ShownRecords = std::set<std::size_t>;

// Over the iterations: a line through the accepted steps, below it every evaluation on all data as a point.
PlotContent loss_content(const LearningSession& learning, const ShownRecords& shown);
// The same of one target; of a list the values of the shown step over the views, of an array its root mean square.
PlotContent parameter_content(const LearningSession& learning, const learn::Target& target, const ShownRecords& shown);

// One number of an evaluation; nullopt if the target is a list or not among `values`.
std::optional<double> target_value(const std::vector<learn::TargetValue>& values, const learn::Target& target);
// The found value of the ended run; nullptr where there is none that the data determine.
const learn::Found* determined(const LearningSession& learning, const learn::Target& target);

}  // namespace tl::ui
