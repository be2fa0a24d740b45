// LearningDock: the pages of the learning dock, one for each kind of job, below its tabs.
#pragma once

#include <QWidget>
#include <vector>

class QStackedWidget;
class QTabBar;

namespace tl::ui {

class JobPage;

class LearningDock final : public QWidget {
  Q_OBJECT
 public:
  explicit LearningDock(const std::vector<JobPage*>& pages, QWidget* parent = nullptr);
  [[nodiscard]] const JobPage* page() const;  // that is open
  void show_page(JobPage& page);

 Q_SIGNALS:
  void page_changed();

 private:
  QTabBar* tabs_;
  QStackedWidget* pages_;
};

}  // namespace tl::ui
