// Recorder: a thread that writes frames into a record while they arrive.
#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/stream/record_end.h"
#include "core/stream/record_rows.h"
#include "core/stream/wires/wire.h"

namespace tl::stream {

struct RecorderOptions {
  std::filesystem::path name;  // written as NAME.recording until it is complete
  io::OutputRules rules;
  Numbering numbering = Numbering::through_all_kinds;
  std::string quantity = "counts";         // of the pixels
  std::optional<StreamGeometry> geometry;  // as the sender announced it
  int64_t max_queue = int64_t{256} << 20;  // bytes of frames waiting for the disk
  // The record is ended regularly when less than this is left on the disk, so that it stays intact.
  int64_t disk_reserve = int64_t{64} << 20;
  std::function<void(const std::string&)> alarm = [](const std::string&) {};  // called on the recorder's thread
  std::function<void(const Frame&)> written = {};                             // called when a frame is in the file
};

// The file is created with the first frame, flushed each second, and named by finish(). Destroyed without it, it leaves
// the recording, for recover_record().
class Recorder {
 public:
  explicit Recorder(RecorderOptions options);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();

  // Waits while too many bytes wait for the disk: the sender then has to wait as well. False when recording has failed
  // or ended.
  bool add(FramePtr frame);
  // Records a number next to the frames. Never waits. Before the first frame only some thousand numbers are kept.
  void add(TimedValue value);
  // Before the first frame.
  void begin_at(int64_t view);
  // The first failure, or ok.
  [[nodiscard]] Result<void> state() const;
  // Number of frames without a row: they arrived before the beginning of the record, or have another shape or type.
  [[nodiscard]] int64_t refused() const;
  // Writes waiting frames, completes the record and gives it its name. No record: no frame arrived. After a disk
  // failure, the written part is completed nevertheless, and the failure is the result. Call it once.
  Result<std::optional<EndedRecord>> finish();

 private:
  class Writer;
  void write_frames();
  void fail(Error error);

  RecorderOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<FramePtr> queue_;
  std::deque<TimedValue> values_;
  std::optional<int64_t> first_view_;
  int64_t queued_ = 0, refused_ = 0;  // bytes; frames
  bool ending_ = false;
  std::optional<Error> failure_;
  std::optional<EndedRecord> ended_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace tl::stream
