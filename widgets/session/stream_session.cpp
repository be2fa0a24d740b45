// Opens and closes a stream, looks at it ten times a second, and ends records without holding up the window.
#include "widgets/session/stream_session.h"

#include <QDateTime>
#include <QDir>
#include <algorithm>
#include <utility>

#include "core/learn/learning.h"
#include "core/live/windows/stream_input.h"
#include "widgets/language/translated.h"

namespace tl::ui {
namespace {

constexpr int look_ms = 100;
constexpr double plot_every = 0.5;  // [s]

double seconds_now() {
  constexpr double ms = 1000;
  return static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / ms;
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
    stream_->stop_windows();
    session_.end_arrivals();
    (void)stream_->scans().end_record();
  }
}

void StreamSession::read_pipeline() {
  const Document& document = session_.document();
  const Result<live::StreamInput> input = live::stream_input(document.graph(), document.registry());
  obstacle_ = input.ok() ? QString() : translated(input.error());
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
  if (stream_ != nullptr) stream_->set_windows(choice);
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
      failure_ = translated(checked.error());
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
  if (!is_open() || picture.window.index < 0 || picture.window.newest == timed_window_ || !picture.image) return;
  timed_window_ = picture.window.newest;
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
  if (is_open() && std::exchange(has_measured_, window.measured) != window.measured) Q_EMIT state_changed();
  if (is_recording() && !window.views.empty())
    shown_windows_[window.scan][{window.views.front(), window.views.back()}] = window;
}

void StreamSession::take_followed(const live::FollowEnd& end) {
  if (!follows_ || !is_open()) return;
  if (end.error) {
    if (end.error->kind != ErrorKind::cancelled) Q_EMIT noticed(tr("Following: %1").arg(translated(*end.error)));
    return;
  }
  for (const learn::Found& now : end.found) {
    if (now.value.size() != 1) continue;
    const std::string unit(symbol(now.unit)), name = now.node + "." + now.name;
    const double sigma = now.uncertainty.empty() ? 0 : now.uncertainty[0];
    history_.add({name, now.value[0], unit}, end.time);
    history_.add({name + sigma_suffix, sigma, unit}, end.time);
    history_.add({name + resolved_suffix, now.trust == learn::Trust::resolved ? 1.0 : 0.0, ""}, end.time);
  }
  for (const live::Jump& jump : end.jumps) Q_EMIT alarm(translated(live::words(jump)));
  followed_ = end;
  Q_EMIT state_changed();
}

void StreamSession::fail(const Error& error) {
  failure_ = translated(error);
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
  options.log = choice.log.trimmed().toStdString();
  options.windows = windows_;
  options.window = session_.begin_arrivals();
  options.windows_begin = [this] { session_.begin_arrivals(); };
  Result<std::unique_ptr<stream::PlaneLinks>> links = open_links(choice);
  if (!links.ok()) return fail(links.error());
  Result<std::unique_ptr<stream::LiveStream>> opened = stream::LiveStream::open(options);
  if (!opened.ok()) return fail(opened.error());
  latencies_.clear();
  timed_window_ = 0;
  followed_.reset();
  has_measured_ = false;
  scan_reason_.clear();
  links_ = std::move(links).value();
  stream_ = std::move(opened).value();
  status_ = {};
  history_.clear();
  read_pipeline();
  if (follows_) set_follows(true);
  plotted_ = seconds_now();
  timer_.start();
  look();
  set_state(StreamState::waiting);
}

Result<std::unique_ptr<stream::PlaneLinks>> StreamSession::open_links(const StreamChoice& choice) {
  stream::PlaneLinkOptions options;
  options.send = choice.send.trimmed().toStdString();
  options.plugin = choice.plugin.trimmed().toStdString();
  if (const QString back = choice.plugin_back.trimmed(); !back.isEmpty()) options.plugin_back = back.toStdString();
  return stream::PlaneLinks::open(options, [this](const std::string& what) {
    QMetaObject::invokeMethod(
        this, [this, text = translated(what)] { Q_EMIT alarm(text); }, Qt::QueuedConnection);
  });
}

void StreamSession::send_plane(const QString& view, const QString& kind, const live::Picture& picture) {
  const bool is_plane = picture.window.index >= 0 && picture.final && picture.image && picture.slices == 1 &&
                        std::holds_alternative<VolumeGrid>(picture.region);
  if (!is_plane || !links_ || !links_->wants_planes()) return;
  stream::Plane plane;
  plane.name = picture.request.node + "." + picture.request.port + " " + kind.toStdString();
  plane.id = static_cast<int64_t>(std::hash<std::string>{}(view.toStdString() + plane.name) & 0x7fffffff);
  plane.window = picture.window.index;
  plane.rows = picture.image->rows;
  plane.cols = picture.image->cols;
  plane.values = picture.image->pixels;
  links_->send(std::move(plane));
}

void StreamSession::close() {
  if (!is_open()) return;
  timer_.stop();
  links_.reset();
  closed_values_ = stream_->scans().values().series();
  stream_->stop_windows();
  session_.end_arrivals();
  end_on_thread(After::closes);
  set_state(StreamState::closed);
}

void StreamSession::begin_record(const QString& path, const stream::RecordStart& start) {
  failure_.clear();
  if (!is_open() || ending_) return;
  stream::RecorderOptions record;
  record.name = path.toStdString();
  record.rules = session_.document().export_rules();
  if (const Result<void> begun = stream_->scans().begin_record(record, start); !begun.ok()) return fail(begun.error());
  record_start_ = start;
  records_ = {path};
  disk_alarm_.clear();
  shown_windows_.clear();
  Q_EMIT state_changed();
}

QString StreamSession::awaited_trigger() const {
  const bool waits = is_recording() && record_start_.trigger && !stream_->scans().has_triggered();
  return waits ? translated(record_start_.trigger->text()) : QString();
}

void StreamSession::end_record() {
  if (is_recording() && !ending_) end_on_thread(After::goes_on);
}

// The stream exists until its record is ended; only then its address is free.
void StreamSession::end_on_thread(After after) {
  if (ender_.joinable()) ender_.join();
  ending_ = true;
  std::shared_ptr<stream::LiveStream> stream = after == After::closes ? std::move(stream_) : stream_;
  if (after == After::closes) stream_ = nullptr;
  const Document& document = session_.document();
  const Result<live::StreamInput> input = live::stream_input(document.graph(), document.registry());
  ender_ = std::thread([this, after, s = std::move(stream), windows = std::exchange(shown_windows_, {}),
                        load = input.ok() ? input.value().load_node : std::string(),
                        rules = document.export_rules()]() mutable {
    if (after == After::closes) s->close();
    RecordEnd end{s->scans().end_record()};
    s.reset();
    if (end.records.ok() && !load.empty())
      for (const stream::EndedRecord& record : end.records.value())
        if (const auto shown = windows.find(record.scan); shown != windows.end()) {
          std::vector<ComputedWindow> all;
          for (auto& [views, window] : shown->second) all.push_back(std::move(window));
          end.tables.emplace(record.scan, write_window_table(record.path, load, all, rules));
        }
    QMetaObject::invokeMethod(
        this, [this, end] { take_end(end); }, Qt::QueuedConnection);
  });
  Q_EMIT state_changed();
}

void StreamSession::take_end(const RecordEnd& end) {
  ending_ = false;
  if (!end.records.ok()) {
    fail(end.records.error());
    Q_EMIT record_failed(failure_);
  } else if (!end.records.value().empty()) {
    QStringList paths, texts;
    for (const stream::EndedRecord& record : end.records.value()) {
      paths << QString::fromStdString(record.path.string());
      texts << tr("Recorded %1: %2 views, %3 flats, %4 darks")
                   .arg(QDir::toNativeSeparators(paths.back()))
                   .arg(record.views)
                   .arg(record.flats)
                   .arg(record.darks);
      if (record.lost > 0) texts.back() += tr("; %1 frames are missing").arg(record.lost);
      const auto table = end.tables.find(record.scan);
      if (table == end.tables.end()) continue;
      if (table->second.ok()) {
        texts.back() +=
            tr("; its windows are in %1").arg(QString::fromStdString(table->second.value().filename().string()));
      } else {
        Q_EMIT noticed(tr("The table of the windows is not written: %1").arg(translated(table->second.error())));
      }
    }
    Q_EMIT recorded(paths, texts);
  }
  records_.clear();
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
  // If a sender announces its end, this is no interruption.
  for (const stream::StreamEvent& event : status_.events) {
    const QString text = translated(event.text);
    if (event.kind == Kind::scan) scan_reason_ = translated(event.because);
    if (event.kind == Kind::disk) disk_alarm_ = text;
    if (event.kind == Kind::disk || (event.kind == Kind::alarm && !(status_.ended && status_.silent))) {
      Q_EMIT alarm(text);
    } else if (event.kind != Kind::alarm) {
      Q_EMIT noticed(text);
    }
  }
  if (const double now = seconds_now(); now - plotted_ >= plot_every && status_.counts.taken() > 0) {
    plotted_ = now;
    constexpr double percent = 100;
    const bool flows = status_.period && !status_.silent && *status_.period > 0;
    history_.add({"frames", flows ? 1 / *status_.period : 0, "1/s"}, now);
    history_.add({"lost", percent * status_.lost_share, "%"}, now);
  }
  if (is_recording()) {
    records_.clear();
    for (const std::filesystem::path& name : stream_->scans().records())
      records_ << QString::fromStdString(name.string());
  }
  if (const Result<void> state = stream_->scans().record_state(); !state.ok() && !ending_) {
    fail(state.error());
    end_record();
  }
  set_state(state_of(status_));
  Q_EMIT changed();
}

std::map<std::string, stream::ValueSeries> StreamSession::values() const {
  std::map<std::string, stream::ValueSeries> all = history_.series();
  std::map<std::string, stream::ValueSeries> values =
      stream_ != nullptr ? stream_->scans().values().series() : closed_values_;
  all.merge(values);
  return all;
}

}  // namespace tl::ui
