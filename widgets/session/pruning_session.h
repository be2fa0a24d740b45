// PruningSession: pruning of a network in the studio: settings, progress, the pruned network.
#pragma once

#include <QStringList>

#include "core/live/jobs/pruning_job.h"
#include "widgets/session/selection.h"
#include "widgets/session/training_session.h"

namespace tl::ui {

// The network's file, and the report next to it.
struct PrunedOutput {
  QString network, report;
};

// GUI thread only. What is trained in between is as the training session's plan says: the voxels that validate are then
// those that the network has not learned from.
class PruningSession final : public JobSessionOf<jobs::PruningJob> {
  Q_OBJECT
 public:
  PruningSession(TrainingSession& training, Selection& selection, QObject* parent = nullptr);

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
  [[nodiscard]] QString obstacle() const override;

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
  [[nodiscard]] bool is_unsaved() const override { return is_busy() || (state() == JobState::ended && !saved_); }
  [[nodiscard]] const train::PruningPlan& begun_with() const { return begun_with_; }
  // Pixels of a slice of the node's volume; of 512 x 512 where it is not known.
  [[nodiscard]] qint64 slice_pixels() const;

 private:
  void prepare(jobs::PruningJob::Settings& settings) override;
  void leave() override;
  void drop() override;
  void forget_result() override;
  [[nodiscard]] QString free_output(const QString& network) const;
  TrainingSession& training_;
  Selection& selection_;
  train::PruningPlan plan_, begun_with_;
  QString output_;  // as it was entered
  std::optional<PrunedOutput> saved_;
};

}  // namespace tl::ui
