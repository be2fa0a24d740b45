// LiveStream: a stream that is received, watched, and recorded from any moment on.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/stream/intake.h"
#include "core/stream/receiver.h"
#include "core/stream/stream_watch.h"
#include "core/stream/value_curves.h"
#include "core/stream/windows.h"

namespace tl::stream {

struct LiveStreamOptions {
  ReceiverOptions receiver;
  int64_t max_bytes = int64_t{256} << 20;  // of frames that are kept, and of those that wait for the disk
  WindowChoice windows;
  // Called with the newest window, once it is complete, by one thread at a time; it must not delay. May be empty.
  std::function<void(std::shared_ptr<const Window> window)> window = {};
};

struct StreamStatus {
  IntakeCounts counts;
  ReceiverCounts received;
  std::vector<int64_t> missing;  // numbers, as Intake::missing()
  std::optional<double> period;  // from one frame to the next [s]
  double age = 0;                // of the last frame, or since the stream was opened [s]
  double lost_share = 0;         // of the numbers of the last window
  bool silent = false, dark = false, ended = false;
  FramePtr newest_view;                      // null: none came
  int64_t windows = 0, skipped_windows = 0;  // given to `window`; passed over
  bool waits_for_flats = false;              // no window before there are flats
  std::vector<StreamEvent> events;           // since the last status
};

// Flats and darks that came long before the first frame of a record, with numbers right before it: rows of a record
// follow numbers, and those between are not lost. As they are, where each kind is counted by itself.
std::vector<FramePtr> renumbered_before(const std::vector<FramePtr>& references, const Frame& first,
                                        Numbering numbering);

// All functions may be called from any thread, status() from one at a time.
class LiveStream {
 public:
  // Errors as Receiver::open().
  static Result<std::unique_ptr<LiveStream>> open(LiveStreamOptions options);
  LiveStream(const LiveStream&) = delete;
  LiveStream& operator=(const LiveStream&) = delete;
  ~LiveStream();  // a record that goes on stays a recording, for recover_record()

  [[nodiscard]] StreamStatus status();
  [[nodiscard]] std::map<std::string, ValueCurve> values() const { return values_.curves(); }
  [[nodiscard]] const Intake& intake() const { return intake_; }

  // Of the windows from now on. They begin with the next frame, with the flats and darks of before. `changed` is called
  // after the last window of before, and before the first of these.
  void set_windows(const WindowChoice& choice, const std::function<void()>& changed);
  // none: none is given.
  enum class WindowUse : uint8_t { none, any, with_flats };
  void set_window_use(WindowUse use) { use_ = use; }

  // From the next frame on. Flats and darks that came before it, as far as they are kept, come first in the record.
  // Invalid: a record goes on, or the name is taken.
  Result<void> begin_record(const std::filesystem::path& name, const io::OutputRules& rules);
  [[nodiscard]] bool is_recording() const;
  [[nodiscard]] Result<void> record_state() const;              // ok, or why it is not written any more
  [[nodiscard]] int64_t recorded() const { return recorded_; }  // frames of the record that goes on
  // Waits until all is written, and gives the record its name. No record: no frame came.
  Result<std::optional<EndedRecord>> end_record();

 private:
  explicit LiveStream(const LiveStreamOptions& options);
  void arrived(const FramePtr& frame, Numbering numbering, bool linear);
  void give_window();
  void end_windows();
  void add_event(StreamEvent event);

  const LiveStreamOptions options_;
  mutable std::mutex mutex_;
  WindowChoice choice_;
  std::shared_ptr<Windows> windows_, windows_ended_;
  std::atomic<WindowUse> use_{WindowUse::with_flats};
  std::atomic<int64_t> windows_given_{0};
  Numbering numbering_ = Numbering::through_all_kinds;  // of the last frame
  bool linear_ = false;                                 // the last frame is negative logarithms already
  FramePtr newest_view_;
  std::vector<FramePtr> references_;  // flats and darks, as they came
  int64_t reference_bytes_ = 0;
  std::optional<RecorderOptions> record_;  // that was asked for; its recorder begins with the next frame
  std::shared_ptr<Recorder> recorder_;
  std::atomic<int64_t> recorded_{0};
  std::vector<StreamEvent> events_;
  bool broken_ = false;
  ValueCurves values_;
  StreamWatch watch_;
  Intake intake_;
  std::unique_ptr<Receiver> receiver_;  // last: its thread uses the others
};

}  // namespace tl::stream
