// LiveStream: a stream that is received and watched, with a log of numbers next to it, and its newest windows.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/stream/receiver.h"
#include "core/stream/scans.h"
#include "core/stream/stream_watch.h"
#include "core/stream/windows.h"

namespace tl::stream {

struct LiveStreamOptions {
  ReceiverOptions receiver;
  std::string log = {};  // address of a log, with the same socket end as the receiver's; empty: there is none
  int64_t max_bytes = int64_t{256} << 20;  // bytes of stored frames, and of frames that wait for the disk
  WindowChoice windows;                    // a frame that arrives so many frames too late counts as late
  // As IntakeOptions::taken.
  std::function<void(const FramePtr& frame, Numbering numbering, bool linear)> taken = {};
  // Called with the newest complete window, by one thread at a time; it must return quickly. May be empty.
  std::function<void(std::shared_ptr<const Window> window)> window = {};
  // Called when windows begin again: for another scan, or after set_windows(). Called after the last earlier window.
  std::function<void()> windows_begin = [] {};
};

struct StreamStatus {
  IntakeCounts counts;  // counts and missing numbers over all scans
  ReceiverCounts received;
  std::vector<int64_t> missing;
  int64_t bad_lines = 0;         // of the log
  int64_t scan = 1;              // 2: the second scan of the stream
  std::optional<double> period;  // time between frames [s]
  double age = 0;                // time since the last frame, or since the scan began [s]
  double lost_share = 0;         // share of missing numbers in the last window
  bool silent = false, dark = false, ended = false;
  FramePtr newest_view;                      // null: none came
  int64_t windows = 0, skipped_windows = 0;  // given to `window`; passed over
  bool waits_for_flats = false;              // no window is formed before flats have arrived
  std::vector<StreamEvent> events;           // since the last status
};

// All functions may be called from any thread, status() and events() from one at a time.
class LiveStream {
 public:
  // With a record, from the first frame on. Errors as Receiver::open() and Scans::begin_record().
  static Result<std::unique_ptr<LiveStream>> open(LiveStreamOptions options, std::optional<RecorderOptions> record = {},
                                                  RecordStart start = {});
  LiveStream(const LiveStream&) = delete;
  LiveStream& operator=(const LiveStream&) = delete;
  ~LiveStream();

  [[nodiscard]] StreamStatus status();
  std::vector<StreamEvent> events();  // since the last ones
  [[nodiscard]] Scans& scans() { return scans_; }
  // Ends reception: addresses are released, the latest counts stay. Call before ending a record that should contain
  // everything received.
  void close();

  // Changes the windows from now on. They begin with the next frame, with the earlier flats and darks.
  void set_windows(const WindowChoice& choice);
  // none: none is given.
  enum class WindowUse : uint8_t { none, any, with_flats };
  void set_window_use(WindowUse use);
  // No further window is formed.
  void stop_windows();

 private:
  explicit LiveStream(const LiveStreamOptions& options);
  Result<void> open_receivers();
  [[nodiscard]] ScansOptions scans_options();
  void arrived(const FramePtr& frame, Numbering numbering, bool linear);
  void take_lines(const LogLines& lines);
  void begin_windows();
  void give_window();
  void end_windows();
  void add_event(StreamEvent event);
  void add_alarm(const std::string& what) { add_event({StreamEvent::Kind::alarm, what}); }

  const LiveStreamOptions options_;
  mutable std::mutex mutex_;
  WindowChoice choice_;
  std::shared_ptr<Windows> windows_, windows_ended_;
  WindowUse use_ = WindowUse::with_flats;
  bool stopped_ = false;
  int64_t windows_given_ = 0, skipped_before_ = 0;      // before windows_
  int64_t scan_ = 0;                                    // of windows_
  Numbering numbering_ = Numbering::through_all_kinds;  // of the last frame
  bool linear_ = false;                                 // the last frame is negative logarithms already
  FramePtr newest_view_;
  std::vector<StreamEvent> events_;
  std::atomic<bool> broken_{false}, bad_log_{false};  // an alarm said so
  ReceiverCounts received_, lines_;                   // once closed
  StreamWatch watch_;
  Scans scans_;
  std::unique_ptr<Receiver> receiver_, log_;  // declared last: their threads use the other members
};

}  // namespace tl::stream
