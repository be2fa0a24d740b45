// What the page shows that finds parameters.
#pragma once

#include "widgets/jobs/job_form.h"
#include "widgets/jobs/job_spec.h"
#include "widgets/learning/learning_start.h"

namespace tl::ui {

// Without form and plots.
JobSpec learning_spec(LearningSession& learning, LearningStart& start);
// Method, stopping rules, restarts and fractions of the data; closed at first.
JobForm* learning_options(LearningSession& learning, QWidget* parent);

}  // namespace tl::ui
