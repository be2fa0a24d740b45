// LearningControls: shows the buttons that start, pause, finish and stop learning, as its state allows, and its status.
#include "widgets/learning/learning_controls.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "widgets/learning/objective_chooser.h"
#include "widgets/text/error_text.h"
#include "widgets/text/found_text.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

LearningControls::LearningControls(LearningSession& learning, const ObjectiveChooser& objective, QWidget* parent)
    : QWidget(parent),
      learning_(learning),
      objective_(objective),
      learn_(new QPushButton(tr("Learn"), this)),
      pause_(new QPushButton(tr("Pause"), this)),
      best_(new QPushButton(tr("Take the best"), this)),
      stop_(new QPushButton(tr("Stop"), this)),
      status_(new QLabel(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Theme::space(1));
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::space(2));
  for (QPushButton* b : {learn_, pause_, best_, stop_}) row->addWidget(b);
  row->addStretch(1);
  column->addLayout(row);
  column->addWidget(status_);
  learn_->setProperty("role", "primary");
  best_->setToolTip(tr("Ends with the best values so far, their uncertainties and verdicts"));
  stop_->setToolTip(tr("Ends without a result (Ctrl+.)"));
  status_->setWordWrap(true);
  status_->setFont(Theme::number_font());
  connect(learn_, &QPushButton::clicked, this, &LearningControls::learn);
  connect(pause_, &QPushButton::clicked, this,
          [this] { learning_.state() == LearningState::paused ? learning_.go_on() : learning_.pause(); });
  connect(best_, &QPushButton::clicked, &learning_, &LearningSession::finish);
  connect(stop_, &QPushButton::clicked, this, [this] { waits_ ? stop_waiting() : learning_.stop(); });
  connect(&learning_.live().document(), &Document::was_reset, this, &LearningControls::stop_waiting);
  for (const auto signal :
       {&LearningSession::settings_changed, &LearningSession::state_changed, &LearningSession::progressed})
    connect(&learning_, signal, this, &LearningControls::refresh);
  refresh();
}

void LearningControls::learn() {
  if (learning_.state() == LearningState::paused) return learning_.go_on();
  if (learning_.is_busy()) return Q_EMIT refused(tr("Learning is running already."));
  (void)learning_.objective_choices();  // asks for what a stop has dropped
  if (const QString why = why_not(); !why.isEmpty()) return Q_EMIT refused(why);
  if (learning_.is_looking()) return wait();
  const learn::ObjectiveChoice* choice = objective_.chosen();
  const bool chosen = choice != nullptr && choice->existing && *choice->existing == learning_.settings().objective;
  if (choice != nullptr && !choice->obstacle && !chosen) learning_.choose(learn::ObjectiveChoice(*choice));
  learning_.start();
}

void LearningControls::wait() {
  if (std::exchange(waits_, true)) return;
  refresh();
  Q_EMIT waiting(status_text());
}
void LearningControls::stop_waiting() {
  learning_.forget_questions();
  if (std::exchange(waits_, false)) refresh();
}

QString LearningControls::why_not() const {
  if (learning_.settings().targets.empty())
    return tr("Nothing is marked to be learned: choose a parameter that the learning dock lists.");
  if (const auto few = learning_.rows_obstacle()) return error_text(*few);
  if (learning_.is_looking()) return {};
  const learn::ObjectiveChoice* choice = objective_.chosen();
  if (choice != nullptr && choice->obstacle) return error_text(*choice->obstacle);
  if (choice == nullptr) return objective_.why_none();
  const auto obstacle = learning_.obstacle();
  const bool is_added = !choice->existing && learning_.settings().objective.node.empty();
  if (obstacle && !is_added) return error_text(*obstacle);
  return {};
}

QString LearningControls::status_text() const {
  const auto& progress = learning_.progress();
  if (waits_) return tr("Looking at the scan before the objective is chosen…");
  if (!learning_.failure().isEmpty()) return learning_.failure();
  if (learning_.is_busy() && progress.empty()) return tr("Preparing data…");
  if (learning_.is_busy()) {
    const learn::Progress& last = progress.back();
    if (learning_.state() == LearningState::finishing) return tr("Estimating uncertainties…");
    const QString where = last.phase == learn::Progress::Phase::survey   ? tr("coarse survey")
                          : last.phase == learn::Progress::Phase::errors ? tr("estimating uncertainties")
                          : last.descent > 0                             ? tr("descent %1").arg(last.descent + 1)
                                                                         : tr("descent");
    const QString text = tr("%1 · iteration %2 · loss %3 · %4 s")
                             .arg(where)
                             .arg(last.iteration)
                             .arg(last.loss, 0, 'g', 6)
                             .arg(last.seconds, 0, 'f', 1);
    if (learning_.state() == LearningState::pausing) return tr("Pausing after this step · %1").arg(text);
    return learning_.state() == LearningState::paused ? tr("Paused · %1").arg(text) : text;
  }
  if (learning_.state() == LearningState::ended) {
    const learn::Learned& l = learning_.end()->learned;
    return tr("%1 in %2 s · %3")
        .arg(iterations_text(l.iterations))
        .arg(l.seconds, 0, 'f', 2)
        .arg(QString::fromStdString(learn::words(l.reason)));
  }
  if (learning_.settings().targets.empty()) return {};
  if (const QString why = why_not(); !why.isEmpty()) return why;
  const learn::ObjectiveChoice* choice = objective_.chosen();
  return choice != nullptr && !choice->existing && !learning_.is_looking() ? tr("Learn adds the suggested objective.")
                                                                           : QString();
}

void LearningControls::refresh() {
  if (waits_ && learning_.settings().targets.empty()) waits_ = false;  // undone
  if (waits_ && !learning_.is_looking()) {
    waits_ = false;
    learn();
  }
  const bool busy = learning_.is_busy();
  const QString why = busy ? QString() : why_not();
  learn_->setVisible(!busy && !waits_);
  learn_->setEnabled(why.isEmpty());
  learn_->setToolTip(why.isEmpty() ? tr("Finds the marked parameters (F6)") : why);
  learn_->setText(learning_.state() == LearningState::ended ? tr("Learn again") : tr("Learn"));
  for (QPushButton* b : {pause_, best_}) b->setVisible(busy);
  stop_->setVisible(busy || waits_);
  pause_->setText(learning_.state() == LearningState::paused ? tr("Go on") : tr("Pause"));
  const LearningState state = learning_.state();
  pause_->setEnabled(state == LearningState::running || state == LearningState::paused);
  best_->setEnabled(state != LearningState::finishing && !learning_.progress().empty());
  const QString text = status_text();
  status_->setText(text);
  status_->setVisible(!text.isEmpty());
  set_style_property(*status_, "tone", waits_ || busy ? "busy" : learning_.failure().isEmpty() ? "second" : "error");
  if (learning_.failure() == reported_) return;
  reported_ = learning_.failure();
  if (!reported_.isEmpty()) Q_EMIT failed(reported_);
}

}  // namespace tl::ui
