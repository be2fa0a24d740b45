// StreamSession: a scan that arrives over the network while the sample turns: received, watched, recorded.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "core/stream/live_stream.h"
#include "widgets/session/live_session.h"
#include "widgets/session/stream_choice.h"

namespace tl::ui {

// closed: nothing is received. waiting: no frame has come yet. silent: frames came, and stopped. ended: the sender says
// that it is done; it may begin again.
enum class StreamState { closed, waiting, receiving, silent, ended };

// GUI thread only.
class StreamSession final : public QObject {
  Q_OBJECT
 public:
  explicit StreamSession(LiveSession& session, QObject* parent = nullptr);
  ~StreamSession() override;  // ends the record in order

  [[nodiscard]] LiveSession& live() { return session_; }
  void open(const StreamChoice& choice);  // failure() says why it could not
  void close();                           // ends the record too
  [[nodiscard]] bool is_open() const { return stream_ != nullptr; }
  [[nodiscard]] StreamState state() const { return state_; }
  [[nodiscard]] const StreamChoice& choice() const { return choice_; }  // of the newest open()

  // An existing file is replaced: whoever chose the name has asked. failure() says why it could not.
  void begin_record(const QString& path);
  void end_record();  // the file has its name once recorded() says so
  [[nodiscard]] bool is_recording() const { return stream_ != nullptr && stream_->is_recording(); }
  [[nodiscard]] bool is_ending() const { return ending_; }  // the last frames are written
  [[nodiscard]] QString record() const { return record_; }  // the newest one
  [[nodiscard]] qint64 recorded_frames() const { return stream_ == nullptr ? 0 : stream_->recorded(); }

  [[nodiscard]] QString failure() const { return failure_; }  // of the last command; empty: none
  [[nodiscard]] const stream::StreamStatus& status() const { return status_; }
  // Values of headers, and the rate of frames and the share of lost ones as "frames" and "lost".
  [[nodiscard]] std::map<std::string, stream::ValueCurve> values() const;

 Q_SIGNALS:
  void changed();        // ten times a second while it is open
  void state_changed();  // also when a record begins or ends
  void alarm(const QString& text);
  void noticed(const QString& text);
  void recorded(const QString& path, const QString& text);
  void record_failed(const QString& why);

 private:
  void look();
  void set_state(StreamState state);
  void fail(const Error& error);
  enum class After { goes_on, closes };
  void end_on_thread(After after);
  void take_end(const Result<std::optional<stream::EndedRecord>>& end);
  [[nodiscard]] StreamState state_of(const stream::StreamStatus& status) const;

  LiveSession& session_;
  StreamChoice choice_;
  std::shared_ptr<stream::LiveStream> stream_;
  stream::StreamStatus status_;
  stream::ValueCurves history_;
  std::map<std::string, stream::ValueCurve> closed_values_;  // of the last stream
  StreamState state_ = StreamState::closed;
  QString failure_, record_;
  QTimer timer_;
  std::chrono::steady_clock::time_point began_, plotted_;
  bool ending_ = false;
  std::thread ender_;  // of a record: what waits for the disk may take long
};

}  // namespace tl::ui
