// LearningOptions: method, stopping rules, restarts and fractions of the data. Collapsed initially.
#pragma once

#include <QWidget>

#include "widgets/session/learning_session.h"

class QComboBox;
class QCheckBox;
class QSpinBox;
class QDoubleSpinBox;
class QToolButton;

namespace tl::ui {

class LearningOptions final : public QWidget {
  Q_OBJECT
 public:
  explicit LearningOptions(LearningSession& learning, QWidget* parent = nullptr);
  void open(bool open);

 private:
  void make_fields();
  void refresh();
  LearningSession& learning_;
  QToolButton* fold_;
  QWidget* body_;
  QComboBox* method_;
  QSpinBox *iterations_, *restarts_, *seed_;
  QDoubleSpinBox *views_, *rows_;
  QCheckBox *survey_, *errors_;
};

}  // namespace tl::ui
