// LearningControls: Learn, pause, take the best, stop; and in one line what is going on.
#pragma once

#include <QWidget>

#include "widgets/session/learning_session.h"

class QLabel;
class QPushButton;

namespace tl::ui {

class ObjectiveForm;

class LearningControls final : public QWidget {
  Q_OBJECT
 public:
  LearningControls(LearningSession& learning, const ObjectiveForm& objective, QWidget* parent = nullptr);
  // Begins, with the suggested objective where none was chosen; goes on where it is paused.
  void learn();

 private:
  void refresh();
  [[nodiscard]] QString status_text() const;
  LearningSession& learning_;
  const ObjectiveForm& objective_;
  QPushButton *learn_, *pause_, *best_, *stop_;
  QLabel* status_;
};

}  // namespace tl::ui
