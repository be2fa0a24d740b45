// TrainingPanel: the part of the learning dock that trains a segmentation network: form, buttons, result, plots.
#pragma once

#include <QScrollArea>

#include "widgets/learning/learning_panel.h"
#include "widgets/session/training_session.h"

class QVBoxLayout;

namespace tl::ui {

class TrainingCard;
class TrainingPlots;

class TrainingPanel final : public QScrollArea {
  Q_OBJECT
 public:
  explicit TrainingPanel(TrainingSession& training, QWidget* parent = nullptr);
  [[nodiscard]] TrainingPlots& plots() { return *plots_; }
  // dock: moves the plots into the dock; elsewhere: the window gives them another parent.
  void show_curves_in(CurvesPosition place);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  TrainingSession& training_;
  QVBoxLayout* column_;
  TrainingCard* result_;
  TrainingPlots* plots_;
};

}  // namespace tl::ui
