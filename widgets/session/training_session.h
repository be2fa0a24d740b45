// TrainingSession: training of a segmentation network in the studio: settings, progress, the trained network.
#pragma once

#include <QObject>
#include <QString>
#include <QTemporaryDir>
#include <memory>
#include <optional>
#include <vector>

#include "core/train/checkpoint_head.h"
#include "core/train/training_job.h"
#include "widgets/session/live_session.h"

namespace tl::ui {

// pausing: the current step is completed first. finishing: the best network was asked for. stopping: it was
// cancelled, and the checkpoint is written. ended: the network waits to be accepted or rejected.
enum class TrainingState { idle, reading, running, pausing, paused, finishing, stopping, ended };

// GUI thread only. While a training goes on, and until its network is accepted or rejected, images show what the best
// network so far makes of them (LiveSession::set_preview()).
class TrainingSession final : public QObject {
  Q_OBJECT
 public:
  explicit TrainingSession(LiveSession& session, QObject* parent = nullptr);
  ~TrainingSession() override;  // cancels, and waits until the checkpoint is written

  [[nodiscard]] LiveSession& live() const { return session_; }
  [[nodiscard]] const train::TrainingPlan& plan() const { return plan_; }
  void set_plan(const train::TrainingPlan& plan);
  // Why training cannot start in this pipeline, and what to do; empty: it can.
  [[nodiscard]] QString obstacle() const;
  [[nodiscard]] bool has_labels() const;  // something is painted, or there are examples
  // Something is painted, but no node would use the network.
  [[nodiscard]] bool lacks_network_node() const;
  void add_network_node();  // one undoable step
  // The checkpoint of a training on these labels that did not end.
  enum class Unfinished { none, same_settings, other_settings, other_labels };
  [[nodiscard]] Unfinished unfinished() const;
  [[nodiscard]] int64_t unfinished_epochs() const;  // that have ended in it

  void start();   // from the beginning
  void resume();  // with the checkpoint
  void pause();   // after the current step
  void go_on();
  void take_best();
  void cancel();
  // The file for the network next to the pipeline; empty if the pipeline has none itself.
  [[nodiscard]] QString suggested_file() const;
  // Saves the network, and lets the node name it: one undoable step. Errors: invalid: there is no such node any more,
  // the file is an input of the pipeline; io.
  Result<void> accept(const QString& file);
  void reject();
  [[nodiscard]] TrainingState state() const { return state_; }
  [[nodiscard]] bool is_busy() const { return state_ != TrainingState::idle && state_ != TrainingState::ended; }
  [[nodiscard]] const train::JobProgress& progress() const { return progress_; }
  [[nodiscard]] int64_t best_epoch() const { return train::best_epoch_of(progress_.curves); }
  [[nodiscard]] const std::optional<train::JobEnd>& end() const { return end_; }
  // Whether the newest training has a checkpoint, from which it can go on after it was cancelled.
  [[nodiscard]] bool keeps_checkpoint() const { return !checkpoint_.isEmpty(); }
  [[nodiscard]] QString failure() const { return failure_; }  // of the last training

  // What job `number` reported through JobBridge; reports of abandoned jobs are ignored.
  void progress_of(uint64_t number, const train::JobProgress& progress);
  void end_of(uint64_t number, const train::JobEnd& end);

 Q_SIGNALS:
  void settings_changed();  // the plan, or what the pipeline offers to train on
  void state_changed();
  void progressed();
  void saved(const QString& file);  // the network was accepted

 private:
  struct Job;
  void begin(train::JobSettings::Begin begin);
  void leave();  // another pipeline
  void set_state(TrainingState state);
  void show_best();
  void forget_job();
  void look_for_checkpoint();
  [[nodiscard]] std::string network_node() const;  // empty: there is none
  [[nodiscard]] QString checkpoint_file() const;   // empty: no labels, or examples of an unsaved pipeline
  LiveSession& session_;
  train::TrainingPlan plan_;
  TrainingState state_ = TrainingState::idle;
  train::JobProgress progress_;
  std::optional<train::JobEnd> end_;
  QString failure_;
  QTemporaryDir best_folder_;
  QString checkpoint_;      // of the newest job
  std::string shown_best_;  // the file of the network that images show
  uint64_t number_ = 0;     // of the newest job
  std::unique_ptr<Job> job_;
  std::vector<std::unique_ptr<Job>> leaving_;  // of other pipelines: they write their checkpoints
  // What the checkpoint says, of the file as it was last read.
  struct Found {
    QString file;
    qint64 written_ms = 0;
    std::optional<train::JobIdentity> identity;
    int64_t epochs = 0;
    bool same_labels = false;
  };
  std::optional<Found> found_;
};

}  // namespace tl::ui
