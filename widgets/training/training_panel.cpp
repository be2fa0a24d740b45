// TrainingPanel: builds the page of the learning dock that trains a network, in one scrolling column.
#include "widgets/training/training_panel.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QScrollBar>
#include <QVBoxLayout>

#include "widgets/theme/theme.h"
#include "widgets/training/training_card.h"
#include "widgets/training/training_controls.h"
#include "widgets/training/training_form.h"
#include "widgets/training/training_plots.h"

namespace tl::ui {
namespace {

constexpr int plots_index = 3;  // index in the column

}  // namespace

TrainingPanel::TrainingPanel(TrainingSession& training, QWidget* parent) : QScrollArea(parent), training_(training) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Training of a network"));
  auto* whole = new QWidget(this);
  column_ = new QVBoxLayout(whole);
  column_->setContentsMargins(Theme::space(3), Theme::space(2), Theme::space(3), Theme::space(3));
  column_->setSpacing(Theme::space(3));
  result_ = new TrainingCard(training_, whole);
  plots_ = new TrainingPlots(training_, whole);
  column_->addWidget(new TrainingForm(training_, whole));
  column_->addWidget(new TrainingControls(training_, whole));
  column_->addWidget(result_);
  show_curves_in(CurvesPosition::dock);
  column_->addStretch(1);
  setWidget(whole);
  // The wheel scrolls the dock, also over fields: it would change one unnoticed.
  for (QComboBox* list : whole->findChildren<QComboBox*>()) list->installEventFilter(this);
  for (QAbstractSpinBox* box : whole->findChildren<QAbstractSpinBox*>()) box->installEventFilter(this);
  // What was trained comes into sight with its buttons, once its card has its size.
  connect(&training_, &TrainingSession::state_changed, this, [this] {
    if (training_.state() == TrainingState::ended)
      QMetaObject::invokeMethod(
          this, [this] { ensureWidgetVisible(result_); }, Qt::QueuedConnection);
  });
}

bool TrainingPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::Wheel) return QScrollArea::eventFilter(watched, event);
  event->ignore();
  return true;
}

void TrainingPanel::show_curves_in(CurvesPosition place) {
  if (place == CurvesPosition::elsewhere) return column_->removeWidget(plots_);
  column_->insertWidget(plots_index, plots_);
  plots_->set_direction(Qt::Vertical);
  plots_->show();
}

}  // namespace tl::ui
