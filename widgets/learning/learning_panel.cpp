// LearningPanel: builds the learning dock from its parts: targets, objective, run with plots, result, history,
// landscape and checks, in one scrolling column.
#include "widgets/learning/learning_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QListView>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "widgets/learning/gradient_check_panel.h"
#include "widgets/learning/landscape_panel.h"
#include "widgets/learning/learning_controls.h"
#include "widgets/learning/learning_options.h"
#include "widgets/learning/learning_plots.h"
#include "widgets/learning/objective_chooser.h"
#include "widgets/learning/result_card.h"
#include "widgets/learning/run_model.h"
#include "widgets/learning/target_list.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int history_height = 110;  // px
constexpr int plots_index = 5;       // index in the column

}  // namespace

LearningPanel::LearningPanel(LearningSession& learning, Selection& selection, QWidget* parent)
    : QScrollArea(parent), learning_(learning) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Learning"));
  auto* whole = new QWidget(this);
  column_ = new QVBoxLayout(whole);
  column_->setContentsMargins(Theme::space(3), Theme::space(2), Theme::space(3), Theme::space(3));
  column_->setSpacing(Theme::space(2));
  auto* objective = new ObjectiveChooser(learning_, whole);
  controls_ = new LearningControls(learning_, *objective, whole);
  plots_ = new LearningPlots(learning_, whole);
  column_->addWidget(new TargetList(learning_, whole));
  column_->addWidget(objective);
  column_->addWidget(new LearningOptions(learning_, whole));
  column_->addWidget(controls_);
  result_ = new ResultCard(learning_, whole);
  column_->addWidget(result_);
  show_curves_in(CurvesPosition::dock);
  landscape_ = new LandscapePanel(learning_, plots_->landscape(), whole);
  landscape_fold_ = add_fold(*column_, tr("Landscape"), landscape_);
  runs_ = new RunModel(learning_, this);
  history_ = new QListView(whole);
  history_->setModel(runs_);
  history_->setAccessibleName(tr("Learning runs"));
  history_->setFixedHeight(history_height);
  history_->setTextElideMode(Qt::ElideRight);
  history_->setUniformItemSizes(true);
  history_fold_ = add_fold(*column_, tr("Runs"), history_);
  checks_ = new GradientCheckPanel(learning_, selection, whole);
  checks_fold_ = add_fold(*column_, tr("Checks"), checks_);
  column_->addStretch(1);
  setWidget(whole);
  connect(runs_, &RunModel::ticked_changed, this, [this] { plots_->show_records(runs_->ticked()); });
  const auto count_runs = [this] { history_fold_->setText(tr("Runs (%1)").arg(learning_.records().size())); };
  connect(&learning_, &LearningSession::records_changed, this, count_runs);
  count_runs();
  connect(&learning_, &LearningSession::settings_changed, this, &LearningPanel::scroll_over_lists);
  scroll_over_lists();
  follow_result();
}

// Scrolls to what was found and its buttons. The result gets its size only after learning has ended: the range of the
// scroll bar changes then.
void LearningPanel::follow_result() {
  connect(&learning_, &LearningSession::state_changed, this, [this] {
    result_is_new_ = learning_.state() == LearningState::ended;
    show_result();
  });
  connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, &LearningPanel::show_result);
  connect(verticalScrollBar(), &QScrollBar::sliderPressed, this, [this] { result_is_new_ = false; });
}
void LearningPanel::show_result() {
  if (result_is_new_ && result_->isVisible()) ensureWidgetVisible(result_);
}
void LearningPanel::wheelEvent(QWheelEvent* event) {
  result_is_new_ = false;
  QScrollArea::wheelEvent(event);
}

// The wheel scrolls the dock, also where a list lies under the mouse: it would choose another objective unnoticed.
void LearningPanel::scroll_over_lists() {
  for (QComboBox* list : findChildren<QComboBox*>()) list->installEventFilter(this);
}
bool LearningPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::Wheel || qobject_cast<QComboBox*>(watched) == nullptr)
    return QScrollArea::eventFilter(watched, event);
  event->ignore();
  return true;
}

QToolButton* LearningPanel::add_fold(QVBoxLayout& column, const QString& title, QWidget* body) {
  auto* fold = new QToolButton(body->parentWidget());
  fold->setProperty("role", "fold");
  fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fold->setText(title);
  fold->setCheckable(true);
  fold->setIcon(glyph_icon(Glyph::chevron_right));
  body->hide();
  connect(fold, &QToolButton::toggled, this, [fold, body](bool open) {
    fold->setIcon(glyph_icon(open ? Glyph::chevron_down : Glyph::chevron_right));
    body->setVisible(open);
  });
  column.addWidget(fold, 0, Qt::AlignLeft);
  column.addWidget(body);
  return fold;
}

void LearningPanel::show_curves_in(CurvesPosition place) {
  if (place == CurvesPosition::elsewhere) {
    column_->removeWidget(plots_);
    return;
  }
  plots_->set_direction(Qt::Vertical);
  column_->insertWidget(plots_index, plots_);
  plots_->show();
}

void LearningPanel::open_checks() {
  checks_fold_->setChecked(true);
  ensureWidgetVisible(checks_);
}
void LearningPanel::open_landscape() {
  landscape_fold_->setChecked(true);
  ensureWidgetVisible(landscape_);
}

}  // namespace tl::ui
