// Receives frames and lines of a log, and cuts the newest scan into windows.
#include "core/stream/live_stream.h"

#include <algorithm>
#include <utility>

namespace tl::stream {

LiveStream::LiveStream(const LiveStreamOptions& options)
    : options_(options),
      choice_(options.windows),
      windows_(std::make_shared<Windows>(options.windows)),
      scans_(scans_options()) {}

ScansOptions LiveStream::scans_options() {
  ScansOptions scans;
  scans.max_bytes = options_.max_bytes;
  scans.late_after = options_.windows.length;
  scans.taken = [this](const FramePtr& frame, Numbering numbering, bool linear) { arrived(frame, numbering, linear); };
  scans.begun = [this](int64_t scan, const std::string& because, const std::filesystem::path& record) {
    StreamEvent event{StreamEvent::Kind::scan, "scan " + std::to_string(scan) + " begins: " + because, scan};
    if (!record.empty()) event.text += "; it is recorded in " + record.string();
    event.because = because;
    event.record = record;
    add_event(std::move(event));
  };
  scans.triggered = [this](const NearbyValue& value) {
    StreamEvent event{StreamEvent::Kind::trigger, "the trigger condition is met: recording starts"};
    event.value = value;
    add_event(std::move(event));
  };
  scans.alarm = [this](const std::string& what) { add_event({StreamEvent::Kind::disk, what}); };
  return scans;
}

Result<std::unique_ptr<LiveStream>> LiveStream::open(LiveStreamOptions options, std::optional<RecorderOptions> record,
                                                     RecordStart start) {
  std::unique_ptr<LiveStream> stream(new LiveStream(options));
  if (record) TL_TRY(stream->scans_.begin_record(*std::move(record), std::move(start)));
  TL_TRY(stream->open_receivers());
  return stream;
}

Result<void> LiveStream::open_receivers() {
  if (!options_.log.empty()) {
    constexpr int64_t max_message = int64_t{1} << 22;
    TL_TRY(log_,
           Receiver::open(
               {.address = options_.log, .end = options_.receiver.end, .wire = &log_wire(), .max_message = max_message},
               {[this](const Message& message, const Wire&) {
                  if (const auto* lines = std::get_if<LogLines>(&message)) take_lines(*lines);
                },
                [this](const Error& error) {
                  if (!bad_log_.exchange(true)) add_alarm("the log: " + error.message());
                }}));
  }
  TL_TRY(receiver_, Receiver::open(options_.receiver, {[this](Message message, const Wire& wire) {
                                                         scans_.take(std::move(message), wire);
                                                       },
                                                       [this](const Error& error) {
                                                         if (!broken_.exchange(true))
                                                           add_alarm("a message is broken: " + error.message());
                                                       }}));
  return ok();
}

LiveStream::~LiveStream() = default;

void LiveStream::close() {
  std::unique_ptr<Receiver> receiver, log;  // destroyed without the lock, for which their threads may wait
  const std::lock_guard lock(mutex_);
  if (receiver_) received_ = receiver_->counts();
  if (log_) lines_ = log_->counts();
  receiver.swap(receiver_);
  log.swap(log_);
}

void LiveStream::take_lines(const LogLines& lines) {
  scans_.add(lines);
  if (lines.bad > 0 && !bad_log_.exchange(true)) add_alarm("a line of the log is not understood: it is left out");
}

void LiveStream::add_event(StreamEvent event) {
  const std::lock_guard lock(mutex_);
  events_.push_back(std::move(event));
}

// The receiver's thread.
void LiveStream::arrived(const FramePtr& frame, Numbering numbering, bool linear) {
  if (options_.taken) options_.taken(frame, numbering, linear);
  std::shared_ptr<Windows> windows;
  {
    const std::lock_guard lock(mutex_);
    if (frame->scan < scan_) return;  // overtaken by frames of another scan
    if (std::exchange(scan_, frame->scan) != frame->scan) begin_windows();
    windows = windows_;
    numbering_ = numbering;
    linear_ = linear;
    const bool is_newest = !newest_view_ || newest_view_->scan < frame->scan || *newest_view_->number <= *frame->number;
    if (frame->kind == FrameKind::view && is_newest) newest_view_ = frame;
  }
  if (!options_.window) return;
  windows->add(frame, numbering, linear);
  give_window();
}

StreamStatus LiveStream::status() {
  StreamStatus status;
  status.events = events();
  status.silent = watch_.is_silent();
  status.dark = watch_.is_dark();
  status.counts = scans_.counts();
  status.missing = scans_.missing();
  status.period = scans_.period();
  status.ended = scans_.has_ended();
  status.scan = scans_.scans();
  // No later frame will reveal a gap.
  if (status.ended && status.silent) end_windows();
  status.age = std::chrono::duration<double>(Intake::Clock::now() - scans_.last_frame()).count();
  const std::lock_guard lock(mutex_);
  status.received = receiver_ ? receiver_->counts() : received_;
  status.bad_lines = scans_.bad_lines() + (log_ ? log_->counts() : lines_).broken;
  status.lost_share = scans_.lost_share(choice_.length);
  status.windows = windows_given_;
  status.skipped_windows = skipped_before_ + windows_->skipped();
  status.waits_for_flats = windows_->waits_for_flats();
  status.newest_view = newest_view_;
  return status;
}

std::vector<StreamEvent> LiveStream::events() {
  std::vector<StreamEvent> all = watch_.look(scans_.counts(), scans_.period(), scans_.last_frame());
  const std::lock_guard lock(mutex_);
  for (StreamEvent& event : std::exchange(events_, {})) all.push_back(std::move(event));
  return all;
}

void LiveStream::end_windows() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(windows_ended_, windows_) == windows_) return;
    windows_->end();
  }
  give_window();
}

void LiveStream::give_window() {
  const std::lock_guard lock(mutex_);
  if (!options_.window || stopped_ || use_ == WindowUse::none) return;
  std::optional<Window> window =
      windows_->take_newest(use_ == WindowUse::any ? Windows::NeedsFlats::no : Windows::NeedsFlats::yes);
  if (!window) return;
  ++windows_given_;
  options_.window(std::make_shared<const Window>(std::move(*window)));
}

// Under the lock.
void LiveStream::begin_windows() {
  skipped_before_ += windows_->skipped();
  windows_ = std::make_shared<Windows>(choice_);
  if (!stopped_) options_.windows_begin();
}

void LiveStream::set_window_use(WindowUse use) {
  const std::lock_guard lock(mutex_);
  use_ = use;
}

void LiveStream::stop_windows() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

void LiveStream::set_windows(const WindowChoice& choice) {
  const std::lock_guard lock(mutex_);
  choice_ = choice;
  begin_windows();
  for (const FramePtr& reference : scans_.references()) windows_->add(reference, numbering_, linear_);
}

}  // namespace tl::stream
