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

// GUI thread only. Training in between follows the training session's plan: voxels for validation are then those that
// the network was not trained on.
class PruningSession final : public JobSessionOf<jobs::PruningJob> {
  Q_OBJECT
 public:
  PruningSession(TrainingSession& training, Selection& selection, QObject* parent = nullptr);

  // Its network is empty until one is chosen: then the network of the node is used.
  [[nodiscard]] const train::PruningPlan& plan() const { return plan_; }
  void set_plan(const train::PruningPlan& plan);
  // The file to prune: the chosen one, else that of the node; empty: there is none.
  [[nodiscard]] QString network_file() const;
  // The node that applies a network: the selected one, else the first; empty: there is none.
  [[nodiscard]] std::string network_node() const;
  // Whether it trains in between: this was requested, and there are painted labels.
  [[nodiscard]] bool trains() const;
  [[nodiscard]] bool has_labels() const { return training_.has_labels(); }
  [[nodiscard]] QString obstacle() const override;

  // Output file: as entered, by default a free name next to the network that is pruned.
  [[nodiscard]] PrunedOutput output() const;
  void set_output(const QString& file);  // empty: a free name
  // Endings of network files; a name without one gets the first.
  [[nodiscard]] static QStringList endings() { return {QStringLiteral(".safetensors"), QStringLiteral(".onnx")}; }
  // Saves network and report, both or none, and replaces existing files. Errors: invalid: the network that is pruned,
  // or an input of the pipeline, would be replaced; io.
  Result<void> save();
  [[nodiscard]] const std::optional<PrunedOutput>& saved_as() const { return saved_; }
  // Sets the saved network in the node: one undo step.
  [[nodiscard]] bool can_use() const { return saved_.has_value() && !network_node().empty(); }
  void use();
  [[nodiscard]] bool is_unsaved() const override { return is_busy() || (state() == JobState::ended && !saved_); }
  [[nodiscard]] const train::PruningPlan& begun_with() const { return begun_with_; }
  // Pixels of a slice of the node's volume; 512 x 512 if it is not known.
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
