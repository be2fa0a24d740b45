// LearningDock: the pages of the learning dock: parameters of nodes, a segmentation network, and its pruning.
#pragma once

#include <QWidget>

class QStackedWidget;
class QTabBar;

namespace tl::ui {

class LearningPanel;
class PruningPanel;
class TrainingPanel;

enum class LearningPage { parameters, network, prune };

class LearningDock final : public QWidget {
  Q_OBJECT
 public:
  LearningDock(LearningPanel* parameters, TrainingPanel* network, PruningPanel* prune, QWidget* parent = nullptr);
  [[nodiscard]] LearningPage page() const;
  void show_page(LearningPage page);

 Q_SIGNALS:
  void page_changed();

 private:
  QTabBar* tabs_;
  QStackedWidget* pages_;
};

}  // namespace tl::ui
