// HistogramPanel: shows the histogram of the active pane, the one that has, or last had, the focus, and sets its
// window.
#include "widgets/views/histogram_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/theme/theme.h"
#include "widgets/views/histogram_plot.h"
#include "widgets/views/views_area.h"

namespace tl::ui {
namespace {

QIcon map_icon(ColorMap map) {
  constexpr int width = 48, height = 12;
  QImage image(width, height, QImage::Format_RGB32);
  for (int x = 0; x < width; ++x)
    for (int y = 0; y < height; ++y) image.setPixel(x, y, color_at(map, static_cast<double>(x) / (width - 1)));
  return QIcon(QPixmap::fromImage(image));
}

}  // namespace

HistogramPanel::HistogramPanel(ViewsArea& views, QWidget* parent)
    : QWidget(parent), state_(views.state()), plot_(new HistogramPlot(state_)), colors_(new QComboBox) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Theme::space(2), 0, Theme::space(2), Theme::space(1));
  column->setSpacing(Theme::space(1));
  column->addWidget(plot_, 1);
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::space(1));
  const auto button = [this, row](const QString& text, const QString& tip) {
    auto* b = new QToolButton;
    b->setText(text);
    b->setToolTip(tip);
    b->setAccessibleName(tip);
    b->setProperty("role", "chip");
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
  QToolButton* opacity = button(tr("3D"), tr("Edit the opacity of the 3D view: double click adds or removes a point"));
  opacity->setCheckable(true);
  opacity->setProperty("role", "tab");
  connect(opacity, &QToolButton::toggled, this,
          [this](bool on) { plot_->set_curve(on ? HistogramPlot::Curve::opacity : HistogramPlot::Curve::window); });
  row->addStretch();
  column->addLayout(row);

  colors_->setAccessibleName(tr("Colours"));
  colors_->setIconSize({48, 12});
  for (const ColorMap map : all_color_maps())
    colors_->addItem(map_icon(map), color_map_name(map), static_cast<int>(map));
  connect(colors_, &QComboBox::activated, this,
          [this](int index) { state_.set_color_map(static_cast<ColorMap>(colors_->itemData(index).toInt())); });
  const auto show_map = [this] { colors_->setCurrentIndex(colors_->findData(static_cast<int>(state_.color_map()))); };
  connect(&state_, &ViewState::colors_changed, this, show_map);
  show_map();
  column->addWidget(colors_);

  const auto follow_active = [this, &views] { follow(views.active_pane()); };
  connect(&views, &ViewsArea::active_changed, this, follow_active);
  connect(&views, &ViewsArea::panes_changed, this, follow_active);
  follow_active();
}

void HistogramPanel::follow(ImagePane* pane) {
  if (pane == nullptr || pane == pane_) return;
  if (pane_) pane_->disconnect(this);
  pane_ = pane;
  connect(pane, &ImagePane::picture_shown, this, &HistogramPanel::count);
  count();
}

void HistogramPanel::count() {
  if (!isVisible()) return;
  if (pane_ && pane_->picture())
    plot_->set_picture(pane_->picture()->image, pane_->levels_output());
  else
    plot_->set_picture(nullptr, {});
}

void HistogramPanel::take_percentiles(double percent) {
  if (!pane_ || !pane_->picture()) return;
  const live::Image& image = *pane_->picture()->image;
  state_.set_levels(pane_->levels_output(),
                    percent > 0 ? picture::percentile_levels(image, percent) : picture::full_levels(image),
                    LevelsMode::manual);
}

}  // namespace tl::ui
