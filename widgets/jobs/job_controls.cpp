// JobControls: shows the buttons allowed in the state of the job, and its progress.
#include "widgets/jobs/job_controls.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/theme/flow_layout.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/style_property.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int bar_steps = 1000;

QString text_if_set(const std::function<QString()>& text) { return text ? text() : QString(); }

}  // namespace

QString job_activity(const JobSession& job, const JobSpec& spec) {
  if (!job.is_busy() || spec.activity.isEmpty()) return {};
  const JobState state = job.state();
  const QString what = state == JobState::reading    ? spec.activity_reading
                       : state == JobState::paused   ? JobControls::tr("paused")
                       : state == JobState::stopping ? JobControls::tr("stopping")
                                                     : spec.step();
  return QStringLiteral("%1 · %2").arg(spec.activity, what);
}

JobControls::JobControls(JobSession& job, const JobSpec& spec, QWidget* parent)
    : QWidget(parent),
      job_(job),
      spec_(spec),
      start_(new QPushButton(this)),
      pause_(new QPushButton(tr("Pause"), this)),
      best_(new QPushButton(tr("Take the best"), this)),
      stop_(new QPushButton(tr("Stop"), this)),
      status_(new QLabel(this)),
      scores_(new QLabel(this)),
      bar_(new QProgressBar(this)) {
  auto* column = spaced(new QVBoxLayout(this), 1);
  std::vector<QPushButton*> all{start_, pause_, best_, stop_};
  for (const JobButton& button : spec_.buttons) {
    auto* b = new QPushButton(button.text, this);
    b->setToolTip(button.help);
    const bool is_first = button.position == JobButton::ButtonPosition::first;
    if (is_first) b->setProperty("role", "primary");
    all.insert(is_first ? all.begin() : all.end(), b);
    connect(b, &QPushButton::clicked, this, button.press);
    more_.push_back(b);
  }
  auto* row = spaced(new FlowLayout, 2);
  for (QPushButton* b : all) row->addWidget(b);
  column->addLayout(row);
  column->addWidget(bar_);
  column->addWidget(status_);
  column->addWidget(scores_);
  pause_->setToolTip(spec_.pause_help);
  best_->setToolTip(spec_.best_help);
  stop_->setToolTip(spec_.stop_help);
  bar_->setTextVisible(false);
  bar_->setAccessibleName(spec_.bar);
  for (QLabel* label : {status_, scores_}) {
    label->setWordWrap(true);
    label->setFont(Theme::number_font());
  }
  scores_->setProperty("role", "second");
  connect(start_, &QPushButton::clicked, this, [this] { spec_.start(this); });
  connect(pause_, &QPushButton::clicked, this,
          [this] { job_.state() == JobState::paused ? job_.go_on() : job_.pause(); });
  connect(best_, &QPushButton::clicked, &job_, &JobSession::take_best);
  connect(stop_, &QPushButton::clicked, this, [this] { spec_.stop ? spec_.stop() : job_.cancel(); });
  for (const auto signal : {&JobSession::settings_changed, &JobSession::state_changed, &JobSession::progressed})
    connect(&job_, signal, this, &JobControls::refresh);
  refresh();
}

QString JobControls::status_text() const {
  if (QString waiting = text_if_set(spec_.waiting); !waiting.isEmpty()) return waiting;
  switch (job_.state()) {
    case JobState::reading: return spec_.reading();
    case JobState::running: return spec_.step();
    case JobState::pausing: return tr("Pausing after this step · %1").arg(spec_.step());
    case JobState::paused: return tr("Paused · %1").arg(spec_.step());
    case JobState::finishing: return spec_.finishing;
    case JobState::stopping: return spec_.stopping;
    case JobState::idle:
    case JobState::ended: break;
  }
  if (!job_.failure().isEmpty()) return job_.failure();
  return spec_.idle ? spec_.idle() : job_.obstacle();
}

void JobControls::refresh_buttons(const QString& waiting) {
  const JobState state = job_.state();
  const bool busy = job_.is_busy();
  bool is_first_shown = false;
  for (std::size_t i = 0; i < more_.size(); ++i) {
    more_[i]->setVisible(spec_.buttons[i].is_shown());
    is_first_shown |= !more_[i]->isHidden() && spec_.buttons[i].position == JobButton::ButtonPosition::first;
  }
  const QString obstacle = busy ? QString() : spec_.obstacle ? spec_.obstacle() : job_.obstacle();
  start_->setVisible(!busy && waiting.isEmpty());
  start_->setEnabled(obstacle.isEmpty());
  start_->setText(spec_.start_text());
  start_->setToolTip(obstacle.isEmpty() ? spec_.start_help : obstacle);
  set_style_property(*start_, "role", is_first_shown || state == JobState::ended ? "" : "primary");
  pause_->setVisible(busy);
  pause_->setText(state == JobState::paused ? tr("Go on") : tr("Pause"));
  pause_->setEnabled(state == JobState::running || state == JobState::paused);
  best_->setVisible(busy && !spec_.best_help.isEmpty());
  best_->setEnabled(job_.has_best() && state != JobState::finishing && state != JobState::stopping);
  stop_->setVisible(busy || !waiting.isEmpty());
  stop_->setEnabled(state != JobState::stopping);
}

void JobControls::refresh() {
  const bool busy = job_.is_busy();
  const QString waiting = text_if_set(spec_.waiting);
  refresh_buttons(waiting);
  bar_->setVisible(busy && !spec_.bar.isEmpty());
  bar_->setRange(0, job_.done() < 0 ? 0 : bar_steps);
  bar_->setValue(static_cast<int>(bar_steps * job_.done()));
  const QString text = status_text();
  status_->setText(text);
  status_->setVisible(!text.isEmpty());
  const bool failed = !job_.failure().isEmpty();
  set_style_property(*status_, "tone", busy || !waiting.isEmpty() ? "busy" : failed ? "error" : "second");
  const QString best = busy ? text_if_set(spec_.best) : QString();
  scores_->setText(best);
  scores_->setVisible(!best.isEmpty());
}

}  // namespace tl::ui
