// MainWindow: creates the parts of the window and lays them out: docks on both sides, views, canvas and plots between.
#include <QHBoxLayout>
#include <QSplitter>
#include <QStackedWidget>
#include <algorithm>

#include "widgets/canvas/canvas.h"
#include "widgets/canvas/outline/node_list.h"
#include "widgets/canvas/outline/outline_view.h"
#include "widgets/inspector/inspector.h"
#include "widgets/inspector/special_tools.h"
#include "widgets/jobs/job_page.h"
#include "widgets/learning/learning_panel.h"
#include "widgets/learning/learning_spec.h"
#include "widgets/queue/runs_area.h"
#include "widgets/session/learning_session.h"
#include "widgets/session/pruning_session.h"
#include "widgets/session/stream_session.h"
#include "widgets/session/training_session.h"
#include "widgets/stream/stream_dock.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"
#include "widgets/training/learning_dock.h"
#include "widgets/training/network_pages.h"
#include "widgets/views/histogram/histogram_panel.h"
#include "widgets/views/labels/class_table_panel.h"
#include "widgets/views/table/table_panel.h"
#include "widgets/views/views_area.h"
#include "widgets/window/files/data_dock.h"
#include "widgets/window/files/file_flows.h"
#include "widgets/window/guide/guide_panel.h"
#include "widgets/window/main_window.h"
#include "widgets/window/section.h"
#include "widgets/window/state/settings.h"
#include "widgets/window/welcome_page.h"

namespace tl::ui {

QSplitter* MainWindow::splitter(Qt::Orientation orientation, QWidget* parent) {
  auto* made = new QSplitter(orientation, parent);
  made->setHandleWidth(1);
  made->setChildrenCollapsible(false);
  return made;
}

void MainWindow::build_centre() {
  views_ = new ViewsArea(session_, selection_, centre_);
  centre_->addWidget(views_);
  canvas_ = new Canvas(session_, selection_, centre_);
  centre_->addWidget(canvas_);
  plots_area_ = new QWidget(centre_);
  plots_area_->setProperty("role", "dock");
  plots_area_->setAttribute(Qt::WA_StyledBackground);
  framed(new QHBoxLayout(plots_area_), {2, 2, 2, 2});
  plots_area_->hide();
  centre_->addWidget(plots_area_);
  runs_area_ = new RunsArea(*queue_session_, centre_);
  runs_area_->hide();
  centre_->addWidget(runs_area_);
  left_pages_ = new QStackedWidget(this);
  left_pages_->addWidget(build_left());
  guide_ = new GuidePanel(session_, selection_);
  left_pages_->addWidget(new Section(tr("Steps"), guide_));
  left_pages_->setMinimumWidth(std::max(Theme::space(50), guide_->minimumSizeHint().width()));
  main_->addWidget(left_pages_);
  main_->addWidget(centre_);
  main_->addWidget(build_right());
  main_->setStretchFactor(1, 1);
  pages_->addWidget(welcome_);
  pages_->addWidget(main_);
}

QWidget* MainWindow::build_left() {
  left_ = splitter(Qt::Vertical, this);
  data_ = new DataDock({scans_, *watcher_, selection_, *queue_session_, settings_});
  connect(data_, &DataDock::open_wanted, files_, &FileFlows::open);
  left_->addWidget(new Section(tr("Data"), data_, left_));
  auto* nodes = new NodeList(session_.document().registry());
  left_->addWidget(new Section(tr("Nodes"), nodes, left_));
  left_->addWidget(new Section(tr("Outline"), new OutlineView(*canvas_, session_), left_));
  connect(nodes, &NodeList::add_wanted, canvas_, &Canvas::add_here);
  return left_;
}

QWidget* MainWindow::build_right() {
  right_ = splitter(Qt::Vertical, this);
  right_->setMinimumWidth(Theme::space(78));
  inspector_ = new Inspector(session_, selection_);
  right_->addWidget(new Section(tr("Inspector"), inspector_, right_));
  connect(
      &inspector_->tools(), &SpecialTools::datasets_chosen, this,
      [this](const io::DatasetChoice& choice, const QString& layout) { settings_.remember_datasets(layout, choice); });
  learning_ = new LearningPanel(*learning_session_, selection_);
  training_ = new JobPage(*training_session_, training_spec(*training_session_));
  pruning_ = new JobPage(*pruning_session_, pruning_spec(*pruning_session_));
  sweep_ = new JobPage(*sweep_session_, sweep_spec(*sweep_session_));
  jobs_ = {learning_, training_, pruning_, sweep_};
  learning_dock_ = new LearningDock(jobs_);
  learning_section_ = new Section(tr("Learning"), learning_dock_, right_);
  right_->addWidget(learning_section_);
  table_ = new TablePanel(views_->source(), views_->state());
  table_section_ = new Section(tr("Table"), table_, right_);
  right_->addWidget(table_section_);
  classes_ = new ClassTablePanel(views_->source(), views_->state());
  classes_section_ = new Section(tr("Classes"), classes_, right_);
  right_->addWidget(classes_section_);
  histogram_section_ = new Section(tr("Histogram"), new HistogramPanel(*views_), right_);
  right_->addWidget(histogram_section_);
  right_->setStretchFactor(0, 1);
  for (int i = 1; i < right_->count(); ++i) right_->setStretchFactor(i, i + 1 < right_->count() ? 1 : 0);
  stream_ = new StreamDock(*stream_session_);
  stream_section_ = new Section(tr("Live scan"), stream_, right_);
  stream_section_->hide();
  right_->addWidget(stream_section_);
  right_->setStretchFactor(right_->count() - 1, 1);
  connect(table_, &TablePanel::tables_changed, this, &MainWindow::show_data_sections);
  connect(&views_->state(), &ViewState::outputs_changed, this, &MainWindow::show_data_sections);
  return right_;
}

}  // namespace tl::ui
