// Numbers frames, gives them angles of the geometry, and counts.
#include "core/stream/intake.h"

#include <algorithm>
#include <utility>

#include "core/stream/record_geometry.h"
#include "core/values/infos.h"

namespace tl::stream {

Intake::Intake(IntakeOptions options) : options_(std::move(options)) {}

// With the first message: only then it is known how frames are counted.
void Intake::begin(const Wire& wire) {
  if (ring_) return;
  ring_ = std::make_unique<Ring>(options_.max_bytes, options_.late_after, wire.numbering);
  if (!options_.record) return;
  RecorderOptions record = *options_.record;
  record.numbering = wire.numbering;
  record.quantity = to_string(settings_.linear ? PixelKind::absorption : PixelKind::counts);
  record.geometry = geometry_;
  const int64_t max_bytes = record.max_queue;
  recorder_ = std::make_unique<Recorder>(std::move(record));
  for (TimedValue& value : std::exchange(early_values_, {})) recorder_->add(std::move(value));
  gate_ = std::make_unique<RecordGate>(*recorder_, opened_ ? std::nullopt : options_.before, max_bytes);
}

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
  RecordGate* gate = nullptr;
  bool is_taken = false, linear = false;
  {
    const std::lock_guard lock(mutex_);
    begin(wire);
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
    if (is_taken) gate = gate_.get();
  }
  if (is_taken && options_.taken) options_.taken(shared, wire.numbering, linear);
  // Without the lock: it may wait for the disk.
  if (gate != nullptr) (void)gate->add(std::move(shared));
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

void Intake::open_record(double now) {
  RecordGate* gate = nullptr;
  {
    const std::lock_guard lock(mutex_);
    opened_ = true;
    gate = gate_.get();
  }
  if (gate != nullptr) gate->open(now);
}

void Intake::add(const TimedValue& value) {
  const std::lock_guard lock(mutex_);
  if (recorder_) return recorder_->add(value);
  constexpr std::size_t max_values = 10'000;
  if (options_.record && early_values_.size() < max_values) early_values_.push_back(value);
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
  // Where each kind is counted by itself, it is counted from 0; in later scans it may go on.
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

Result<std::optional<EndedRecord>> Intake::finish() {
  if (!recorder_) return std::optional<EndedRecord>();
  TL_TRY(std::optional<EndedRecord> record, recorder_->finish());
  if (record) record->scan = options_.scan;
  return record;
}

}  // namespace tl::stream
