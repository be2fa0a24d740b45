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

struct ScansOptions : IntakeOptions {  // `record` names the first record: r.nx, then r-2.nx
  std::optional<Trigger> trigger;      // with `before`: the value from which on it is recorded
  // Called when another scan begins, and when the trigger holds for the first time. On the thread that delivered the
  // message.
  std::function<void(int64_t scan, const std::string& because, const std::filesystem::path& record)> begun = {};
  std::function<void(const NearbyValue& value)> triggered = {};
};

// take() is called on the receiver's thread, add() on that of the log, everything else from any.
class Scans {
 public:
  explicit Scans(ScansOptions options);
  ~Scans();
  Scans(const Scans&) = delete;
  Scans& operator=(const Scans&) = delete;

  // As Intake::take(): a message that begins another scan ends the record of the last one.
  void take(Message message, const Wire& wire);
  // Lines of a log.
  void add(const LogLines& lines);

  // Sums over all scans, without frames that a record refuses; as of Intake.
  [[nodiscard]] IntakeCounts counts() const;
  [[nodiscard]] std::optional<double> period() const;
  [[nodiscard]] Intake::Clock::time_point last_frame() const;
  [[nodiscard]] bool has_ended() const;
  [[nodiscard]] std::vector<int64_t> missing() const;
  [[nodiscard]] Result<void> record_state() const;
  [[nodiscard]] int64_t scans() const;
  [[nodiscard]] int64_t bad_lines() const;
  [[nodiscard]] bool has_triggered() const;
  // Numbers of the log and of headers of frames.
  [[nodiscard]] const ValueLog& values() const { return values_; }
  // Ends the records. After the receiver has ended.
  Result<std::vector<EndedRecord>> finish();

  // Beyond it, frames of another shape are refused: they are of another detector.
  static constexpr int64_t max_scans = 100;

 private:
  struct Ended {
    IntakeCounts counts;
    std::vector<int64_t> missing;
  };
  // The scan that a message belongs to, which may be the one before, or begin with it.
  std::shared_ptr<Intake> intake_of(const Message& message, const Wire& wire);
  void begin_scan(const std::string& because, const Message& message);
  void end_previous();
  [[nodiscard]] std::vector<int64_t> missing_of_previous(const Intake& previous) const;
  void note(const NearbyValue& value, double time);
  [[nodiscard]] std::shared_ptr<Intake> current() const;

  ScansOptions options_;
  mutable std::mutex mutex_;
  std::shared_ptr<Intake> current_, previous_;
  std::optional<int64_t> begin_;  // of the current scan: views and flats before it belong to the previous one
  std::vector<Ended> ended_;
  std::vector<std::future<Result<std::optional<EndedRecord>>>> records_;
  int64_t scans_ = 1, bad_lines_ = 0;
  bool triggered_ = false;
  ValueLog values_;
};

// r.nx, r-2.nx, r-3.nx.
std::filesystem::path record_of_scan(const std::filesystem::path& first, int64_t scan);

}  // namespace tl::stream
