// LearnableList: a button for each parameter that can be learned; if some are marked, for those that can be learned
// together with them.
#pragma once

#include <QWidget>

#include "widgets/session/learning_session.h"

class QGridLayout;
class QVBoxLayout;

namespace tl::ui {

// The present value of a learnable parameter: "0 px".
QString present_value(const Document& document, const learn::Learnable& learnable);

class LearnableList final : public QWidget {
  Q_OBJECT
 public:
  explicit LearnableList(LearningSession& learning, QWidget* parent = nullptr);

 private:
  void refresh();
  [[nodiscard]] QString heading_of(const std::vector<learn::Learnable>& rows) const;
  void add_row(QGridLayout& grid, const learn::Learnable& learnable);
  void showEvent(QShowEvent* event) override;
  LearningSession& learning_;
  QWidget* rows_ = nullptr;
  QVBoxLayout* column_;
  QStringList shown_;  // the rows as text
};

}  // namespace tl::ui
