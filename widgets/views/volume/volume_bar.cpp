// VolumeBar: shows and changes the settings of the 3D view: cloud or surface, its value, the clipping box.
#include "widgets/views/volume/volume_bar.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/theme/theme.h"
#include "widgets/views/volume/volume_pane.h"

namespace tl::ui {
namespace {
constexpr int steps = 200;

QToolButton* check_button(const QString& text, const QString& tip) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setCheckable(true);
  button->setProperty("role", "tab");
  return button;
}

}  // namespace

VolumeBar::VolumeBar(VolumePane& pane, QWidget* parent) : QWidget(parent), pane_(pane) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Theme::space(2), Theme::space(1), Theme::space(2), Theme::space(1));
  column->setSpacing(Theme::space(1));
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::space(1));
  QToolButton* cloud = check_button(tr("Cloud"), tr("Semi-transparent volume rendering"));
  QToolButton* surface = check_button(tr("Surface"), tr("Show the surface of one value"));
  auto* styles = new QButtonGroup(this);
  styles->addButton(cloud);
  styles->addButton(surface);
  auto* level = new QSlider(Qt::Horizontal);
  level->setRange(0, steps);
  level->setAccessibleName(tr("Value of the surface, from the window's low to its high end"));
  level->setToolTip(level->accessibleName());
  QToolButton* clip = check_button(tr("Clip"), tr("Cut a box out of the volume"));
  row->addWidget(cloud);
  row->addWidget(surface);
  row->addWidget(level, 1);
  row->addWidget(clip);
  column->addLayout(row);
  QWidget* clip_row = make_clip_row();
  clip_row->hide();
  column->addWidget(clip_row);

  connect(cloud, &QToolButton::clicked, &pane_, [this] { pane_.set_style(VolumeStyle::cloud); });
  connect(surface, &QToolButton::clicked, &pane_, [this] { pane_.set_style(VolumeStyle::surface); });
  connect(level, &QSlider::valueChanged, &pane_,
          [this](int value) { pane_.set_surface_at(static_cast<double>(value) / steps); });
  connect(clip, &QToolButton::toggled, clip_row, [this, clip_row](bool on) {
    clip_row->setVisible(on);
    pane_.set_handles(on ? VolumePane::Handles::shown : VolumePane::Handles::hidden);
    if (on) return;
    for (std::size_t i = 0; i < clip_.size(); ++i) clip_[i]->setValue(i % 2 == 0 ? 0 : steps);
  });
  const auto mirror = [this, cloud, surface, level] {
    const QSignalBlocker quiet(level);
    const bool is_surface = pane_.scene().style == VolumeStyle::surface;
    cloud->setChecked(!is_surface);
    surface->setChecked(is_surface);
    level->setEnabled(is_surface);
    level->setValue(qRound(pane_.scene().surface_at * steps));
    // Dragging handles in the picture moves the sliders.
    for (std::size_t i = 0; i < clip_.size(); ++i) {
      const QSignalBlocker still(clip_[i]);
      clip_[i]->setValue(qRound(pane_.scene().clip[i] * steps));
    }
  };
  connect(&pane_, &VolumePane::scene_changed, this, mirror);
  mirror();
}

QWidget* VolumeBar::make_clip_row() {
  auto* all = new QWidget;
  auto* row = new QHBoxLayout(all);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Theme::space(1));
  constexpr const char* axes[] = {"x", "y", "z"};
  for (std::size_t i = 0; i < clip_.size(); ++i) {
    const QString axis = QString::fromLatin1(axes[i / 2]);
    if (i % 2 == 0) row->addWidget(new QLabel(axis));
    clip_[i] = new QSlider(Qt::Horizontal);
    clip_[i]->setRange(0, steps);
    clip_[i]->setValue(i % 2 == 0 ? 0 : steps);
    clip_[i]->setAccessibleName(i % 2 == 0 ? tr("Keep from this %1").arg(axis) : tr("Keep up to this %1").arg(axis));
    clip_[i]->setToolTip(clip_[i]->accessibleName());
    connect(clip_[i], &QSlider::valueChanged, this, [this, i] { clip_moved(i); });
    row->addWidget(clip_[i], 1);
  }
  return all;
}

void VolumeBar::clip_moved(std::size_t which) {
  // Keeps low below high, since an empty box shows nothing.
  QSlider *low = clip_[which - which % 2], *high = clip_[which - which % 2 + 1];
  if (low->value() >= high->value()) {
    if (which % 2 == 0)
      high->setValue(low->value() + 1);
    else
      low->setValue(high->value() - 1);
  }
  std::array<double, 6> parts{};
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = static_cast<double>(clip_[i]->value()) / steps;
  pane_.set_clip(parts);
}

}  // namespace tl::ui
