// HistogramPanel: shows the histogram of the active pane, which has or last had the focus, and sets its
// window.
#include "widgets/views/histogram/histogram_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/theme/chip_button.h"
#include "widgets/theme/flow_layout.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"
#include "widgets/views/histogram/histogram_plot.h"
#include "widgets/views/histogram/threshold_handles.h"
#include "widgets/views/measurement_panel.h"
#include "widgets/views/pictures/color_menu.h"
#include "widgets/views/pictures/window_text.h"
#include "widgets/views/views_area.h"

namespace tl::ui {
HistogramPanel::HistogramPanel(ViewsArea& views, QWidget* parent)
    : QWidget(parent),
      state_(views.state()),
      plot_(new HistogramPlot(state_)),
      thresholds_(new ThresholdHandles(views.source(), state_, *plot_, this)),
      colors_(new QComboBox) {
  auto* column = spaced(new QVBoxLayout(this), 1, {2, 0, 2, 1});
  column->addWidget(plot_, 1);
  auto* row = spaced(new FlowLayout, 1);
  const auto button = [this, row](const QString& text, const QString& tip) {
    QToolButton* b = chip_button(text, tip);
    b->setProperty("dense", true);
    row->addWidget(b);
    return b;
  };
  for (const double percent : {0.1, 1.0, 5.0})
    connect(button(tr("%1 %").arg(percent), tr("Clip %1 % of the pixels at each end").arg(percent)),
            &QToolButton::clicked, this, [this, percent] { take_percentiles(percent); });
  connect(button(tr("Full"), tr("Window from the smallest to the largest value")), &QToolButton::clicked, this,
          [this] { take_percentiles(0); });
  connect(button(tr("Auto"), tr("Automatic window")), &QToolButton::clicked, this, [this] {
    if (pane_) pane_->automatic_levels();
  });
  QToolButton* opacity =
      button(tr("3D"), tr("Edit colours and opacity of the 3D view: double click adds or removes a point"));
  opacity->setCheckable(true);
  connect(opacity, &QToolButton::toggled, this, [this](bool on) {
    plot_->set_curve(on ? HistogramPlot::Curve::opacity : HistogramPlot::Curve::window);
    show_colors();
  });
  column->addLayout(make_limits());
  column->addLayout(row);
  make_colors();
  column->addWidget(colors_);
  column->addWidget(new MeasurementPanel(views));

  const auto follow_active = [this, &views] { follow(views.active_pane()); };
  connect(&views, &ViewsArea::active_changed, this, follow_active);
  connect(&views, &ViewsArea::panes_changed, this, follow_active);
  follow_active();
}

// The limits of the window, which can also be typed.
QLayout* HistogramPanel::make_limits() {
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::space(1));
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    auto* line = new QLineEdit;
    line->setAccessibleName(i == 0 ? tr("Lower limit of the window") : tr("Upper limit of the window"));
    line->setToolTip(tr("%1. Enter sets the value.").arg(line->accessibleName()));
    line->setFont(Theme::number_font());
    line->setAlignment(i == 0 ? Qt::AlignLeft : Qt::AlignRight);
    connect(line, &QLineEdit::editingFinished, this, &HistogramPanel::take_limits);
    limits_.at(i) = line;
    if (i == 1) row->addStretch();
    row->addWidget(line, 2);
  }
  connect(&state_, &ViewState::levels_changed, this, &HistogramPanel::show_limits);
  return row;
}

// A difference has a window of its own, which is shown and not set.
bool HistogramPanel::sets_window() const {
  return pane_ && pane_->shown_levels() == state_.levels(pane_->levels_output());
}

void HistogramPanel::show_limits() {
  const auto levels = pane_ ? pane_->shown_levels() : std::nullopt;
  const auto texts = levels ? window_texts(*levels) : std::pair<QString, QString>{};
  limits_[0]->setText(texts.first);
  limits_[1]->setText(texts.second);
  for (QLineEdit* line : limits_) {
    line->setModified(false);
    line->setEnabled(levels.has_value() && sets_window());
  }
}

// A limit that was not edited keeps the digits that are not shown. Limits that form no window are ignored.
void HistogramPanel::take_limits() {
  const auto now = pane_ ? state_.levels(pane_->levels_output()) : std::nullopt;
  if (now && (limits_[0]->isModified() || limits_[1]->isModified())) {
    const auto low = limits_[0]->isModified() ? typed_limit(limits_[0]->text()) : now->low;
    const auto high = limits_[1]->isModified() ? typed_limit(limits_[1]->text()) : now->high;
    if (low && high && *low < *high) state_.set_levels(pane_->levels_output(), {*low, *high}, LevelsMode::manual);
  }
  show_limits();
}

void HistogramPanel::make_colors() {
  colors_->setIconSize({48, 12});
  for (const ColorMap map : all_color_maps())
    colors_->addItem(color_map_icon(map), color_map_name(map), static_cast<int>(map));
  connect(colors_, &QComboBox::activated, this, [this](int index) {
    const auto map = static_cast<ColorMap>(colors_->itemData(index).toInt());
    if (plot_->curve() == HistogramPlot::Curve::opacity)
      state_.set_volume_color_map(map);
    else
      state_.set_color_map(map);
  });
  for (auto signal : {&ViewState::colors_changed, &ViewState::volume_view_changed})
    connect(&state_, signal, this, &HistogramPanel::show_colors);
  show_colors();
}

// Colours of the slices, or of the 3D view while its opacity is edited.
void HistogramPanel::show_colors() {
  const bool is_volume = plot_->curve() == HistogramPlot::Curve::opacity;
  const ColorMap map = is_volume ? state_.volume_color_map() : state_.color_map();
  colors_->setAccessibleName(is_volume ? tr("Colours of the 3D view") : tr("Colours"));
  colors_->setToolTip(is_volume ? tr("Colours of the 3D view") : tr("Colours of the slices and projections"));
  colors_->setCurrentIndex(colors_->findData(static_cast<int>(map)));
}

void HistogramPanel::follow(ImagePane* pane) {
  if (pane == nullptr) return;
  if (pane != pane_) {
    if (pane_) pane_->disconnect(this);
    pane_ = pane;
    connect(pane, &ImagePane::picture_shown, this, &HistogramPanel::count);
  }
  count();
}

void HistogramPanel::count() {
  if (!isVisible()) return;
  show_limits();
  const bool is_there = pane_ && pane_->picture();
  const Output window_of = is_there && sets_window() ? pane_->levels_output() : Output{};
  plot_->set_picture(is_there ? pane_->picture()->image : nullptr, window_of);
  thresholds_->follow(window_of);
}

void HistogramPanel::take_percentiles(double percent) {
  if (!pane_ || !pane_->picture() || !sets_window()) return;
  const live::Image& image = *pane_->picture()->image;
  state_.set_levels(pane_->levels_output(),
                    percent > 0 ? picture::percentile_levels(image, percent) : picture::full_levels(image),
                    LevelsMode::manual);
}

}  // namespace tl::ui
