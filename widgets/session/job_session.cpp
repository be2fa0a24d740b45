// JobSession: the requests that are allowed in each state of a job.
#include "widgets/session/job_session.h"

#include <QDir>
#include <QFileInfo>

#include "widgets/language/translated.h"

namespace tl::ui {

void JobSession::pause() {
  if (state_ != JobState::running) return;
  send(Command::pause);
  set_state(JobState::pausing);
}
void JobSession::go_on() {
  if (state_ != JobState::paused && state_ != JobState::pausing) return;
  send(Command::go_on);
  set_state(JobState::running);
}
void JobSession::take_best() {
  if (!is_busy() || !has_best() || state_ == JobState::finishing || state_ == JobState::stopping) return;
  send(Command::take_best);
  set_state(JobState::finishing);
}
void JobSession::cancel() {
  if (!is_busy()) return;
  send(Command::cancel);
  set_state(JobState::stopping);
}

void JobSession::set_state(JobState state) {
  if (state == state_) return;
  state_ = state;
  Q_EMIT state_changed();
}

void JobSession::set_failure(const Error& error) {
  if (error.kind != ErrorKind::cancelled) failure_ = translated(error);
}

void JobSession::follow(jobs::JobPhase phase) {
  if (phase == jobs::JobPhase::working && (state_ == JobState::reading || state_ == JobState::paused))
    set_state(JobState::running);
  if (phase == jobs::JobPhase::paused && state_ != JobState::finishing && state_ != JobState::stopping)
    set_state(JobState::paused);
}

void JobSession::fill(JobPipeline& settings) const {
  const live::EngineOptions& engine = session_.options();
  settings.graph = session_.document().graph();
  settings.pipeline = session_.document().title().toStdString();
  settings.device = engine.device;
  settings.threads = engine.threads;
  settings.memory = engine.memory;
  settings.input_dir = engine.input_dir;
}

QString JobSession::free_file(const QString& suffix, const QString& ending) const {
  const QString pipeline = session_.document().path();
  if (pipeline.isEmpty()) return {};
  const QFileInfo info(pipeline);
  const QString base = info.absoluteDir().filePath(info.completeBaseName() + suffix);
  QString file = base + ending;
  for (int i = 2; QFileInfo::exists(file); ++i) file = QStringLiteral("%1-%2%3").arg(base).arg(i).arg(ending);
  return file;
}

}  // namespace tl::ui
