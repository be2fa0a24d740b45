// Scans: the scans of a stream, one after the other, each with its own record.
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
  // Called when another scan begins, with the name of its record if it is recorded; and when a trigger condition is
  // met. On the thread that delivered the message.
  std::function<void(int64_t scan, const std::string& because, const std::filesystem::path& record)> begun = {};
  std::function<void(const NearbyValue& value)> triggered = {};
  std::function<void(const std::string& what)> alarm = [](const std::string&) {};  // of records, on their threads
};

// How records begin.
struct RecordStart {
  std::optional<Trigger> trigger = {};  // none: with the next frame
  double before = 0;                    // views that arrived up to this long before are recorded as well [s]
};

// take() is called on the receiver's thread, add() on the thread of the log, everything else on any thread.
class Scans {
 public:
  explicit Scans(ScansOptions options);
  ~Scans();  // an unfinished record stays a recording, for recover_record()
  Scans(const Scans&) = delete;
  Scans& operator=(const Scans&) = delete;

  // Like Intake::take(): a message that begins another scan completes the record of the last one.
  void take(Message message, const Wire& wire);
  // Lines of a log.
  void add(const LogLines& lines);

  // Records every scan from now on in its own file: r.nx, then r-2.nx. The first one begins with the earlier flats and
  // darks. Of `record`, name, rules, written and disk_reserve are used. Invalid: a record is in progress, or the name
  // exists.
  Result<void> begin_record(RecorderOptions record, RecordStart start = {});
  [[nodiscard]] bool is_recording() const;
  // For a record in progress: the names of its files, one per scan; number of frames in the last one.
  [[nodiscard]] std::vector<std::filesystem::path> records() const;
  [[nodiscard]] int64_t recorded() const { return current()->recorded(); }
  [[nodiscard]] bool has_triggered() const;  // the newest record
  [[nodiscard]] Result<void> record_state() const { return current()->record_state(); }
  // Waits until everything is written. Scans without frames are left out. Returns the first failure, if there was one.
  Result<std::vector<EndedRecord>> end_record();

  // Sums over all scans, without frames that a record refuses; see Intake.
  [[nodiscard]] IntakeCounts counts() const;
  [[nodiscard]] std::vector<int64_t> missing() const;
  // For the newest scan, see Intake.
  [[nodiscard]] std::optional<double> period() const { return current()->period(); }
  [[nodiscard]] Intake::Clock::time_point last_frame() const { return current()->last_frame(); }
  [[nodiscard]] bool has_ended() const { return current()->has_ended(); }
  [[nodiscard]] std::vector<FramePtr> references() const { return current()->references(); }
  // The missing share of the last `frames` numbers of the newest scan.
  [[nodiscard]] double lost_share(int64_t frames) const;
  [[nodiscard]] int64_t scans() const;
  [[nodiscard]] int64_t bad_lines() const;
  // Numbers of the log and of headers of frames, by their arrival time [s since 1970].
  [[nodiscard]] const ValueLog& values() const { return values_; }

  // After so many scans, frames of another shape are refused: they come from another detector.
  static constexpr int64_t max_scans = 100;

 private:
  struct Ended {
    IntakeCounts counts;
    std::vector<int64_t> missing;
  };
  struct Recording {
    RecorderOptions options;
    RecordStart start;
    std::vector<std::filesystem::path> names;  // record names of all scans since recording began
  };
  // The scan to which a message belongs, which may be the previous one, or a new one.
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
  std::optional<int64_t> begin_;  // first number of the current scan: earlier frames belong to the previous one
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
