// Numbers frames, gives them angles from the geometry, and counts them.
#include "core/stream/intake.h"

#include <algorithm>
#include <utility>

#include "core/stream/record_geometry.h"
#include "core/values/infos.h"

namespace tl::stream {
namespace {

std::vector<FramePtr> references_of(const Ring& ring) {
  std::vector<FramePtr> all = ring.frames(FrameKind::flat, 0, max_frame_number);
  const std::vector<FramePtr> darks = ring.frames(FrameKind::dark, 0, max_frame_number);
  all.insert(all.end(), darks.begin(), darks.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const FramePtr& a, const FramePtr& b) { return a->arrival_time < b->arrival_time; });
  return all;
}

}  // namespace

Intake::Intake(IntakeOptions options) : options_(std::move(options)) {}

void Intake::take(Message message, const Wire& wire) {
  if (auto* frame = std::get_if<Frame>(&message)) return take_frame(std::move(*frame), wire);
  const std::lock_guard lock(mutex_);
  if (auto* geometry = std::get_if<StreamGeometry>(&message)) {
    angles_ = geometry->vectors.empty() ? geometry->angles : angles_of_vectors(geometry->vectors);
    geometry_ = std::move(*geometry);
  }
  if (const auto* settings = std::get_if<ScanSettings>(&message)) settings_ = *settings;
  if (const auto* end = std::get_if<EndOfStream>(&message)) end_ = *end;
}

void Intake::take_frame(Frame frame, const Wire& wire) {
  using WallClock = std::chrono::system_clock;
  frame.arrival_time = std::chrono::duration<double>(WallClock::now().time_since_epoch()).count();
  FramePtr shared;
  std::shared_ptr<Recorder> recorder;
  std::vector<FramePtr> to_record;
  bool is_taken = false, linear = false;
  {
    const std::lock_guard lock(mutex_);
    // Created at the first message, which shows how frames are numbered.
    if (!ring_) ring_ = std::make_unique<Ring>(options_.max_bytes, options_.late_after, wire.numbering);
    if (!like_) {
      like_.emplace();
      like_->rows = frame.rows;
      like_->cols = frame.cols;
      like_->type = frame.type;
    }
    if (frame.rows != like_->rows || frame.cols != like_->cols || frame.type != like_->type) {
      ++counts_.refused;
      return;
    }
    if (!frame.number) frame.number = next_number_;
    frame.scan = options_.scan;
    if (!frame.angle && !angles_.empty() && frame.kind == FrameKind::view)
      frame.angle = angles_[static_cast<std::size_t>(*frame.number) % angles_.size()];
    if (frame.kind == FrameKind::view) {
      frame.has_beam = settings_.linear || brightness_.has_beam(frame);
    } else {
      brightness_.add_reference(frame);
    }
    shared = std::make_shared<const Frame>(std::move(frame));
    const Arrival arrival = ring_->add(shared);
    note_arrival(*shared, arrival);
    is_taken = arrival == Arrival::taken || arrival == Arrival::late;
    linear = settings_.linear;
    if (is_taken && record_) to_record = start_record(shared.get());
    const bool has_row = shared->kind != FrameKind::view || !first_view_ || *shared->number >= *first_view_;
    if (is_taken && recorder_ && has_row) to_record.push_back(shared);
    recorded_ += std::ssize(to_record);
    recorder = recorder_;
  }
  if (is_taken && options_.taken) options_.taken(shared, wire.numbering, linear);
  // Without the lock: the call may wait for the disk.
  for (FramePtr& one : to_record) (void)recorder->add(std::move(one));
}

// The earlier frames that belong to the record.
std::vector<FramePtr> Intake::start_record(const Frame* next) {
  RecorderOptions options = *std::exchange(record_, std::nullopt);
  options.numbering = ring_->numbers().numbering();
  options.quantity = to_string(settings_.linear ? PixelKind::absorption : PixelKind::counts);
  options.geometry = geometry_;
  recorder_ = std::make_shared<Recorder>(std::move(options));
  for (TimedValue& value : std::exchange(values_, {})) recorder_->add(std::move(value));
  std::vector<FramePtr> before = references_of(*ring_);
  std::vector<FramePtr> views = ring_->frames(FrameKind::view, 0, max_frame_number);
  const auto is_next = [next](const FramePtr& frame) { return frame.get() == next; };
  std::erase_if(before, is_next);
  std::erase_if(views, is_next);
  first_view_.reset();
  if (views.empty()) return before;
  // Frames from before the record do not count as lost: they have no rows, except views that the next one may have
  // overtaken.
  first_view_ = *views.back()->number + 1;
  std::erase_if(views, [this](const FramePtr& view) { return view->arrival_time < since_; });
  if (!views.empty()) {
    first_view_ = views.front()->number;
  } else if (next != nullptr && next->kind == FrameKind::view) {
    const int64_t after = *next->number - *first_view_;
    if (after < 0 || after >= RecordRows::room_before) first_view_ = next->number;
  }
  recorder_->begin_at(*first_view_);
  before.insert(before.end(), views.begin(), views.end());
  return before;
}

void Intake::begin_record(RecorderOptions record, double since) {
  const std::lock_guard lock(mutex_);
  record_ = std::move(record);
  since_ = since;
  recorded_ = 0;
}

void Intake::note_arrival(const Frame& frame, Arrival arrival) {
  if (arrival == Arrival::duplicate) ++counts_.duplicates;
  if (arrival == Arrival::implausible) ++counts_.refused;
  if (arrival == Arrival::late) ++counts_.late;
  if (arrival != Arrival::taken && arrival != Arrival::late) return;
  next_number_ = std::max(next_number_, *frame.number + 1);
  if (!frame.has_beam) ++counts_.no_beam;
  if (!counts_.first) counts_.first = frame.number;
  ++(frame.kind == FrameKind::view ? counts_.views : frame.kind == FrameKind::flat ? counts_.flats : counts_.darks);
  if (frame.kind == FrameKind::dark) views_at_last_dark_ = counts_.views;
  const Clock::time_point now = Clock::now();
  if (counts_.taken() > 1) {
    constexpr double memory = 0.9;  // of the mean, per frame
    const double step = std::chrono::duration<double>(now - last_).count();
    period_ = period_ ? memory * *period_ + (1 - memory) * step : step;
  }
  last_ = now;
}

IntakeCounts Intake::counts() const {
  const std::lock_guard lock(mutex_);
  IntakeCounts counts = counts_;
  if (recorder_) counts.refused += recorder_->refused();
  return counts;
}

void Intake::expect(std::optional<int64_t> begin, std::optional<int64_t> end) {
  const std::lock_guard lock(mutex_);
  if (begin) expected_begin_ = begin;
  if (end) expected_end_ = end;
}

std::pair<std::optional<StreamGeometry>, ScanSettings> Intake::announced() const {
  const std::lock_guard lock(mutex_);
  return {geometry_, settings_};
}

std::optional<FrameNumbers> Intake::numbers() const {
  const std::lock_guard lock(mutex_);
  return ring_ ? std::optional(ring_->numbers()) : std::nullopt;
}

std::vector<FramePtr> Intake::references() const {
  const std::lock_guard lock(mutex_);
  return ring_ ? references_of(*ring_) : std::vector<FramePtr>();
}

void Intake::add(const TimedValue& value) {
  const std::lock_guard lock(mutex_);
  if (recorder_) return recorder_->add(value);
  constexpr std::size_t max_values = 10'000;
  values_.push_back(value);
  if (values_.size() > max_values) values_.pop_front();
}

int64_t Intake::recorded() const {
  const std::lock_guard lock(mutex_);
  return recorded_;
}

std::optional<double> Intake::period() const {
  const std::lock_guard lock(mutex_);
  return period_;
}

Intake::Clock::time_point Intake::last_frame() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

bool Intake::has_ended() const {
  const std::lock_guard lock(mutex_);
  return end_.has_value();
}

std::vector<int64_t> Intake::missing() const {
  const std::lock_guard lock(mutex_);
  if (!ring_) return {};
  const FrameNumbers numbers = ring_->numbers();
  const auto lowest = numbers.lowest(FrameKind::view), highest = numbers.highest(FrameKind::view);
  if (!lowest) return {};
  // If each kind is numbered separately, numbers begin at 0; in later scans they may continue.
  const bool begins_at_0 =
      numbers.numbering() == Numbering::per_kind && (options_.scan == 0 || *lowest < RecordRows::room_before);
  int64_t begin = begins_at_0 ? 0 : *lowest, end = *highest + 1;
  if (expected_begin_) begin = std::min(begin, *expected_begin_);
  if (expected_end_) end = std::max(end, *expected_end_);
  if (end_ && end_->first) begin = std::min(begin, *end_->first);
  if (end_ && end_->frames && numbers.numbering() == Numbering::through_all_kinds)
    end = std::max(end, std::min(begin + *end_->frames, end + FrameNumbers::max_jump));
  return numbers.missing_in(std::max(begin, *lowest - FrameNumbers::max_jump), end);
}

Result<void> Intake::record_state() const {
  const std::lock_guard lock(mutex_);
  return recorder_ ? recorder_->state() : ok();
}

Result<std::optional<EndedRecord>> Intake::end_record() {
  std::shared_ptr<Recorder> recorder;
  std::vector<FramePtr> before;
  {
    const std::lock_guard lock(mutex_);
    // No frame has arrived since the record was requested: the seconds before that still become a record.
    const std::vector<FramePtr> views =
        record_ && ring_ ? ring_->frames(FrameKind::view, 0, max_frame_number) : std::vector<FramePtr>();
    if (std::any_of(views.begin(), views.end(), [this](const FramePtr& v) { return v->arrival_time >= since_; }))
      before = start_record(nullptr);
    record_.reset();
    recorder = std::exchange(recorder_, nullptr);
  }
  if (!recorder) return std::optional<EndedRecord>();
  for (FramePtr& frame : before) (void)recorder->add(std::move(frame));
  Result<std::optional<EndedRecord>> record = recorder->finish();
  const std::lock_guard lock(mutex_);
  counts_.refused += recorder->refused();
  if (record.ok() && record.value()) record.value()->scan = options_.scan;
  return record;
}

}  // namespace tl::stream
