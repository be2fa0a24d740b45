// Intake: handles messages: frames get their numbers and angles, and are passed to the ring and the record.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core/stream/frames/brightness.h"
#include "core/stream/recorder.h"
#include "core/stream/ring.h"
#include "core/stream/wires/wire.h"

namespace tl::stream {

struct IntakeOptions {
  int64_t max_bytes = int64_t{256} << 20;  // of the ring
  int64_t late_after = 60;                 // [frames] the length of a window
  int64_t scan = 0;                        // Frame::scan
  // Called for every accepted frame, on the receiver's thread. `linear`: its pixels are negative logarithms.
  std::function<void(const FramePtr& frame, Numbering numbering, bool linear)> taken = {};
};

struct IntakeCounts {
  int64_t views = 0, flats = 0, darks = 0;        // taken, late ones included
  int64_t duplicates = 0, late = 0, refused = 0;  // refused: impossible number, or shape differs from earlier frames
  int64_t no_beam = 0;                            // of the views
  std::optional<int64_t> first;                   // the number of the first frame that arrived
  [[nodiscard]] int64_t taken() const { return views + flats + darks; }
};

// Receives one scan. take() is called on the receiver's thread, everything else from any.
class Intake {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Intake(IntakeOptions options);
  // Waits while the disk is too slow.
  void take(Message message, const Wire& wire);

  // Why this message begins another scan; nothing if it belongs to this one.
  [[nodiscard]] std::optional<std::string> leaves(const Message& message) const;
  // Whether a frame has the shape and type of this scan.
  [[nodiscard]] bool takes(const Frame& frame) const;
  // Frames from `begin` up to, but excluding, `end` belong to this scan, even if the first or last ones do not arrive.
  void expect(std::optional<int64_t> begin, std::optional<int64_t> end);
  // Geometry and settings that the sender announced for the next scan.
  [[nodiscard]] std::pair<std::optional<StreamGeometry>, ScanSettings> announced() const;
  // The numbers of the frames that arrived; nothing before the first one.
  [[nodiscard]] std::optional<FrameNumbers> numbers() const;
  // The stored flats and darks, in the order of arrival.
  [[nodiscard]] std::vector<FramePtr> references() const;
  // Adds a sample value received during the scan.
  void add(const TimedValue& value);

  // The next frame begins a record. It contains earlier flats and darks first, then the views that arrived after
  // `since` [s since 1970], as far as they are stored. Numbering, quantity and geometry come from the stream.
  void begin_record(RecorderOptions record, double since);
  [[nodiscard]] int64_t recorded() const;  // number of frames passed to the newest record
  // Ok, or why the record is not written any more.
  [[nodiscard]] Result<void> record_state() const;
  // Writes queued frames, and names the record. No record: none was begun, or no frame arrived.
  Result<std::optional<EndedRecord>> end_record();

  [[nodiscard]] IntakeCounts counts() const;
  // Arrival of the last frame, and time between frames [s], as a moving average; nothing before the second
  // frame.
  [[nodiscard]] std::optional<double> period() const;
  [[nodiscard]] Clock::time_point last_frame() const;
  [[nodiscard]] bool has_ended() const;  // the sender says so
  // The missing numbers: of all frames, or of views if each kind is numbered separately.
  [[nodiscard]] std::vector<int64_t> missing() const;

 private:
  void take_frame(Frame frame, const Wire& wire);
  void note_arrival(const Frame& frame, Arrival arrival);
  std::vector<FramePtr> start_record(const Frame* next);
  [[nodiscard]] bool is_new_dark(const Frame& frame) const;

  const IntakeOptions options_;
  mutable std::mutex mutex_;
  std::unique_ptr<Ring> ring_;
  std::optional<RecorderOptions> record_;  // the requested record; its recorder begins with the next frame
  double since_ = 0;                       // of record_
  std::shared_ptr<Recorder> recorder_;
  std::optional<int64_t> first_view_;  // first view of the record: earlier views have no row
  int64_t recorded_ = 0;
  std::deque<TimedValue> values_;  // the last values before a record
  std::optional<int64_t> expected_begin_, expected_end_;
  std::optional<StreamGeometry> geometry_;
  std::vector<double> angles_;  // from the geometry, by the number of a view [deg]
  ScanSettings settings_;
  std::optional<EndOfStream> end_;
  Brightness brightness_;
  std::optional<Frame> like_;  // shape and type of the first frame
  IntakeCounts counts_;
  int64_t views_at_last_dark_ = 0;
  Clock::time_point last_ = Clock::now();
  std::optional<double> period_;
  int64_t next_number_ = 0;  // of frames that have none
};

}  // namespace tl::stream
