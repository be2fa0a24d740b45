// Receives frames, and hands them to a record while one goes on.
#include "core/stream/live_stream.h"

#include <algorithm>
#include <utility>

#include "core/values/infos.h"

namespace tl::stream {
namespace {

IntakeOptions intake_options(const LiveStreamOptions& options,
                             std::function<void(const FramePtr&, Numbering, bool)> taken) {
  IntakeOptions intake;
  intake.max_bytes = options.max_bytes;
  intake.late_after = options.windows.length;
  intake.taken = std::move(taken);
  return intake;
}

}  // namespace

LiveStream::LiveStream(const LiveStreamOptions& options)
    : options_(options),
      choice_(options.windows),
      windows_(std::make_shared<Windows>(options.windows)),
      intake_(intake_options(options, [this](const FramePtr& frame, Numbering numbering, bool linear) {
        arrived(frame, numbering, linear);
      })) {}

Result<std::unique_ptr<LiveStream>> LiveStream::open(LiveStreamOptions options) {
  std::unique_ptr<LiveStream> stream(new LiveStream(options));
  LiveStream& s = *stream;
  TL_TRY(s.receiver_,
         Receiver::open(options.receiver,
                        {[&s](Message message, const Wire& wire) { s.intake_.take(std::move(message), wire); },
                         [&s](const Error& error) {
                           if (!std::exchange(s.broken_, true))
                             s.add_event({StreamEvent::Kind::alarm, "a message is broken: " + error.message()});
                         }}));
  return stream;
}

LiveStream::~LiveStream() = default;

void LiveStream::add_event(StreamEvent event) {
  const std::lock_guard lock(mutex_);
  events_.push_back(std::move(event));
}

// The receiver's thread.
void LiveStream::arrived(const FramePtr& frame, Numbering numbering, bool linear) {
  for (const NearbyValue& value : frame->values) values_.add(value, frame->arrival_time);
  std::shared_ptr<Recorder> recorder;
  std::shared_ptr<Windows> windows;
  std::vector<FramePtr> before;
  {
    const std::lock_guard lock(mutex_);
    if (record_) {
      record_->numbering = numbering;
      record_->quantity = to_string(linear ? PixelKind::absorption : PixelKind::counts);
      recorder_ = std::make_shared<Recorder>(*std::exchange(record_, std::nullopt));
      before = references_;
    }
    recorder = recorder_;
    windows = windows_;
    numbering_ = numbering;
    linear_ = linear;
    if (frame->kind == FrameKind::view) {
      if (!newest_view_ || *newest_view_->number <= *frame->number) newest_view_ = frame;
    } else {
      references_.push_back(frame);
      reference_bytes_ += static_cast<int64_t>(frame->pixels.size());
      while (reference_bytes_ > options_.max_bytes && references_.size() > 1) {
        reference_bytes_ -= static_cast<int64_t>(references_.front()->pixels.size());
        references_.erase(references_.begin());
      }
    }
  }
  windows->add(frame, numbering, linear);
  give_window();
  if (!recorder) return;
  // Without the lock: the recorder may wait for the disk.
  for (const FramePtr& reference : renumbered_before(before, *frame, numbering))
    if (recorder->add(reference)) ++recorded_;
  if (recorder->add(frame)) ++recorded_;
}

std::vector<FramePtr> renumbered_before(const std::vector<FramePtr>& references, const Frame& first,
                                        Numbering numbering) {
  const auto count = static_cast<int64_t>(references.size());
  const int64_t begin = *first.number - count;
  const bool follow = std::all_of(references.begin(), references.end(), [&](const FramePtr& r) {
    return *r->number >= begin - RecordRows::room_before && *r->number < *first.number;
  });
  if (numbering == Numbering::per_kind || follow || begin < 0) return references;
  std::vector<FramePtr> moved;
  for (int64_t i = 0; i < count; ++i) {
    Frame copy = *references[static_cast<std::size_t>(i)];
    copy.number = begin + i;
    moved.push_back(std::make_shared<const Frame>(std::move(copy)));
  }
  return moved;
}

StreamStatus LiveStream::status() {
  StreamStatus status;
  status.events = watch_.look(intake_.counts(), intake_.period(), intake_.last_frame());
  status.silent = watch_.is_silent();
  status.dark = watch_.is_dark();
  status.counts = intake_.counts();
  status.received = receiver_->counts();
  status.missing = intake_.missing();
  status.period = intake_.period();
  status.ended = intake_.has_ended();
  // No frame follows that would show a gap to be one.
  if (status.ended && status.silent) end_windows();
  status.age = std::chrono::duration<double>(Intake::Clock::now() - intake_.last_frame()).count();
  status.windows = windows_given_;
  const std::lock_guard lock(mutex_);
  status.skipped_windows = windows_->skipped();
  status.waits_for_flats = windows_->waits_for_flats();
  status.newest_view = newest_view_;
  status.events.insert(status.events.end(), std::make_move_iterator(events_.begin()),
                       std::make_move_iterator(events_.end()));
  events_.clear();
  if (newest_view_) {
    const int64_t begin = *newest_view_->number + 1 - choice_.length;
    const auto lost =
        std::count_if(status.missing.begin(), status.missing.end(), [begin](int64_t n) { return n >= begin; });
    status.lost_share = static_cast<double>(lost) / static_cast<double>(choice_.length);
  }
  return status;
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
  const WindowUse use = use_;
  if (!options_.window || use == WindowUse::none) return;
  const std::lock_guard lock(mutex_);
  std::optional<Window> window =
      windows_->take_newest(use == WindowUse::any ? Windows::NeedsFlats::no : Windows::NeedsFlats::yes);
  if (!window) return;
  ++windows_given_;
  options_.window(std::make_shared<const Window>(std::move(*window)));
}

void LiveStream::set_windows(const WindowChoice& choice, const std::function<void()>& changed) {
  const std::lock_guard lock(mutex_);
  auto windows = std::make_shared<Windows>(choice);
  for (const FramePtr& reference : references_) windows->add(reference, numbering_, linear_);
  choice_ = choice;
  windows_ = std::move(windows);
  changed();
}

Result<void> LiveStream::begin_record(const std::filesystem::path& name, const io::OutputRules& rules) {
  TL_TRY(check_record_name(name, rules));
  const std::lock_guard lock(mutex_);
  if (record_ || recorder_) return invalid("a record goes on", name.string(), "End it first");
  record_.emplace();
  record_->name = name;
  record_->rules = rules;
  record_->max_queue = options_.max_bytes;
  record_->alarm = [this](const std::string& what) { add_event({StreamEvent::Kind::alarm, what}); };
  recorded_ = 0;
  return ok();
}

bool LiveStream::is_recording() const {
  const std::lock_guard lock(mutex_);
  return record_ || recorder_;
}

Result<void> LiveStream::record_state() const {
  const std::lock_guard lock(mutex_);
  return recorder_ ? recorder_->state() : ok();
}

Result<std::optional<EndedRecord>> LiveStream::end_record() {
  std::shared_ptr<Recorder> recorder;
  {
    const std::lock_guard lock(mutex_);
    record_.reset();
    recorder = std::exchange(recorder_, nullptr);
  }
  if (!recorder) return std::optional<EndedRecord>();
  return recorder->finish();
}

}  // namespace tl::stream
