// ObjectiveChooser: choice of the objective to minimise; objectives that do not fit are listed with the reason.
#pragma once

#include <QWidget>

#include "widgets/session/learning_session.h"

class QComboBox;
class QLabel;

namespace tl::ui {

class ObjectiveChooser final : public QWidget {
  Q_OBJECT
 public:
  explicit ObjectiveChooser(LearningSession& learning, QWidget* parent = nullptr);
  // The choice that the Learn button uses: the selected one, else the suggested one; nullptr if none fits.
  [[nodiscard]] const learn::ObjectiveChoice* chosen() const;
  // If chosen() is nullptr: why the best objective cannot be used.
  [[nodiscard]] QString why_none() const;

 private:
  void refresh();
  [[nodiscard]] QString title_of(const learn::ObjectiveChoice& choice) const;
  LearningSession& learning_;
  QComboBox* box_;
  QLabel* note_;
  std::vector<learn::ObjectiveChoice> choices_;
};

}  // namespace tl::ui
