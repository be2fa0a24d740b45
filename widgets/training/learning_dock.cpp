// LearningDock: shows one page of the learning dock below its tabs.
#include "widgets/training/learning_dock.h"

#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include "widgets/learning/learning_panel.h"
#include "widgets/theme/theme.h"
#include "widgets/training/pruning_panel.h"
#include "widgets/training/training_panel.h"

namespace tl::ui {

LearningDock::LearningDock(LearningPanel* parameters, TrainingPanel* network, PruningPanel* prune, QWidget* parent)
    : QWidget(parent), tabs_(new QTabBar(this)), pages_(new QStackedWidget(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(Theme::space(2), 0, Theme::space(2), 0);
  row->addWidget(tabs_);
  row->addStretch(1);
  column->addLayout(row);
  column->addWidget(pages_, 1);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setAccessibleName(tr("What is learned"));
  tabs_->addTab(tr("Parameters"));
  tabs_->addTab(tr("Network"));
  tabs_->addTab(tr("Prune"));
  tabs_->setTabToolTip(0, tr("Finds numbers of the nodes, such as the rotation axis"));
  tabs_->setTabToolTip(1, tr("Trains a segmentation network on painted labels and examples"));
  tabs_->setTabToolTip(2, tr("Makes a smaller and faster network of a trained one"));
  pages_->addWidget(parameters);
  pages_->addWidget(network);
  pages_->addWidget(prune);
  connect(tabs_, &QTabBar::currentChanged, this, [this](int page) {
    pages_->setCurrentIndex(page);
    Q_EMIT page_changed();
  });
}

LearningPage LearningDock::page() const { return static_cast<LearningPage>(tabs_->currentIndex()); }
void LearningDock::show_page(LearningPage page) { tabs_->setCurrentIndex(static_cast<int>(page)); }

}  // namespace tl::ui
