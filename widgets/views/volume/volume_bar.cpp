// VolumeBar: shows and changes the settings of the 3D view: cloud or surface, its value, the clipping box.
#include "widgets/views/volume/volume_bar.h"

#include <QAbstractItemView>
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/text/entry_line.h"
#include "widgets/text/quantity_text.h"
#include "widgets/theme/glyphs.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"
#include "widgets/views/scene/volume_presets.h"
#include "widgets/views/volume/overflow_row.h"
#include "widgets/views/volume/range_slider.h"
#include "widgets/views/volume/volume_pane.h"

namespace tl::ui {
namespace {

constexpr int steps = 200;
constexpr int value_width = 132;  // px

QToolButton* check_button(const QString& text, const QString& tip) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setCheckable(true);
  button->setProperty("role", "tab");
  return button;
}

struct SlicesChoice {
  VolumeSlices slices;
  const char* title;
};
constexpr std::array<SlicesChoice, 4> slices_choices{{
    {VolumeSlices::hidden, QT_TRANSLATE_NOOP("tl::ui::VolumeBar", "No slices")},
    {VolumeSlices::frames, QT_TRANSLATE_NOOP("tl::ui::VolumeBar", "Frames of the slices")},
    {VolumeSlices::pixels, QT_TRANSLATE_NOOP("tl::ui::VolumeBar", "Slices in place")},
    {VolumeSlices::cut, QT_TRANSLATE_NOOP("tl::ui::VolumeBar", "Corner cut out at the slices")},
}};

QHBoxLayout* make_row(QWidget& widget) {
  auto* row = spaced(new QHBoxLayout(&widget), 1);
  return row;
}

}  // namespace

VolumeBar::VolumeBar(VolumePane& pane, QWidget* parent) : QWidget(parent), pane_(pane) {
  auto* column = spaced(new QVBoxLayout(this), 1, {2, 1, 2, 1});
  column->addWidget(make_main_row());
  surface_row_ = make_surface_row();
  column->addWidget(surface_row_);
  clip_row_ = make_clip_row();
  clip_row_->hide();
  column->addWidget(clip_row_);
  connect(clip_, &QToolButton::toggled, clip_row_, [this](bool on) {
    clip_row_->setVisible(on);
    pane_.set_handles(on ? VolumePane::Handles::shown : VolumePane::Handles::hidden);
    if (!on) pane_.set_clip(whole_box);
  });
  connect(&pane_, &VolumePane::scene_changed, this, &VolumeBar::show_scene);
  show_scene();
}

QWidget* VolumeBar::make_main_row() {
  auto* row = new OverflowRow(tr("More of the 3D view"));
  const auto add_button = [row](QToolButton& button) {
    row->add(button, [&button](QMenu& menu) {
      QAction* action = menu.addAction(button.text(), &button, &QToolButton::click);
      action->setCheckable(button.isCheckable());
      action->setChecked(button.isChecked());
    });
  };
  cloud_ = check_button(tr("Cloud"), tr("Semi-transparent volume rendering (I)"));
  surface_ = check_button(tr("Surface"), tr("Show the surface of one value (I)"));
  auto* styles = new QButtonGroup(this);
  styles->addButton(cloud_);
  styles->addButton(surface_);
  make_preset();
  slices_ = make_slices_button();
  clip_ = check_button(tr("Clip"), tr("Cut a box out of the volume"));
  auto* movie = new QToolButton;
  movie->setText(tr("Movie…"));
  movie->setToolTip(tr("Save a turntable or a flight through the slices"));
  movie->setAccessibleName(movie->toolTip());
  movie->setProperty("role", "tab");
  connect(movie, &QToolButton::clicked, &pane_, &VolumePane::movie_wanted);
  add_button(*cloud_);
  add_button(*surface_);
  row->add(*preset_, [this](QMenu& menu) { add_presets(*menu.addMenu(tr("Tint"))); });
  row->add(*slices_, [this](QMenu& menu) { add_slices(*menu.addMenu(slices_->text())); });
  classes_ = check_button(tr("Surfaces"), tr("Show the surfaces of the classes of the labels on screen (V)"));
  connect(classes_, &QToolButton::clicked, &pane_,
          [this](bool on) { pane_.set_class_surfaces(on ? ClassesIn3D::shown : ClassesIn3D::hidden); });
  add_button(*classes_);
  add_button(*clip_);
  add_button(*movie);
  connect(cloud_, &QToolButton::clicked, &pane_, [this] { pane_.set_style(VolumeStyle::cloud); });
  connect(surface_, &QToolButton::clicked, &pane_, [this] { pane_.set_style(VolumeStyle::surface); });
  return row;
}

void VolumeBar::make_preset() {
  preset_ = new QComboBox;
  preset_->setAccessibleName(tr("Colours and opacity of the 3D view"));
  preset_->view()->setAccessibleName(preset_->accessibleName());
  preset_->setToolTip(
      tr("Colours and opacity: chosen from the values of the object, those set in the histogram, or a tint by material "
         "(T)"));
  const auto add = [this](const QString& title, const QString& id, const QString& help) {
    preset_->addItem(title, id);
    preset_->setItemData(preset_->count() - 1, help, Qt::ToolTipRole);
  };
  add(tr("Automatic"), automatic_tint,
      tr("All values of the object: the frequent ones translucent, rare and dense ones opaque"));
  add(tr("Window"), window_tint, tr("Colour map and window of the slices; opacity from the histogram"));
  for (const VolumePreset& p : volume_presets()) add(p.shown_title(), QString::fromLatin1(p.id), p.shown_help());
  preset_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(preset_, &QComboBox::activated, &pane_, [this] { pane_.set_preset(preset_->currentData().toString()); });
}

void VolumeBar::add_presets(QMenu& menu) {
  for (int i = 0; i < preset_->count(); ++i) {
    QAction* action = menu.addAction(preset_->itemText(i), &pane_,
                                     [this, id = preset_->itemData(i).toString()] { pane_.set_preset(id); });
    action->setCheckable(true);
    action->setChecked(i == preset_->currentIndex());
  }
}

void VolumeBar::add_slices(QMenu& menu) {
  for (const SlicesChoice& choice : slices_choices) {
    QAction* action = menu.addAction(tr(choice.title), &pane_, [this, choice] { pane_.set_slices(choice.slices); });
    action->setCheckable(true);
    action->setChecked(choice.slices == pane_.scene().slices);
  }
}

QToolButton* VolumeBar::make_slices_button() {
  auto* button = check_button(tr("Slices"), tr("Show the slices of the other panes in the volume (L)"));
  button->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(button);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] {
    menu->clear();
    add_slices(*menu);
  });
  connect(menu, &QMenu::aboutToHide, this, &VolumeBar::show_scene);
  button->setMenu(menu);
  return button;
}

QWidget* VolumeBar::make_surface_row() {
  auto* all = new QWidget;
  QHBoxLayout* row = make_row(*all);
  level_ = new QSlider(Qt::Horizontal);
  level_->setRange(0, steps);
  level_->setAccessibleName(tr("Value of the surface, from the smallest to the largest value"));
  level_->setToolTip(level_->accessibleName());
  value_ = new EntryLine;
  value_->setAccessibleName(tr("Value of the surface"));
  value_->setToolTip(tr("Value of the surface; initially the lowest value of the object above the background"));
  value_->setFixedWidth(value_width);
  row->addWidget(new QLabel(tr("Value")));
  row->addWidget(level_, 1);
  row->addWidget(value_);
  connect(level_, &QSlider::valueChanged, &pane_, [this](int value) {
    const auto range = pane_.value_range();
    if (range) pane_.set_surface_value(range->low + (range->high - range->low) * value / steps);
  });
  connect(value_, &EntryLine::committed, this, &VolumeBar::take_value);
  connect(value_, &EntryLine::editing_cancelled, this, &VolumeBar::show_scene);
  connect(value_, &EntryLine::stepped, this, [this](int by) { level_->setValue(level_->value() + by); });
  return all;
}

void VolumeBar::take_value(const QString& text) {
  bool is_number = false;
  const double value =
      QLocale::c().toDouble(QString(text).replace(QChar(0x2212), QLatin1Char('-')).trimmed(), &is_number);
  const auto range = pane_.value_range();
  if (is_number && range && value >= range->low && value <= range->high) {
    value_->show_validity(Validity::valid);
    pane_.set_surface_value(value);
    return;
  }
  value_->show_validity(Validity::invalid);
  if (range)
    value_->setToolTip(tr("A number from %1 to %2 is needed").arg(brief_number(range->low), brief_number(range->high)));
}

QWidget* VolumeBar::make_clip_row() {
  auto* all = new QWidget;
  QHBoxLayout* row = make_row(*all);
  constexpr const char* axes[] = {"x", "y", "z"};
  for (std::size_t a = 0; a < ranges_.size(); ++a) {
    const QString axis = QString::fromLatin1(axes[a]);
    row->addWidget(new QLabel(axis));
    ranges_.at(a) = new RangeSlider(tr("Keep from this %1").arg(axis), tr("Keep up to this %1").arg(axis));
    row->addWidget(ranges_.at(a), 1);
    connect(ranges_.at(a), &RangeSlider::moved, &pane_, [this, a] {
      std::array<double, 6> parts = pane_.scene().clip;
      parts.at(2 * a) = ranges_.at(a)->low();
      parts.at(2 * a + 1) = ranges_.at(a)->high();
      pane_.set_clip(parts);
    });
  }
  return all;
}

void VolumeBar::show_scene() {
  const VolumeScene& scene = pane_.scene();
  const bool is_surface = scene.style == VolumeStyle::surface;
  cloud_->setChecked(!is_surface);
  surface_->setChecked(is_surface);
  surface_row_->setVisible(is_surface);
  preset_->setCurrentIndex(std::max(0, preset_->findData(pane_.preset())));
  classes_->setChecked(pane_.shows_class_surfaces());
  classes_->setEnabled(pane_.has_labels());
  slices_->setChecked(scene.slices != VolumeSlices::hidden);
  if (scene.clip != whole_box) clip_->setChecked(true);
  const auto range = pane_.value_range();
  const auto value = pane_.surface_value();
  level_->setEnabled(range.has_value());
  value_->setEnabled(range.has_value());
  if (range && value) {
    const QSignalBlocker quiet(level_);
    level_->setValue(qRound((*value - range->low) / (range->high - range->low) * steps));
    value_->set_suffix(pane_.unit_text());
    value_->show_validity(Validity::valid);
    value_->show_text(brief_number(*value), number_text(*value));
  }
  // Dragging handles in the image moves the sliders.
  for (std::size_t a = 0; a < ranges_.size(); ++a) ranges_.at(a)->set(scene.clip.at(2 * a), scene.clip.at(2 * a + 1));
}

}  // namespace tl::ui
