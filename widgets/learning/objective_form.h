// ObjectiveForm: which number learning makes small; those that do not fit are there too, with the reason.
#pragma once

#include <QWidget>

#include "widgets/session/learning_session.h"

class QComboBox;
class QLabel;

namespace tl::ui {

class ObjectiveForm final : public QWidget {
  Q_OBJECT
 public:
  explicit ObjectiveForm(LearningSession& learning, QWidget* parent = nullptr);
  // The one that is chosen, or would be: what Learn uses. Nothing fits: nullptr.
  [[nodiscard]] const learn::ObjectiveChoice* chosen() const;
  [[nodiscard]] bool is_in_pipeline() const;  // the chosen one

 private:
  void refresh();
  [[nodiscard]] QString title_of(const learn::ObjectiveChoice& choice) const;
  LearningSession& learning_;
  QComboBox* box_;
  QLabel* note_;
  std::vector<learn::ObjectiveChoice> choices_;
};

}  // namespace tl::ui
