// Opens and closes a stream, looks at it ten times a second, and ends records without holding up the window.
#include "widgets/session/stream_session.h"

#include <QDateTime>
#include <QDir>
#include <algorithm>
#include <utility>

#include "core/base/wording.h"
#include "core/learn/learning.h"
#include "core/live/windows/stream_input.h"

namespace tl::ui {
namespace {

constexpr int look_ms = 100;
constexpr double plot_every = 0.5;  // [s]

double seconds_now() {
  constexpr double ms = 1000;
  return static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / ms;
}

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace

StreamSession::StreamSession(LiveSession& session, QObject* parent) : QObject(parent), session_(session) {
  timer_.setInterval(look_ms);
  connect(&timer_, &QTimer::timeout, this, &StreamSession::look);
  connect(&session_.document(), &Document::graph_changed, this, &StreamSession::read_pipeline);
  connect(&session_.document(), &Document::was_reset, this, [this] {
    shown_windows_.clear();  // of another pipeline
    set_follows(false);
  });
  connect(&session_, &LiveSession::picture_ready, this,
          [this](const QString&, const live::Picture& picture) { take_picture(picture); });
  connect(&session_, &LiveSession::followed, this, &StreamSession::take_followed);
  connect(&session_, &LiveSession::window_shown, this, &StreamSession::take_window);
  read_pipeline();
}

StreamSession::~StreamSession() {
  if (ender_.joinable()) ender_.join();
  if (stream_ != nullptr) {
    session_.end_arrivals();
    (void)stream_->end_record();
  }
}

void StreamSession::read_pipeline() {
  const Document& document = session_.document();
  const Result<live::StreamInput> input = live::stream_input(document.graph(), document.registry());
  obstacle_ = input.ok() ? QString() : QString::fromStdString(message_for(FrontEnd::window, input.error()));
  if (follows_) {
    const Result<learn::Settings> settings = learn::settings_of(document.graph());
    if (!settings.ok() || settings.value() != follow_settings_) set_follows(true);
  }
  if (stream_ == nullptr) return;
  using enum stream::LiveStream::WindowUse;
  stream_->set_window_use(!input.ok() ? none : input.value().needs_flats ? with_flats : any);
}

void StreamSession::set_windows(const stream::WindowChoice& choice) {
  if (choice.length == windows_.length && choice.hop == windows_.hop) return;
  windows_ = choice;
  if (stream_ != nullptr) {
    stream_->set_windows(choice, [this] { session_.begin_arrivals(); });
  }
  Q_EMIT state_changed();
}

void StreamSession::set_follows(bool follows) {
  failure_.clear();
  const Graph& graph = session_.document().graph();
  const Result<learn::Settings> settings = learn::settings_of(graph);
  if (follows && (!settings.ok() || settings.value().targets.empty())) {
    failure_ = tr("Nothing is marked to be followed. Mark a parameter, such as the axis, with ∇ in the inspector.");
    follows = false;
  } else if (follows) {
    if (const auto checked = learn::check(settings.value(), graph, session_.document().registry()); !checked.ok()) {
      failure_ = QString::fromStdString(message_for(FrontEnd::window, checked.error()));
      follows = false;
    }
  }
  followed_.reset();
  follows_ = follows;
  if (follows) follow_settings_ = settings.value();
  session_.follow(follows ? std::optional(settings.value()) : std::nullopt);
  Q_EMIT state_changed();
}

void StreamSession::keep_followed() {
  if (!followed_) return;
  session_.document().edit(tr("Keep the followed values"), [found = followed_->found](Graph& graph) {
    std::vector<learn::TargetValue> values;
    for (const learn::Found& f : found) values.push_back(learn::value_of(f));
    graph = learn::with_values(std::move(graph), values);
  });
}

void StreamSession::take_picture(const live::Picture& picture) {
  if (!is_open() || picture.window.index < 0 || picture.window.index == timed_window_ || !picture.image) return;
  timed_window_ = picture.window.index;
  constexpr std::size_t kept = 200;
  latencies_.push_back(seconds_now() - picture.window.newest);
  if (latencies_.size() > kept) latencies_.pop_front();
}

std::optional<StreamSession::Latency> StreamSession::latency() const {
  if (latencies_.empty()) return std::nullopt;
  std::vector<double> sorted(latencies_.begin(), latencies_.end());
  std::sort(sorted.begin(), sorted.end());
  constexpr double most = 0.95;
  const auto at = [&](double share) {
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
  };
  return Latency{at(0.5), at(most)};
}

qint64 StreamSession::skipped_windows() const {
  return status_.skipped_windows + (is_open() ? session_.windows_replaced() : 0);
}

void StreamSession::take_window(const ComputedWindow& window) {
  if (is_recording() && !window.views.empty()) shown_windows_[{window.views.front(), window.views.back()}] = window;
}

void StreamSession::take_followed(const live::FollowEnd& end) {
  if (!follows_ || !is_open()) return;
  if (end.error) {
    if (end.error->kind != ErrorKind::cancelled)
      Q_EMIT noticed(tr("Following: %1").arg(QString::fromStdString(message_for(FrontEnd::window, *end.error))));
    return;
  }
  for (const learn::Found& now : end.found) {
    if (now.value.size() != 1) continue;
    const std::string unit(symbol(now.unit)), name = now.node + "." + now.name;
    const double time = end.time - opened_at_, sigma = now.uncertainty.empty() ? 0 : now.uncertainty[0];
    history_.add({name, now.value[0], unit}, time);
    history_.add({name + sigma_suffix, sigma, unit}, time);
    history_.add({name + resolved_suffix, now.trust == learn::Trust::resolved ? 1.0 : 0.0, ""}, time);
  }
  for (const live::Jump& jump : end.jumps) Q_EMIT alarm(QString::fromStdString(live::words(jump)));
  followed_ = end;
  Q_EMIT state_changed();
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
  options.windows = windows_;
  options.window = session_.begin_arrivals();
  Result<std::unique_ptr<stream::LiveStream>> opened = stream::LiveStream::open(options);
  if (!opened.ok()) return fail(opened.error());
  latencies_.clear();
  timed_window_ = -1;
  followed_.reset();
  opened_at_ = seconds_now();
  stream_ = std::move(opened).value();
  status_ = {};
  history_.clear();
  read_pipeline();
  if (follows_) set_follows(true);
  began_ = plotted_ = std::chrono::steady_clock::now();
  timer_.start();
  look();
  set_state(StreamState::waiting);
}

void StreamSession::close() {
  if (!is_open()) return;
  timer_.stop();
  closed_values_ = stream_->values();
  session_.end_arrivals();
  end_on_thread(After::closes);
  set_state(StreamState::closed);
}

void StreamSession::begin_record(const QString& path) {
  failure_.clear();
  if (!is_open() || ending_) return;
  const Result<void> begun = stream_->begin_record(path.toStdString(), session_.document().export_rules());
  if (!begun.ok()) return fail(begun.error());
  record_ = path;
  shown_windows_.clear();
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
  const Document& document = session_.document();
  const Result<live::StreamInput> input = live::stream_input(document.graph(), document.registry());
  ender_ = std::thread([this, s = std::move(stream), windows = std::exchange(shown_windows_, {}),
                        load = input.ok() ? input.value().load_node : std::string(),
                        rules = document.export_rules()]() mutable {
    RecordEnd end{s->end_record()};
    s.reset();
    if (end.record.ok() && end.record.value() && !load.empty() && !windows.empty()) {
      std::vector<ComputedWindow> all;
      for (auto& [views, window] : windows) all.push_back(std::move(window));
      end.table.emplace(write_window_table(end.record.value()->path, load, all, rules));
    }
    QMetaObject::invokeMethod(
        this, [this, end] { take_end(end); }, Qt::QueuedConnection);
  });
  Q_EMIT state_changed();
}

void StreamSession::take_end(const RecordEnd& end) {
  ending_ = false;
  if (!end.record.ok()) {
    fail(end.record.error());
    Q_EMIT record_failed(failure_);
  } else if (end.record.value()) {
    const stream::EndedRecord& record = *end.record.value();
    const QString path = QString::fromStdString(record.path.string());
    QString text = tr("Recorded %1: %2 views, %3 flats, %4 darks")
                       .arg(QDir::toNativeSeparators(path))
                       .arg(record.views)
                       .arg(record.flats)
                       .arg(record.darks);
    if (record.lost > 0) text += tr("; %1 frames are missing").arg(record.lost);
    if (end.table && end.table->ok())
      text += tr("; its windows are in %1").arg(QString::fromStdString(end.table->value().filename().string()));
    Q_EMIT recorded(path, text);
    if (end.table && !end.table->ok())
      Q_EMIT noticed(tr("The table of the windows is not written: %1")
                         .arg(QString::fromStdString(message_for(FrontEnd::window, end.table->error()))));
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
