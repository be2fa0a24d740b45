// TrainingSession: training of a segmentation network in the studio: settings, progress, the trained network.
#pragma once

#include <QTemporaryDir>

#include "core/live/jobs/training_job.h"
#include "core/train/checkpoint_head.h"
#include "widgets/session/job_session.h"

namespace tl::ui {

// GUI thread only. During a training, and until its network is accepted or rejected, images show the result of the best
// network so far (LiveSession::set_preview()).
class TrainingSession final : public JobSessionOf<jobs::TrainingJob> {
  Q_OBJECT
 public:
  explicit TrainingSession(LiveSession& session, QObject* parent = nullptr);
  ~TrainingSession() override { end_jobs(); }  // before the folder of the best network is removed

  [[nodiscard]] const train::TrainingPlan& plan() const { return plan_; }
  void set_plan(const train::TrainingPlan& plan);
  [[nodiscard]] QString obstacle() const override;
  [[nodiscard]] bool has_labels() const;  // there are painted labels, or examples
  // Something is painted, but no node would use the network.
  [[nodiscard]] bool lacks_network_node() const;
  void add_network_node();  // one undoable step
  // The checkpoint of an unfinished training, by its labels and settings.
  enum class Unfinished { none, same_settings, other_settings, other_labels };
  [[nodiscard]] Unfinished unfinished() const;
  [[nodiscard]] int64_t unfinished_epochs() const;  // that have ended in it

  void start() override;  // from the beginning
  void resume();          // with the checkpoint
  [[nodiscard]] bool has_best() const override { return !progress().curves.empty(); }
  // The file for the network next to the pipeline; empty if the pipeline has none itself.
  [[nodiscard]] QString suggested_file() const;
  // Saves the network and sets it in the node: one undo step. Errors: invalid: there is no such node any more, the file
  // is an input of the pipeline; io.
  Result<void> accept(const QString& file);
  [[nodiscard]] int64_t best_epoch() const { return train::best_epoch_of(progress().curves); }
  // The checkpoint of the running training, if it has written one; else empty.
  [[nodiscard]] QString written_checkpoint() const;
  // Whether the newest training has a checkpoint, so that it can be resumed after a cancel.
  [[nodiscard]] bool keeps_checkpoint() const { return !checkpoint_.isEmpty(); }

 private:
  void start(jobs::TrainingJob::Settings::Begin how);
  void follow_pipeline() override { look_for_checkpoint(); }
  void leave() override;
  void show_progress() override;
  void drop() override;
  void look_for_checkpoint();
  [[nodiscard]] std::string network_node() const;  // empty: there is none
  [[nodiscard]] QString checkpoint_file() const;   // empty: no labels, or examples of an unsaved pipeline
  train::TrainingPlan plan_;
  QTemporaryDir best_folder_;
  QString checkpoint_;      // of the newest job
  std::string shown_best_;  // the network file that images show
  // Contents of the checkpoint file when it was last read.
  struct Found {
    QString file;
    qint64 written_ms = 0;
    std::optional<jobs::TrainingIdentity> identity;
    int64_t epochs = 0;
    bool same_labels = false;
  };
  std::optional<Found> found_;
};

}  // namespace tl::ui
