// PruningCard: the pruned network next to the original one, and buttons to save, use or reject it.
#pragma once

#include <QFrame>

#include "widgets/session/pruning_session.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace tl::ui {

class ValueRows;

class PruningCard final : public QFrame {
  Q_OBJECT
 public:
  explicit PruningCard(PruningSession& pruning, QWidget* parent = nullptr);

 private:
  void refresh();
  void fill(ValueRows& rows) const;
  bool save();  // false: it was not saved, and why is shown
  [[nodiscard]] bool may_replace(const PrunedOutput& output);
  PruningSession& pruning_;
  ValueRows* values_ = nullptr;
  QVBoxLayout* column_;
  QLabel* failure_;
  QPushButton *save_, *use_, *reject_;
};

}  // namespace tl::ui
