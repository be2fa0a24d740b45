// StreamSession: a scan that arrives over the network while the sample turns: received, watched, recorded.
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "core/live/learning_news.h"
#include "core/stream/live_stream.h"
#include "core/stream/planes/plane_links.h"
#include "widgets/session/live_session.h"
#include "widgets/session/stream_choice.h"

namespace tl::ui {

// closed: nothing is received. waiting: no frame has arrived yet. silent: frames arrived, and stopped. ended: the
// sender announced the end; it may begin again.
enum class StreamState { closed, waiting, receiving, silent, ended };

// Curves of a followed value NAME: its standard deviation, and 1 where the verdict is resolved.
inline constexpr const char* sigma_suffix = " sigma";
inline constexpr const char* resolved_suffix = " resolved";

// GUI thread only.
class StreamSession final : public QObject {
  Q_OBJECT
 public:
  explicit StreamSession(LiveSession& session, QObject* parent = nullptr);
  ~StreamSession() override;  // ends the record in order

  [[nodiscard]] LiveSession& live() { return session_; }
  // From now on the newest windows replace the scan that the pipeline loads; obstacle() says why they cannot.
  void set_windows(const stream::WindowChoice& choice);
  [[nodiscard]] const stream::WindowChoice& windows() const { return windows_; }
  [[nodiscard]] QString obstacle() const { return obstacle_; }
  // Learns the marked parameters of the pipeline repeatedly, for new windows, for at most a fifth of the time.
  void set_follows(bool follows);
  [[nodiscard]] bool follows() const { return follows_; }
  [[nodiscard]] const std::optional<live::FollowEnd>& followed() const { return followed_; }  // the newest values
  // Values that nodes measured in the first window are used for all windows: whether there are any; a function to
  // measure them again.
  [[nodiscard]] bool has_measured() const { return has_measured_; }
  void measure_again() { session_.measure_again(); }
  void keep_followed();  // one undo step: the newest values become those of the pipeline
  struct Latency {
    double median = 0, most = 0;  // [s]; `most` is the 95th percentile
  };
  // Time from the arrival of a window's last frame until its first image is delivered, over the last 200; nullopt
  // before the first one.
  [[nodiscard]] std::optional<Latency> latency() const;
  [[nodiscard]] qint64 skipped_windows() const;

  void open(const StreamChoice& choice);  // failure() is the error
  void close();                           // ends the record too
  [[nodiscard]] bool is_open() const { return stream_ != nullptr; }
  [[nodiscard]] StreamState state() const { return state_; }
  [[nodiscard]] const StreamChoice& choice() const { return choice_; }  // of the newest open()

  // From now on each scan has a record of its own. An existing file is replaced: the caller has asked the user.
  // failure() is the error.
  void begin_record(const QString& path, const stream::RecordStart& start = {});
  void end_record();  // the files are complete when recorded() names them
  [[nodiscard]] bool is_recording() const { return stream_ != nullptr && stream_->scans().is_recording(); }
  [[nodiscard]] bool is_ending() const { return ending_; }               // the last frames are written
  [[nodiscard]] const QStringList& records() const { return records_; }  // of the newest begin_record(), one per scan
  [[nodiscard]] qint64 recorded_frames() const { return stream_ == nullptr ? 0 : stream_->scans().recorded(); }
  [[nodiscard]] QString awaited_trigger() const;  // such as "load > 5"; empty: no trigger, or it was fulfilled

  // Sends an image of a window, as a pane of this kind shows it, to the programs that receive planes. Only for volumes.
  void send_plane(const QString& view, const QString& kind, const live::Picture& picture);
  [[nodiscard]] const stream::PlaneLinks* links() const { return links_.get(); }  // nullptr while it is closed

  [[nodiscard]] QString failure() const { return failure_; }  // error of the last command; empty: none
  [[nodiscard]] const stream::StreamStatus& status() const { return status_; }
  [[nodiscard]] QString disk_alarm() const { return is_recording() ? disk_alarm_ : QString(); }
  [[nodiscard]] QString scan_reason() const { return scan_reason_; }  // why the newest scan began; empty: the first one
  // Values of headers and of the log, the frame rate and the fraction of lost frames as "frames" and "lost", and
  // followed values.
  [[nodiscard]] std::map<std::string, stream::ValueSeries> values() const;

 Q_SIGNALS:
  void changed();        // ten times a second while it is open
  void state_changed();  // also when a record begins or ends
  void alarm(const QString& text);
  void noticed(const QString& text);
  void recorded(const QStringList& paths, const QStringList& texts);  // one per scan
  void record_failed(const QString& why);

 private:
  void look();
  void set_state(StreamState state);
  void fail(const Error& error);
  enum class After { goes_on, closes };
  void end_on_thread(After after);
  // Files of records, and for each scan the table of its windows if any was shown.
  struct RecordEnd {
    Result<std::vector<stream::EndedRecord>> records;
    std::map<int64_t, Result<std::filesystem::path>> tables = {};
  };
  void take_end(const RecordEnd& end);
  void take_window(const ComputedWindow& window);
  void read_pipeline();
  Result<std::unique_ptr<stream::PlaneLinks>> open_links(const StreamChoice& choice);
  void take_picture(const live::Picture& picture);
  void take_followed(const live::FollowEnd& end);
  [[nodiscard]] StreamState state_of(const stream::StreamStatus& status) const;

  LiveSession& session_;
  StreamChoice choice_;
  std::unique_ptr<stream::PlaneLinks> links_;
  std::shared_ptr<stream::LiveStream> stream_;
  stream::StreamStatus status_;
  stream::ValueLog history_;
  std::map<std::string, stream::ValueSeries> closed_values_;  // of the last stream
  StreamState state_ = StreamState::closed;
  stream::WindowChoice windows_;
  QString obstacle_;
  bool follows_ = false, has_measured_ = false;
  learn::Settings follow_settings_;  // while it follows
  std::optional<live::FollowEnd> followed_;
  // Since the record began, by scan and the numbers of their first and last views.
  std::map<int64_t, std::map<std::pair<int64_t, int64_t>, ComputedWindow>> shown_windows_;
  std::deque<double> latencies_;  // [s]
  double timed_window_ = 0;       // arrival time of its last frame [s since 1970]
  stream::RecordStart record_start_;
  QStringList records_;
  QString failure_, scan_reason_, disk_alarm_;
  QTimer timer_;
  double plotted_ = 0;  // [s since 1970]
  bool ending_ = false;
  std::thread ender_;  // ends a record: writing its queued frames may take long
};

}  // namespace tl::ui
