// Landscape content: the objective around a point as a plot, with the points that a run has visited.
#pragma once

#include "core/live/notification.h"
#include "widgets/plot/plot_content.h"
#include "widgets/session/learning_session.h"

namespace tl::ui {

// A sweep or a map. Slope and centre are those of the landscape itself.
PlotContent landscape_content(const LearningSession& learning, const live::LandscapeEnd& end);
// Plot for one number, from the evaluations of a run so far: on all data, or, until there are any, on coarse data.
PlotContent visited_content(const LearningSession& learning, const learn::Target& target);

}  // namespace tl::ui
