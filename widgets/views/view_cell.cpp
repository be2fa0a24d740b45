// ViewCell: holds a pane of a selectable kind, and the button over its corner that opens the menu.
#include "widgets/views/view_cell.h"

#include <QEvent>
#include <QMenu>
#include <QVBoxLayout>

#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"
#include "widgets/views/corner_button.h"
#include "widgets/views/panes/before_pane.h"
#include "widgets/views/panes/projection_pane.h"
#include "widgets/views/panes/sinogram_pane.h"
#include "widgets/views/panes/slice_pane.h"
#include "widgets/views/projection_bar.h"
#include "widgets/views/volume/volume_bar.h"
#include "widgets/views/volume/volume_pane.h"

namespace tl::ui {

const std::vector<PaneKind>& all_pane_kinds() {
  static const std::vector<PaneKind> all{PaneKind::xy,          PaneKind::xz,       PaneKind::yz,     PaneKind::oblique,
                                         PaneKind::projections, PaneKind::sinogram, PaneKind::before, PaneKind::volume};
  return all;
}

QString pane_kind_name(PaneKind kind) {
  switch (kind) {
    case PaneKind::xy: return QStringLiteral("XY");
    case PaneKind::xz: return QStringLiteral("XZ");
    case PaneKind::yz: return QStringLiteral("YZ");
    case PaneKind::oblique: return ViewCell::tr("Oblique");
    case PaneKind::projections: return ViewCell::tr("Projections");
    case PaneKind::sinogram: return ViewCell::tr("Sinogram");
    case PaneKind::before: return ViewCell::tr("Before");
    case PaneKind::volume: return ViewCell::tr("3D");
  }
  return {};
}

ViewCell::ViewCell(PictureSource& source, ViewState& state, const EarlierPictures& earlier, const QString& name,
                   QWidget* parent)
    : QWidget(parent),
      source_(source),
      state_(state),
      earlier_(earlier),
      name_(name),
      button_(new CornerButton(this)),
      column_(new QVBoxLayout(this)) {
  spaced(column_, 0);
  connect(button_, &CornerButton::clicked, this, &ViewCell::open_menu);
}

ImagePane* ViewCell::image_pane() const { return qobject_cast<ImagePane*>(pane_); }

QWidget* ViewCell::make_pane(PaneKind kind) {
  const QString view = name_ + QLatin1Char('.') + QString::number(static_cast<int>(kind));
  switch (kind) {
    case PaneKind::xy: return new SlicePane(source_, state_, view, Orientation::xy);
    case PaneKind::xz: return new SlicePane(source_, state_, view, Orientation::xz);
    case PaneKind::yz: return new SlicePane(source_, state_, view, Orientation::yz);
    case PaneKind::oblique: return new SlicePane(source_, state_, view, Orientation::oblique);
    case PaneKind::projections: return new ProjectionPane(source_, state_, view);
    case PaneKind::sinogram: return new SinogramPane(source_, state_, view);
    case PaneKind::before: return new BeforePane(source_, state_, view, earlier_);
    case PaneKind::volume: return new VolumePane(source_, state_, view);
  }
  return nullptr;
}

void ViewCell::set_kind(PaneKind kind) {
  if (pane_ != nullptr && kind == kind_) return;
  const bool had_focus = pane_ != nullptr && pane_->hasFocus();
  delete bar_;
  delete pane_;
  bar_ = nullptr;
  kind_ = kind;
  pane_ = make_pane(kind);
  column_->addWidget(pane_, 1);
  pane_->installEventFilter(this);
  if (auto* image = image_pane()) {
    connect(image, &ImagePane::fill_requested, this, &ViewCell::fill_requested);
    connect(image, &ImagePane::picture_shown, this, &ViewCell::name_tip);
  }
  if (auto* projections = qobject_cast<ProjectionPane*>(pane_)) {
    bar_ = new ProjectionBar(*projections);
    column_->addWidget(bar_);
  }
  if (auto* volume = qobject_cast<VolumePane*>(pane_)) {
    connect(volume, &VolumePane::fill_requested, this, &ViewCell::fill_requested);
    connect(volume, &VolumePane::movie_wanted, this, &ViewCell::movie_wanted);
    bar_ = new VolumeBar(*volume);
    column_->addWidget(bar_);
  }
  if (auto* slice = qobject_cast<SlicePane*>(pane_))
    connect(slice, &SlicePane::orientation_changed, this, [this, slice] {
      constexpr PaneKind kinds[] = {PaneKind::xy, PaneKind::xz, PaneKind::yz, PaneKind::oblique};
      if (kind_ != PaneKind::before) kind_ = kinds[static_cast<int>(slice->orientation())];
      name_button();
      Q_EMIT kind_changed();
    });
  name_button();
  if (had_focus) pane_->setFocus();
  Q_EMIT kind_changed();
}

void ViewCell::name_button() {
  const QString name = pane_kind_name(kind_);
  button_->setText(name);
  button_->setAccessibleName(tr("Menu of the pane: %1").arg(name));
  name_tip();
  button_->adjustSize();
  button_->move(6, 6);
  button_->raise();
  const int indent = button_->geometry().right() + 1 + 2 * Theme::space(1);
  if (auto* image = image_pane()) image->set_caption_indent(indent);
  if (auto* volume = qobject_cast<VolumePane*>(pane_)) volume->set_caption_indent(indent);
}

void ViewCell::name_tip() {
  const ImagePane* image = image_pane();
  QString tip = tr("Choose what this pane shows (M)");
  if (const QString timing = image == nullptr ? QString() : image->timing_text(); !timing.isEmpty())
    tip += QLatin1Char('\n') + timing;
  button_->setToolTip(tip);
}

void ViewCell::open_menu() {
  QMenu menu(this);
  for (const PaneKind kind : all_pane_kinds()) {
    QAction* action = menu.addAction(pane_kind_name(kind), this, [this, kind] { set_kind(kind); });
    action->setCheckable(true);
    action->setChecked(kind == kind_);
  }
  menu.addSeparator();
  if (kind_ == PaneKind::volume) menu.addMenu(tr("3D view"))->addActions(volume_actions_);
  menu.addActions(menu_actions_);
  menu.exec(button_->mapToGlobal(QPoint(0, button_->height())));
}

void ViewCell::resizeEvent(QResizeEvent*) { button_->raise(); }

bool ViewCell::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusIn) Q_EMIT activated();
  return QWidget::eventFilter(watched, event);
}

}  // namespace tl::ui
