// TrainingCard: the trained network with its scores, and buttons to accept or reject it.
#pragma once

#include <QFrame>

#include "widgets/session/training_session.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace tl::ui {

class ValueRows;

class TrainingCard final : public QFrame {
  Q_OBJECT
 public:
  explicit TrainingCard(TrainingSession& training, QWidget* parent = nullptr);

 private:
  void refresh();
  void accept();
  TrainingSession& training_;
  ValueRows* values_ = nullptr;
  QVBoxLayout* column_;
  QLabel* failure_;
  QPushButton *accept_, *reject_;
};

}  // namespace tl::ui
