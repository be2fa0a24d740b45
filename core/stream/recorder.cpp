// Writes frames on a thread of its own, watches the disk, and ends records.
#include "core/stream/recorder.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "core/stream/record_file.h"

namespace tl::stream {

using SteadyClock = std::chrono::steady_clock;

// Members used only by the thread. HDF5 suppresses messages per thread: the file is created and closed here.
class Recorder::Writer {
 public:
  explicit Writer(const RecorderOptions& options) : options_(options), rows_(options.numbering) {}

  // False: the frame has no row.
  Result<bool> add(const Frame& frame, std::optional<int64_t> first_view) {
    if (!file_) {
      TL_TRY(file_, RecordFile::create(recording_name(options_.name), frame, options_.quantity, options_.geometry));
      if (first_view) rows_.begin_at(*first_view);
      rows_of_frame_ = frame.rows;
      cols_of_frame_ = frame.cols;
      type_ = frame.type;
    }
    if (frame.rows != rows_of_frame_ || frame.cols != cols_of_frame_ || frame.type != type_) return false;
    const auto row = rows_.add(frame.kind, frame.number.value_or(0));
    if (!row) return false;
    TL_TRY(file_->add(*row, frame));
    if (options_.written) options_.written(frame);
    written_ += static_cast<int64_t>(frame.pixels.size());
    return true;
  }

  [[nodiscard]] bool has_file() const { return file_ != nullptr; }
  void add(const TimedValue& value) { file_->add(value); }

  // Once a second.
  Result<void> flush_if_due() {
    const auto now = SteadyClock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    if (!file_ || seconds < 1) return ok();
    TL_TRY(file_->flush());
    last_ = now;
    const int64_t rate = static_cast<int64_t>(static_cast<double>(std::exchange(written_, 0)) / seconds);
    return watch_disk(rate);
  }

  Result<std::optional<EndedRecord>> end() {
    if (!file_) return std::optional<EndedRecord>();
    const Result<void> closed = file_->close();
    file_.reset();
    if (!closed.ok()) return closed.error();
    TL_TRY(EndedRecord record, end_record(options_.name, options_.rules));
    return std::optional(std::move(record));
  }

 private:
  Result<void> watch_disk(int64_t rate) {
    struct statvfs disk {};
    if (fstatvfs(file_->handle(), &disk) != 0) return ok();
    const auto left = static_cast<int64_t>(disk.f_bavail) * static_cast<int64_t>(disk.f_frsize);
    constexpr int64_t minute = 60, warning = 10 * minute;  // [s]
    if (rate > 0 && left / rate < warning && !warned_) {
      warned_ = true;
      options_.alarm("the disk will be full in " + std::to_string(std::max<int64_t>(1, left / rate / minute)) +
                     " minutes at this rate");
    }
    // Space for frames that may arrive before the next check is kept free as well.
    if (left < options_.disk_reserve + 2 * rate)
      return io_error("the disk is full: the record ends here", options_.name.string(),
                      "The data recorded until now are complete");
    return ok();
  }

  const RecorderOptions& options_;
  RecordRows rows_;
  std::unique_ptr<RecordFile> file_;
  int64_t rows_of_frame_ = 0, cols_of_frame_ = 0;
  PixelType type_ = PixelType::uint16;
  SteadyClock::time_point last_ = SteadyClock::now();
  int64_t written_ = 0;  // bytes since the last flush
  bool warned_ = false;
};

Recorder::Recorder(RecorderOptions options) : options_(std::move(options)), thread_([this] { write_frames(); }) {}

Recorder::~Recorder() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool Recorder::add(FramePtr frame) {
  const auto bytes = static_cast<int64_t>(frame->pixels.size());
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.empty() || queued_ + bytes <= options_.max_queue || failure_ || ending_; });
  if (failure_ || ending_) return false;
  queued_ += bytes;
  queue_.push_back(std::move(frame));
  changed_.notify_all();
  return true;
}

void Recorder::add(TimedValue value) {
  constexpr std::size_t max_values = 10'000;
  const std::lock_guard lock(mutex_);
  if (failure_ || ending_) return;
  values_.push_back(std::move(value));
  if (values_.size() > max_values) values_.pop_front();
}

void Recorder::begin_at(int64_t view) {
  const std::lock_guard lock(mutex_);
  first_view_ = view;
}

Result<void> Recorder::state() const {
  const std::lock_guard lock(mutex_);
  if (failure_) return *failure_;
  return ok();
}

int64_t Recorder::refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
}

void Recorder::fail(Error error) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(error);
  queue_.clear();
  queued_ = 0;
  changed_.notify_all();
}

void Recorder::write_frames() {
  Writer writer(options_);
  constexpr auto look = std::chrono::milliseconds(100);
  while (true) {
    FramePtr frame;
    std::deque<TimedValue> values;
    std::optional<int64_t> first_view;
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, look, [&] { return !queue_.empty() || ending_; });
      if (writer.has_file()) values.swap(values_);
      first_view = first_view_;
      if (!queue_.empty()) {
        frame = std::move(queue_.front());
        queue_.pop_front();
        queued_ -= static_cast<int64_t>(frame->pixels.size());
        changed_.notify_all();
      } else if (ending_ && values.empty()) {
        break;
      }
    }
    Result<void> done = ok();
    for (const TimedValue& value : values) writer.add(value);
    if (frame) {
      const Result<bool> added = writer.add(*frame, first_view);
      if (!added.ok()) done = added.error();
      const std::lock_guard lock(mutex_);
      if (added.ok() && !added.value()) ++refused_;
    }
    if (done.ok()) done = writer.flush_if_due();
    if (!done.ok()) {
      fail(done.error());
      break;
    }
  }
  Result<std::optional<EndedRecord>> ended = writer.end();
  if (!ended.ok()) return fail(ended.error());
  const std::lock_guard lock(mutex_);
  ended_ = std::move(ended).value();
}

Result<std::optional<EndedRecord>> Recorder::finish() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
  if (failure_) return *failure_;
  return ended_;
}

}  // namespace tl::stream
