// Contents of the pages that find parameters and that sweep over their values.
#pragma once

#include "widgets/jobs/job_form.h"
#include "widgets/jobs/job_spec.h"
#include "widgets/learning/learning_start.h"
#include "widgets/session/sweep_session.h"

namespace tl::ui {

// Without form and plots.
JobSpec learning_spec(LearningSession& learning, LearningStart& start);
// Method, stopping rules, restarts and fractions of the data; closed at first.
JobForm* learning_options(LearningSession& learning, QWidget* parent);

// The page that runs the pipeline over values of parameters.
JobSpec sweep_spec(SweepSession& sweep);

}  // namespace tl::ui
