// Scans: the scans of a stream, one after the other, each with a record of its own.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "core/stream/intake.h"
#include "core/stream/values/log_lines.h"
#include "core/stream/values/trigger.h"
#include "core/stream/values/value_log.h"

namespace tl::stream {

struct ScansOptions : IntakeOptions {
  // Called when another scan begins, with the name of its record if it is recorded; and when a trigger holds. On the
  // thread that delivered the message.
  std::function<void(int64_t scan, const std::string& because, const std::filesystem::path& record)> begun = {};
  std::function<void(const NearbyValue& value)> triggered = {};
  std::function<void(const std::string& what)> alarm = [](const std::string&) {};  // of records, on their threads
};

// How records begin.
struct RecordStart {
  std::optional<Trigger> trigger = {};  // none: with the next frame
  double before = 0;                    // the views of so many seconds before that are recorded as well [s]
};

// take() is called on the receiver's thread, add() on that of the log, everything else from any.
class Scans {
 public:
  explicit Scans(ScansOptions options);
  ~Scans();  // a record that goes on stays a recording, for recover_record()
  Scans(const Scans&) = delete;
  Scans& operator=(const Scans&) = delete;

  // As Intake::take(): a message that begins another scan ends the record of the last one.
  void take(Message message, const Wire& wire);
  // Lines of a log.
  void add(const LogLines& lines);

  // Every scan from now on into a record of its own: r.nx, then r-2.nx. The first begins with the flats and darks of
  // before. Of `record` name, rules, written and disk_reserve count. Invalid: a record goes on, or the name is taken.
  Result<void> begin_record(RecorderOptions record, RecordStart start = {});
  [[nodiscard]] bool is_recording() const;
  // That goes on: the names of its files, one per scan; frames of the last one.
  [[nodiscard]] std::vector<std::filesystem::path> records() const;
  [[nodiscard]] int64_t recorded() const { return current()->recorded(); }
  [[nodiscard]] bool has_triggered() const;  // the newest record
  [[nodiscard]] Result<void> record_state() const { return current()->record_state(); }
  // Waits until all is written. Without scans of which no frame came. The first failure, if there was one.
  Result<std::vector<EndedRecord>> end_record();

  // Sums over all scans, without frames that a record refuses; as of Intake.
  [[nodiscard]] IntakeCounts counts() const;
  [[nodiscard]] std::vector<int64_t> missing() const;
  // Of the newest scan, as of Intake.
  [[nodiscard]] std::optional<double> period() const { return current()->period(); }
  [[nodiscard]] Intake::Clock::time_point last_frame() const { return current()->last_frame(); }
  [[nodiscard]] bool has_ended() const { return current()->has_ended(); }
  [[nodiscard]] std::vector<FramePtr> references() const { return current()->references(); }
  // The share of its last so many numbers that is missing.
  [[nodiscard]] double lost_share(int64_t frames) const;
  [[nodiscard]] int64_t scans() const;
  [[nodiscard]] int64_t bad_lines() const;
  // Numbers of the log and of headers of frames, by the time at which they came [s since 1970].
  [[nodiscard]] const ValueLog& values() const { return values_; }

  // Beyond it, frames of another shape are refused: they are of another detector.
  static constexpr int64_t max_scans = 100;

 private:
  struct Ended {
    IntakeCounts counts;
    std::vector<int64_t> missing;
  };
  struct Recording {
    RecorderOptions options;
    RecordStart start;
    std::vector<std::filesystem::path> names;  // of scans since it was begun
  };
  // The scan that a message belongs to, which may be the one before, or begin with it.
  std::shared_ptr<Intake> intake_of(const Message& message, const Wire& wire);
  void begin_scan(const std::string& because, const Message& message);
  void end_previous();
  void record_current(double since);
  [[nodiscard]] std::vector<int64_t> missing_of_previous(const Intake& previous) const;
  void note(const NearbyValue& value, double time);
  [[nodiscard]] std::shared_ptr<Intake> current() const;

  ScansOptions options_;
  mutable std::mutex mutex_;
  std::shared_ptr<Intake> current_, previous_;
  std::optional<int64_t> begin_;  // of the current scan: views and flats before it belong to the previous one
  std::vector<Ended> ended_;
  std::optional<Recording> recording_;
  std::vector<std::future<Result<std::optional<EndedRecord>>>> records_;  // of scans that have ended
  int64_t scans_ = 1, bad_lines_ = 0;
  bool triggered_ = false;
  ValueLog values_;
};

// r.nx, r-2.nx, r-3.nx.
std::filesystem::path record_of_scan(const std::filesystem::path& first, int64_t scan);

}  // namespace tl::stream
