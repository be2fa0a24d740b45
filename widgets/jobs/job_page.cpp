// JobPage: builds its column, and scrolls to the result.
#include "widgets/jobs/job_page.h"

#include <QCoreApplication>
#include <QEvent>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <utility>

#include "widgets/jobs/job_card.h"
#include "widgets/jobs/job_controls.h"
#include "widgets/jobs/job_plots.h"
#include "widgets/jobs/job_table.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {

JobPage::JobPage(JobSession& job, JobSpec spec, QWidget* parent)
    : QScrollArea(parent), job_(job), spec_(std::move(spec)) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(spec_.page);
  auto* whole = new QWidget(this);
  column_ = spaced(new QVBoxLayout(whole), 3, {3, 2, 3, 3});
  column_->addWidget(spec_.form(whole));
  controls_ = new JobControls(job_, spec_, whole);
  result_ = new JobCard(job_, spec_, whole);
  column_->addWidget(controls_);
  column_->addWidget(result_);
  if (!spec_.table.name.isEmpty()) column_->addWidget(new JobTable(job_, spec_.table, whole));
  plots_ = spec_.plots ? spec_.plots(whole) : new JobPlots(job_, spec_, whole);
  show_curves_in(CurvesPosition::dock);
  column_->addStretch(1);
  setWidget(whole);
  follow_result();
}

void JobPage::show_curves_in(CurvesPosition place) {
  if (place == CurvesPosition::elsewhere) return column_->removeWidget(plots_);
  // Below the table if there is one, else below the result.
  const QWidget* table = findChild<JobTable*>();
  column_->insertWidget(column_->indexOf(table == nullptr ? result_ : table) + 1, plots_);
  plots_->set_direction(Qt::Vertical);
  plots_->show();
}

QString JobPage::unsaved() const {
  return job_.is_unsaved() && job_.state() != JobState::stopping ? spec_.unsaved() : QString();
}

// Scrolls to the result and its buttons. The card gets its size only after the job has ended, and is moved by what is
// computed afterwards: the range of the scroll bar changes then.
void JobPage::follow_result() {
  connect(&job_, &JobSession::state_changed, this, [this] {
    result_is_new_ = job_.state() == JobState::ended;
    const auto show = [this] {
      QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
      show_result();
    };
    if (result_is_new_) QMetaObject::invokeMethod(this, show, Qt::QueuedConnection);
  });
  connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, &JobPage::show_result);
  connect(verticalScrollBar(), &QScrollBar::sliderPressed, this, [this] { result_is_new_ = false; });
}
void JobPage::show_result() {
  if (result_is_new_ && result_->isVisible()) ensureWidgetVisible(result_);
}
void JobPage::wheelEvent(QWheelEvent* event) {
  result_is_new_ = false;
  QScrollArea::wheelEvent(event);
}

QToolButton* add_fold(QVBoxLayout& column, const QString& title, QWidget* body) {
  auto* fold = new QToolButton(body->parentWidget());
  fold->setProperty("role", "fold");
  fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fold->setText(title);
  fold->setCheckable(true);
  fold->setIcon(glyph_icon(Glyph::chevron_right));
  body->hide();
  QObject::connect(fold, &QToolButton::toggled, body, [fold, body](bool open) {
    fold->setIcon(glyph_icon(open ? Glyph::chevron_down : Glyph::chevron_right));
    body->setVisible(open);
  });
  column.addWidget(fold, 0, Qt::AlignLeft);
  column.addWidget(body);
  return fold;
}

}  // namespace tl::ui
