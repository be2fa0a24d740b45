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
  std::string log = {};  // address of a log, with the same end as the receiver's; empty: there is none
  int64_t max_bytes = int64_t{256} << 20;  // of frames that are kept, and of those that wait for the disk
  WindowChoice windows;                    // a frame that comes so many frames after its turn is late
  // As IntakeOptions::taken.
  std::function<void(const FramePtr& frame, Numbering numbering, bool linear)> taken = {};
  // Called with the newest window, once it is complete, by one thread at a time; it must not delay. May be empty.
  std::function<void(std::shared_ptr<const Window> window)> window = {};
  // Called when windows begin again: with another scan, or after set_windows(). After the last window of before.
  std::function<void()> windows_begin = [] {};
};

struct StreamStatus {
  IntakeCounts counts;  // this and the numbers that are missing: of all scans
  ReceiverCounts received;
  std::vector<int64_t> missing;
  int64_t bad_lines = 0;         // of the log
  int64_t scan = 1;              // 2: the second of the stream
  std::optional<double> period;  // from one frame to the next [s]
  double age = 0;                // of the last frame, or since the scan began [s]
  double lost_share = 0;         // of the numbers of the last window
  bool silent = false, dark = false, ended = false;
  FramePtr newest_view;                      // null: none came
  int64_t windows = 0, skipped_windows = 0;  // given to `window`; passed over
  bool waits_for_flats = false;              // no window before there are flats
  std::vector<StreamEvent> events;           // since the last status
};

// All functions may be called from any thread, status() and events() from one at a time.
class LiveStream {
 public:
  // With a record from the first frame on. Errors as Receiver::open() and Scans::begin_record().
  static Result<std::unique_ptr<LiveStream>> open(LiveStreamOptions options, std::optional<RecorderOptions> record = {},
                                                  RecordStart start = {});
  LiveStream(const LiveStream&) = delete;
  LiveStream& operator=(const LiveStream&) = delete;
  ~LiveStream();

  [[nodiscard]] StreamStatus status();
  std::vector<StreamEvent> events();  // since the last ones
  [[nodiscard]] Scans& scans() { return scans_; }
  // Nothing is received any more: addresses are free, the newest counts stay. Before the end of a record that shall
  // have all that was received.
  void close();

  // Of the windows from now on. They begin with the next frame, with the flats and darks of before.
  void set_windows(const WindowChoice& choice);
  // none: none is given.
  enum class WindowUse : uint8_t { none, any, with_flats };
  void set_window_use(WindowUse use);
  // None is given any more, nor do windows begin.
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
  std::unique_ptr<Receiver> receiver_, log_;  // last: their threads use the others
};

}  // namespace tl::stream
