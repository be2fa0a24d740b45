// StepSlider: after a run, which of its steps the views show; the document does not change.
#pragma once

#include <QWidget>

#include "widgets/session/learning_session.h"

class QLabel;
class QSlider;

namespace tl::ui {

// Hidden if there is nothing to choose.
class StepSlider final : public QWidget {
  Q_OBJECT
 public:
  explicit StepSlider(LearningSession& learning, QWidget* parent = nullptr);
  [[nodiscard]] QSlider& slider() { return *slider_; }
  [[nodiscard]] QString text() const;  // "Step 3 of 8 · Axis 2.31 px"

 private:
  void refresh();
  LearningSession& learning_;
  QSlider* slider_;  // one position per step, the last one for the found values
  QLabel* label_;
};

}  // namespace tl::ui
