// ResultCard: the found values with uncertainty and verdict, and buttons to accept or reject them.
#pragma once

#include <QFrame>

#include "widgets/session/learning_session.h"

class QPushButton;
class QVBoxLayout;

namespace tl::ui {

class ResultCard final : public QFrame {
  Q_OBJECT
 public:
  explicit ResultCard(LearningSession& learning, QWidget* parent = nullptr);

 private:
  void refresh();
  void add_found(const learn::Found& found);
  void add_note(const QString& text);
  LearningSession& learning_;
  QWidget* values_ = nullptr;
  QVBoxLayout* column_;
  QPushButton *accept_, *reject_;
};

}  // namespace tl::ui
