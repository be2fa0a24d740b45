// TrainingCard: the trained network with its scores, and buttons to accept or reject it.
#pragma once

#include <QFrame>

#include "widgets/session/training_session.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace tl::ui {

class TrainingCard final : public QFrame {
  Q_OBJECT
 public:
  explicit TrainingCard(TrainingSession& training, QWidget* parent = nullptr);

 private:
  void refresh();
  void add_row(const QString& name, const QString& value, const QString& color);
  void add_note(const QString& text);
  void accept();
  TrainingSession& training_;
  QWidget* values_ = nullptr;
  QVBoxLayout* column_;
  QLabel* failure_;
  QPushButton *accept_, *reject_;
};

}  // namespace tl::ui
