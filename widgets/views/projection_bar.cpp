// ProjectionBar: steps through the projections by a slider, and chooses views, flat fields or dark frames.
#include "widgets/views/projection_bar.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>

#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"
#include "widgets/views/panes/projection_pane.h"

namespace tl::ui {

ProjectionBar::ProjectionBar(ProjectionPane& pane, QWidget* parent)
    : QWidget(parent), pane_(pane), slider_(new QSlider(Qt::Horizontal)), series_(new QButtonGroup(this)) {
  auto* row = spaced(new QHBoxLayout(this), 1, {2, 1, 2, 1});
  slider_->setAccessibleName(tr("View"));
  row->addWidget(slider_, 1);
  const auto button = [this, row](const QString& text, ProjectionPane::Series series) {
    auto* b = new QToolButton;
    b->setText(text);
    b->setCheckable(true);
    b->setProperty("role", "tab");
    b->setAccessibleName(text);
    series_->addButton(b, static_cast<int>(series));
    row->addWidget(b);
  };
  button(tr("Views"), ProjectionPane::Series::data);
  button(tr("Flats"), ProjectionPane::Series::flats);
  button(tr("Darks"), ProjectionPane::Series::darks);
  connect(slider_, &QSlider::valueChanged, &pane_, [this](int value) { pane_.set_index(value); });
  connect(series_, &QButtonGroup::idClicked, &pane_,
          [this](int id) { pane_.set_series(static_cast<ProjectionPane::Series>(id)); });
  connect(&pane_, &ProjectionPane::index_changed, this, &ProjectionBar::refresh);
  connect(&pane_, &ImagePane::picture_shown, this, &ProjectionBar::refresh);
  refresh();
}

void ProjectionBar::refresh() {
  const QSignalBlocker quiet(slider_);
  const int64_t frames = pane_.count(pane_.series());
  slider_->setRange(0, static_cast<int>(std::max<int64_t>(0, frames - 1)));
  slider_->setValue(static_cast<int>(pane_.index()));
  slider_->setEnabled(frames > 1);
  for (QAbstractButton* b : series_->buttons()) {
    const auto series = static_cast<ProjectionPane::Series>(series_->id(b));
    b->setChecked(series == pane_.series());
    b->setEnabled(series == ProjectionPane::Series::data || pane_.count(series) > 0);
  }
}

}  // namespace tl::ui
