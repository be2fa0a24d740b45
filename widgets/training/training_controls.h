// TrainingControls: buttons to train, pause, take the best and stop, and what the training does or lacks.
#pragma once

#include <QWidget>

#include "widgets/session/training_session.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace tl::ui {

class TrainingControls final : public QWidget {
  Q_OBJECT
 public:
  explicit TrainingControls(TrainingSession& training, QWidget* parent = nullptr);

 private:
  void refresh();
  [[nodiscard]] bool may_start();
  [[nodiscard]] QString status_text() const;
  [[nodiscard]] QString progress_text() const;
  TrainingSession& training_;
  QPushButton *train_, *resume_, *pause_, *best_, *stop_, *add_;
  QLabel *status_, *scores_;
  QProgressBar* bar_;
};

// "epoch 12 of 100 · at most 3 min left": for the status line; empty while nothing is trained.
QString training_activity(const TrainingSession& training);

}  // namespace tl::ui
