// PruningSession: pruning of a network in the studio: settings, progress, the pruned network.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/train/pruning_job.h"
#include "widgets/session/selection.h"
#include "widgets/session/training_session.h"

namespace tl::ui {

// pausing: the current step is completed first. stopping: it was cancelled. ended: the network waits to be saved,
// used or rejected.
enum class PruningState { idle, reading, running, pausing, paused, stopping, ended };

// The network's file, and the report next to it.
struct PrunedOutput {
  QString network, report;
};

// GUI thread only. What is trained in between is as the training session's plan says: the voxels that validate are then
// those that the network has not learned from.
class PruningSession final : public QObject {
  Q_OBJECT
 public:
  PruningSession(TrainingSession& training, Selection& selection, QObject* parent = nullptr);
  ~PruningSession() override;  // cancels

  [[nodiscard]] LiveSession& live() { return training_.live(); }
  // Its network is empty as long as none was chosen: then it is that of the node.
  [[nodiscard]] const train::PruningPlan& plan() const { return plan_; }
  void set_plan(const train::PruningPlan& plan);
  // The file to prune: the one that was chosen, else that of the node; empty: there is none.
  [[nodiscard]] QString network_file() const;
  // The node that applies a network: the selected one, else the first; empty: there is none.
  [[nodiscard]] std::string network_node() const;
  // Trains in between: it is asked for, and something is painted.
  [[nodiscard]] bool trains() const;
  [[nodiscard]] bool has_labels() const { return training_.has_labels(); }
  // Why pruning cannot start, and what to do; empty: it can.
  [[nodiscard]] QString obstacle() const;

  void start();
  void pause();  // after the current step
  void go_on();
  void cancel();
  // Where the result goes: as it was entered, next to the network that is pruned, or a free name there.
  [[nodiscard]] PrunedOutput output() const;
  void set_output(const QString& file);  // empty: a free name
  // Of the files that networks are saved in; another name gets the first.
  [[nodiscard]] static QStringList endings() { return {QStringLiteral(".safetensors"), QStringLiteral(".onnx")}; }
  // Saves network and report, both or none; what exists is replaced. Errors: invalid: the network that is pruned, or
  // an input of the pipeline, would be replaced; io.
  Result<void> save();
  [[nodiscard]] const std::optional<PrunedOutput>& saved_as() const { return saved_; }
  // Lets the node name the saved network: one undoable step.
  [[nodiscard]] bool can_use() const { return saved_.has_value() && !network_node().empty(); }
  void use();
  void reject();  // forgets the network
  [[nodiscard]] PruningState state() const { return state_; }
  [[nodiscard]] bool is_busy() const { return state_ != PruningState::idle && state_ != PruningState::ended; }
  // Something would be lost if the window closed.
  [[nodiscard]] bool is_unsaved() const { return is_busy() || (state_ == PruningState::ended && !saved_); }
  [[nodiscard]] const train::PruningProgress& progress() const { return progress_; }
  [[nodiscard]] const train::PruningPlan& begun_with() const { return begun_with_; }
  [[nodiscard]] const std::optional<train::PruningEnd>& end() const { return end_; }
  [[nodiscard]] QString failure() const { return failure_; }  // of the last pruning
  // Pixels of a slice of the node's volume; of 512 x 512 where it is not known.
  [[nodiscard]] qint64 slice_pixels() const;

  // What job `number` reported through JobBridge; reports of abandoned jobs are ignored.
  void progress_of(uint64_t number, const train::PruningProgress& progress);
  void end_of(uint64_t number, const train::PruningEnd& end);

 Q_SIGNALS:
  void settings_changed();  // the plan, the output, or what the pipeline offers
  void state_changed();
  void progressed();
  void saved(const QString& network, const QString& report);

 private:
  struct Job;
  void leave();  // another pipeline
  void set_state(PruningState state);
  void forget_job();
  [[nodiscard]] QString free_output(const QString& network) const;
  TrainingSession& training_;
  Selection& selection_;
  train::PruningPlan plan_, begun_with_;
  QString output_;  // as it was entered
  PruningState state_ = PruningState::idle;
  train::PruningProgress progress_;
  std::optional<train::PruningEnd> end_;
  std::optional<PrunedOutput> saved_;
  QString failure_;
  uint64_t number_ = 0;  // of the newest job
  std::unique_ptr<Job> job_;
  std::vector<std::unique_ptr<Job>> leaving_;  // of other pipelines
};

}  // namespace tl::ui
