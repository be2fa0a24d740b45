// PruningControls: buttons to prune, pause and stop, and what the pruning does or lacks.
#pragma once

#include <QWidget>

#include "widgets/session/pruning_session.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace tl::ui {

class PruningControls final : public QWidget {
  Q_OBJECT
 public:
  explicit PruningControls(PruningSession& pruning, QWidget* parent = nullptr);

 private:
  void refresh();
  [[nodiscard]] QString status_text() const;
  PruningSession& pruning_;
  QPushButton *prune_, *pause_, *stop_;
  QLabel* status_;
  QProgressBar* bar_;
};

// "pruning · step 3 of 15 · at most 3 min left": for the status line; empty while nothing is pruned.
QString pruning_activity(const PruningSession& pruning);

}  // namespace tl::ui
