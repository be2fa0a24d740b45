// RunsArea: arranges the parts of the workspace Runs.
#include "widgets/queue/runs_area.h"

#include "widgets/queue/queue_side.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr int side_width = 300, needs_width = 1150;  // px; in a narrower window, the table has the whole width

}  // namespace

RunsArea::RunsArea(QueueSession& queue, QWidget* parent)
    : QSplitter(Qt::Horizontal, parent),
      centre_(new QSplitter(Qt::Vertical, this)),
      queue_(new QueuePage(queue, centre_)),
      side_(new QueueSide(queue, queue_->table(), this)) {
  for (QSplitter* splitter : std::initializer_list<QSplitter*>{this, centre_}) {
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
  }
  centre_->addWidget(queue_);
  addWidget(centre_);
  addWidget(side_);
  side_->setMinimumWidth(side_width - Theme::space(10));
  setStretchFactor(0, 1);
  setSizes({4 * side_width, side_width});
  connect(&queue_->table(), &QueueTable::open_wanted, this, &RunsArea::open_wanted);
  connect(side_, &QueueSide::open_wanted, this, &RunsArea::open_wanted);
}

void RunsArea::set_history(QWidget* page) { centre_->addWidget(page); }

void RunsArea::resizeEvent(QResizeEvent* event) {
  QSplitter::resizeEvent(event);
  side_->setVisible(width() >= needs_width);
}

}  // namespace tl::ui
