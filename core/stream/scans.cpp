// Divides a stream into scans, and completes their records while the next scan is received.
#include "core/stream/scans.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tl::stream {
namespace {

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void add_counts(const IntakeCounts& more, IntakeCounts& sum) {
  sum.views += more.views;
  sum.flats += more.flats;
  sum.darks += more.darks;
  sum.duplicates += more.duplicates;
  sum.late += more.late;
  sum.refused += more.refused;
  sum.no_beam += more.no_beam;
  if (!sum.first) sum.first = more.first;
}

// The name of a record: without permission to replace files, the first unused one.
std::filesystem::path free_record(const RecorderOptions& first, int64_t scan) {
  std::filesystem::path name = record_of_scan(first.name, scan);
  for (int64_t i = scan + 1; i < scan + 10'000 && !check_record_name(name, first.rules).ok(); ++i)
    name = record_of_scan(first.name, i);
  return name;
}

}  // namespace

std::filesystem::path record_of_scan(const std::filesystem::path& first, int64_t scan) {
  if (scan <= 1) return first;
  std::filesystem::path name = first.stem();
  name += "-" + std::to_string(scan);
  name += first.extension();
  return first.parent_path() / name;
}

Scans::Scans(ScansOptions options) : options_(std::move(options)), current_(std::make_shared<Intake>(options_)) {}

Scans::~Scans() = default;

std::shared_ptr<Intake> Scans::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

void Scans::take(Message message, const Wire& wire) {
  if (const auto* frame = std::get_if<Frame>(&message))
    for (const NearbyValue& value : frame->values) note(value, seconds_since_1970());
  const std::shared_ptr<Intake> intake = intake_of(message, wire);
  if (auto* end = std::get_if<EndOfStream>(&message); end != nullptr && begin_ && end->first) {
    // The sender counts all its frames; the number in earlier scans is subtracted.
    if (end->frames) end->frames = std::max<int64_t>(0, *end->first + *end->frames - *begin_);
    end->first = begin_;
  }
  intake->take(std::move(message), wire);
  constexpr int64_t overtaken = 64;  // number of frames after which no frame of the previous scan is expected
  if (previous_ && current_->counts().taken() > overtaken) end_previous();
}

std::shared_ptr<Intake> Scans::intake_of(const Message& message, const Wire& wire) {
  const auto* frame = std::get_if<Frame>(&message);
  const bool comes_late = frame != nullptr && frame->number && begin_ && *frame->number < *begin_ && previous_ &&
                          frame->kind != FrameKind::dark && wire.numbering == Numbering::through_all_kinds;
  if (comes_late && previous_->takes(*frame)) return previous_;
  if (scans_ < max_scans)
    if (const auto because = current_->leaves(message)) begin_scan(*because, message);
  return current_;
}

void Scans::begin_scan(const std::string& because, const Message& message) {
  end_previous();
  const auto [geometry, settings] = current_->announced();
  const std::optional<FrameNumbers> before = current_->numbers();
  IntakeOptions next = options_;
  next.scan = scans_;
  const auto begun = std::make_shared<Intake>(next);
  const auto* frame = std::get_if<Frame>(&message);
  std::optional<int64_t> begin;
  if (frame != nullptr && frame->number && before && before->numbering() == Numbering::through_all_kinds) {
    const int64_t last = std::max(before->highest(FrameKind::view).value_or(-1), int64_t{0});
    // If numbers continue, those between the two scans belong to the first one. If they begin again, nothing follows.
    if (*frame->number > last) begin = frame->number;
    // Darks of the next scan may have overtaken each other, and views of this scan may have overtaken them.
    if (frame->kind == FrameKind::dark && *frame->number > before->lowest_of_kind(FrameKind::view).value_or(0))
      begin = frame->number;
  }
  current_->expect({}, begin);
  begun->expect(begin, {});
  // Announced values stay valid until replaced, except the geometry of another frame shape.
  const bool same_shape = frame == nullptr || current_->takes(*frame);
  static const Wire none{};
  begun->take(settings, none);
  if (geometry && same_shape) begun->take(*geometry, none);
  std::filesystem::path record;
  {
    const std::lock_guard lock(mutex_);
    previous_ = std::exchange(current_, begun);
    begin_ = begin;
    ++scans_;
    if (recording_) {
      record = free_record(recording_->options, std::ssize(recording_->names) + 1);
      recording_->names.push_back(record);
      if (!recording_->start.trigger || triggered_) record_current(0);
    }
  }
  if (options_.begun) options_.begun(scans_, because, record);
}

// Completes its record on another thread, so that reception continues.
void Scans::end_previous() {
  std::shared_ptr<Intake> ending;
  {
    const std::lock_guard lock(mutex_);
    ending = std::exchange(previous_, nullptr);
    if (!ending) return;
    ended_.push_back({ending->counts(), missing_of_previous(*ending)});
    records_.push_back(std::async(std::launch::async, [ending] { return ending->end_record(); }));
  }
}

void Scans::add(const LogLines& lines) {
  const double now = seconds_since_1970();
  for (TimedValue value : lines.values) {
    if (!(value.time == value.time)) value.time = now;
    note(value, now);
    current()->add(value);
  }
  const std::lock_guard lock(mutex_);
  bad_lines_ += lines.bad;
}

void Scans::note(const NearbyValue& value, double time) {
  values_.add(value, time);
  {
    const std::lock_guard lock(mutex_);
    if (!recording_ || !recording_->start.trigger || triggered_) return;
    if (!recording_->start.trigger->holds(value.name, value.value)) return;
    triggered_ = true;
    record_current(time - recording_->start.before);
  }
  if (options_.triggered) options_.triggered(value);
}

// Under the lock.
void Scans::record_current(double since) {
  RecorderOptions record = recording_->options;
  record.name = recording_->names.back();
  current_->begin_record(std::move(record), since);
}

Result<void> Scans::begin_record(RecorderOptions record, RecordStart start) {
  TL_TRY(check_record_name(record.name, record.rules));
  const std::lock_guard lock(mutex_);
  if (recording_) return invalid("a recording is already in progress", record.name.string(), "End it first");
  record.max_queue = options_.max_bytes;
  record.alarm = options_.alarm;
  triggered_ = false;
  recording_ = Recording{record, std::move(start), {record.name}};
  if (!recording_->start.trigger) record_current(seconds_since_1970() - recording_->start.before);
  return ok();
}

bool Scans::is_recording() const {
  const std::lock_guard lock(mutex_);
  return recording_.has_value();
}

std::vector<std::filesystem::path> Scans::records() const {
  const std::lock_guard lock(mutex_);
  return recording_ ? recording_->names : std::vector<std::filesystem::path>();
}

IntakeCounts Scans::counts() const {
  const std::lock_guard lock(mutex_);
  IntakeCounts sum;
  for (const Ended& ended : ended_) add_counts(ended.counts, sum);
  if (previous_) add_counts(previous_->counts(), sum);
  add_counts(current_->counts(), sum);
  return sum;
}

double Scans::lost_share(int64_t frames) const {
  const std::shared_ptr<Intake> scan = current();
  const std::optional<FrameNumbers> numbers = scan->numbers();
  const auto highest = numbers ? numbers->highest(FrameKind::view) : std::nullopt;
  if (!highest) return 0;
  const std::vector<int64_t> missing = scan->missing();
  const auto lost = std::count_if(missing.begin(), missing.end(), [&](int64_t n) { return n > *highest - frames; });
  return static_cast<double>(lost) / static_cast<double>(frames);
}

// Without frames that belong to the current scan: the first of its darks may have been overtaken.
std::vector<int64_t> Scans::missing_of_previous(const Intake& previous) const {
  std::vector<int64_t> missing = previous.missing();
  const std::optional<FrameNumbers> later = begin_ ? current_->numbers() : std::nullopt;
  if (later)
    std::erase_if(missing, [&](int64_t number) {
      return later->has(FrameKind::view, number) || later->has(FrameKind::flat, number) ||
             later->has(FrameKind::dark, number);
    });
  return missing;
}

std::vector<int64_t> Scans::missing() const {
  const std::lock_guard lock(mutex_);
  std::vector<int64_t> all;
  const auto add = [&](const std::vector<int64_t>& more) { all.insert(all.end(), more.begin(), more.end()); };
  for (const Ended& ended : ended_) add(ended.missing);
  if (previous_) add(missing_of_previous(*previous_));
  add(current_->missing());
  return all;
}

int64_t Scans::scans() const {
  const std::lock_guard lock(mutex_);
  return scans_;
}

int64_t Scans::bad_lines() const {
  const std::lock_guard lock(mutex_);
  return bad_lines_;
}

bool Scans::has_triggered() const {
  const std::lock_guard lock(mutex_);
  return triggered_;
}

Result<std::vector<EndedRecord>> Scans::end_record() {
  std::vector<std::shared_ptr<Intake>> open;
  {
    const std::lock_guard lock(mutex_);
    recording_.reset();
    open = {previous_, current_};
  }
  std::vector<EndedRecord> all;
  std::optional<Error> failure;
  const auto keep = [&](Result<std::optional<EndedRecord>> record) {
    if (!record.ok() && !failure) failure = record.error();
    if (record.ok() && record.value()) all.push_back(*std::move(record).value());
  };
  for (const std::shared_ptr<Intake>& intake : open)
    if (intake) keep(intake->end_record());
  // Read after the scans: a scan that has just ended has its record either here or in the list above.
  std::vector<std::future<Result<std::optional<EndedRecord>>>> ending;
  {
    const std::lock_guard lock(mutex_);
    ending.swap(records_);
  }
  for (auto& record : ending) keep(record.get());
  if (failure) return *failure;
  std::sort(all.begin(), all.end(), [](const EndedRecord& a, const EndedRecord& b) { return a.scan < b.scan; });
  return all;
}

}  // namespace tl::stream
