// LearningDock: shows one page of the learning dock below its tabs.
#include "widgets/training/learning_dock.h"

#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include "widgets/jobs/job_page.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

LearningDock::LearningDock(const std::vector<JobPage*>& pages, QWidget* parent)
    : QWidget(parent), tabs_(new QTabBar(this)), pages_(new QStackedWidget(this)) {
  auto* column = spaced(new QVBoxLayout(this), 0);
  auto* row = framed(new QHBoxLayout, {2, 0, 2, 0});
  row->addWidget(tabs_);
  row->addStretch(1);
  column->addLayout(row);
  column->addWidget(pages_, 1);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setUsesScrollButtons(false);  // long titles of tabs end with an ellipsis
  tabs_->setElideMode(Qt::ElideRight);
  tabs_->setAccessibleName(tr("What is learned"));
  for (JobPage* page : pages) {
    tabs_->setTabToolTip(tabs_->addTab(page->spec().tab), page->spec().tab + QLatin1Char('\n') + page->spec().tab_help);
    pages_->addWidget(page);
  }
  connect(tabs_, &QTabBar::currentChanged, this, [this](int page) {
    pages_->setCurrentIndex(page);
    Q_EMIT page_changed();
  });
}

const JobPage* LearningDock::page() const { return static_cast<const JobPage*>(pages_->currentWidget()); }
void LearningDock::show_page(JobPage& page) { tabs_->setCurrentIndex(pages_->indexOf(&page)); }

}  // namespace tl::ui
