// LearningStart: waits for the analysis of the scan, and starts learning.
#include "widgets/learning/learning_start.h"

#include "widgets/learning/objective_chooser.h"
#include "widgets/text/error_text.h"

namespace tl::ui {

LearningStart::LearningStart(LearningSession& learning, const ObjectiveChooser& objective, QObject* parent)
    : QObject(parent), learning_(learning), objective_(objective) {
  connect(&learning_.live().document(), &Document::was_reset, this, &LearningStart::stop_waiting);
  for (const auto signal : {&JobSession::settings_changed, &JobSession::state_changed, &JobSession::progressed})
    connect(&learning_, signal, this, &LearningStart::follow);
}

void LearningStart::learn() {
  if (learning_.state() == JobState::paused) return learning_.go_on();
  if (learning_.is_busy()) return Q_EMIT refused(tr("Learning is running already."));
  (void)learning_.objective_choices();  // requests again what a stop has dropped
  if (const QString why = why_not(); !why.isEmpty()) return Q_EMIT refused(why);
  if (learning_.is_looking()) {
    if (waits_) return;
    set_waits(true);
    return Q_EMIT waiting(waiting_text());
  }
  const learn::ObjectiveChoice* choice = objective_.chosen();
  const bool chosen = choice != nullptr && choice->existing && *choice->existing == learning_.settings().objective;
  if (choice != nullptr && !choice->obstacle && !chosen) learning_.choose(learn::ObjectiveChoice(*choice));
  learning_.start();
}

// The buttons follow the session.
void LearningStart::set_waits(bool waits) {
  waits_ = waits;
  Q_EMIT learning_.progressed();
}
void LearningStart::stop() { waits_ ? stop_waiting() : learning_.cancel(); }
void LearningStart::stop_waiting() {
  learning_.forget_questions();
  if (waits_) set_waits(false);
}
QString LearningStart::waiting_text() const {
  return waits_ ? tr("Looking at the scan before the objective is chosen…") : QString();
}

QString LearningStart::why_not() const {
  if (learning_.settings().targets.empty())
    return tr("Nothing is marked to be learned: choose a parameter that the learning dock lists.");
  if (const auto few = learning_.rows_obstacle()) return error_text(*few);
  if (learning_.is_looking()) return {};
  const learn::ObjectiveChoice* choice = objective_.chosen();
  if (choice != nullptr && choice->obstacle) return error_text(*choice->obstacle);
  if (choice == nullptr) return objective_.why_none();
  const bool is_added = !choice->existing && learning_.settings().objective.node.empty();
  return is_added ? QString() : learning_.obstacle();
}

QString LearningStart::idle_text() const {
  if (learning_.settings().targets.empty()) return {};
  if (const QString why = why_not(); !why.isEmpty()) return why;
  const learn::ObjectiveChoice* choice = objective_.chosen();
  return choice != nullptr && !choice->existing && !learning_.is_looking() ? tr("Learn adds the suggested objective.")
                                                                           : QString();
}

void LearningStart::follow() {
  if (waits_ && learning_.settings().targets.empty()) return set_waits(false);  // undone
  if (!waits_ || learning_.is_looking()) return;
  set_waits(false);
  learn();
}

}  // namespace tl::ui
