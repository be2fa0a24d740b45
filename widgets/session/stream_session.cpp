// Opens and closes a stream, looks at it ten times a second, and ends records without holding up the window.
#include "widgets/session/stream_session.h"

#include <QDir>
#include <utility>

#include "core/base/wording.h"

namespace tl::ui {
namespace {

constexpr int look_ms = 100;
constexpr double plot_every = 0.5;  // [s]

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace

StreamSession::StreamSession(LiveSession& session, QObject* parent) : QObject(parent), session_(session) {
  timer_.setInterval(look_ms);
  connect(&timer_, &QTimer::timeout, this, &StreamSession::look);
}

StreamSession::~StreamSession() {
  if (ender_.joinable()) ender_.join();
  if (stream_ != nullptr) (void)stream_->end_record();
}

void StreamSession::fail(const Error& error) {
  failure_ = QString::fromStdString(message_for(FrontEnd::window, error));
  Q_EMIT state_changed();
}

void StreamSession::open(const StreamChoice& choice) {
  if (is_open() || ending_) return;
  failure_.clear();
  choice_ = choice;
  stream::LiveStreamOptions options;
  options.receiver.address = choice.address.trimmed().toStdString();
  options.receiver.socket = choice.socket;
  options.receiver.end = choice.end;
  Result<std::unique_ptr<stream::LiveStream>> opened = stream::LiveStream::open(options);
  if (!opened.ok()) return fail(opened.error());
  stream_ = std::move(opened).value();
  status_ = {};
  history_.clear();
  began_ = plotted_ = std::chrono::steady_clock::now();
  timer_.start();
  look();
  set_state(StreamState::waiting);
}

void StreamSession::close() {
  if (!is_open()) return;
  timer_.stop();
  closed_values_ = stream_->values();
  end_on_thread(After::closes);
  set_state(StreamState::closed);
}

void StreamSession::begin_record(const QString& path) {
  failure_.clear();
  if (!is_open() || ending_) return;
  const Result<void> begun = stream_->begin_record(path.toStdString(), session_.document().export_rules());
  if (!begun.ok()) return fail(begun.error());
  record_ = path;
  Q_EMIT state_changed();
}

void StreamSession::end_record() {
  if (is_recording() && !ending_) end_on_thread(After::goes_on);
}

// The stream lives until its record is ended; the address is free then.
void StreamSession::end_on_thread(After after) {
  if (ender_.joinable()) ender_.join();
  ending_ = true;
  std::shared_ptr<stream::LiveStream> stream = after == After::closes ? std::move(stream_) : stream_;
  if (after == After::closes) stream_ = nullptr;
  ender_ = std::thread([this, s = std::move(stream)]() mutable {
    const Result<std::optional<stream::EndedRecord>> end = s->end_record();
    s.reset();
    QMetaObject::invokeMethod(
        this, [this, end] { take_end(end); }, Qt::QueuedConnection);
  });
  Q_EMIT state_changed();
}

void StreamSession::take_end(const Result<std::optional<stream::EndedRecord>>& end) {
  ending_ = false;
  if (!end.ok()) {
    fail(end.error());
    Q_EMIT record_failed(failure_);
  } else if (end.value()) {
    const stream::EndedRecord& record = *end.value();
    const QString path = QString::fromStdString(record.path.string());
    QString text = tr("Recorded %1: %2 views, %3 flats, %4 darks")
                       .arg(QDir::toNativeSeparators(path))
                       .arg(record.views)
                       .arg(record.flats)
                       .arg(record.darks);
    if (record.lost > 0) text += tr("; %1 frames are missing").arg(record.lost);
    Q_EMIT recorded(path, text);
  }
  Q_EMIT state_changed();
}

StreamState StreamSession::state_of(const stream::StreamStatus& status) const {
  if (status.counts.taken() == 0) return StreamState::waiting;
  if (status.ended && status.silent) return StreamState::ended;
  return status.silent ? StreamState::silent : StreamState::receiving;
}

void StreamSession::set_state(StreamState state) {
  if (std::exchange(state_, state) != state) Q_EMIT state_changed();
}

void StreamSession::look() {
  using Kind = stream::StreamEvent::Kind;
  status_ = stream_->status();
  // A sender that says that it is done does not stop unexpectedly.
  for (const stream::StreamEvent& event : status_.events) {
    const QString text = QString::fromStdString(wording_for(FrontEnd::window, event.text));
    if (event.kind == Kind::alarm && !(status_.ended && status_.silent)) {
      Q_EMIT alarm(text);
    } else if (event.kind != Kind::alarm) {
      Q_EMIT noticed(text);
    }
  }
  if (seconds_since(plotted_) >= plot_every && status_.counts.taken() > 0) {
    plotted_ = std::chrono::steady_clock::now();
    const double now = seconds_since(began_);
    constexpr double percent = 100;
    const bool flows = status_.period && !status_.silent && *status_.period > 0;
    history_.add({"frames", flows ? 1 / *status_.period : 0, "1/s"}, now);
    history_.add({"lost", percent * status_.lost_share, "%"}, now);
  }
  if (const Result<void> state = stream_->record_state(); !state.ok() && !ending_) {
    fail(state.error());
    end_record();
  }
  set_state(state_of(status_));
  Q_EMIT changed();
}

std::map<std::string, stream::ValueCurve> StreamSession::values() const {
  std::map<std::string, stream::ValueCurve> all = history_.curves();
  std::map<std::string, stream::ValueCurve> values = stream_ != nullptr ? stream_->values() : closed_values_;
  all.merge(values);
  return all;
}

}  // namespace tl::ui
