// ViewsArea: arranges the panes of the window in two columns of two cells; a layout determines which are visible, their
// sizes, and their contents.
#include "widgets/views/views_area.h"

#include <QAction>
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QKeyEvent>
#include <QMessageBox>
#include <QSplitter>
#include <QStackedLayout>

#include "widgets/session/exports.h"
#include "widgets/session/missing_inputs.h"
#include "widgets/text/error_text.h"
#include "widgets/views/compare_area.h"
#include "widgets/views/panes/earlier_pictures.h"
#include "widgets/views/scene/volume_presets.h"
#include "widgets/views/session_source.h"
#include "widgets/views/state/painter.h"
#include "widgets/views/volume/volume_pane.h"

namespace tl::ui {
namespace {
constexpr int two_columns = 760;  // px, least width for two columns of panes
}  // namespace

ViewsArea::ViewsArea(LiveSession& session, Selection& selection, QWidget* parent)
    : QWidget(parent),
      source_(*new SessionSource(session, this)),
      state_(new ViewState(source_, this)),
      options_(session.options()) {
  connect(&selection, &Selection::changed, state_, [this, &selection] { state_->follow(selection.current()); });
  // Images and windows do not carry over to another pipeline, even if its nodes have the same names.
  connect(&session.document(), &Document::was_reset, this, [this] {
    state_->restart();
    switching_ = true;
    for (ViewCell* cell : cells_) {
      const PaneKind kind = cell->kind();
      if (auto* volume = qobject_cast<VolumePane*>(cell->pane())) {
        volume->forget_picture();  // restarting its thread would take longer than its next image
        continue;
      }
      cell->set_kind(kind == PaneKind::xy ? PaneKind::xz : PaneKind::xy);
      cell->set_kind(kind);
    }
    switching_ = false;
  });
  connect(&state_->painter(), &Painter::painted, this, [this, &selection](const QString& node) {
    // If the slices show neither the strokes nor the labels computed from them.
    if (state_->labels().node != node && state_->strokes().node != node) selection.set_one(node);
  });
  state_->follow(selection.current());
  build();
}
ViewsArea::ViewsArea(PictureSource& source, QWidget* parent)
    : QWidget(parent), source_(source), state_(new ViewState(source_, this)) {
  build();
}

ViewsArea::~ViewsArea() {
  // Panes use their source and state when destroyed, and the state its source; Qt would delete these first, as older
  // children of this object.
  delete compare_;
  delete across_;
  delete state_;
}

void ViewsArea::build() {
  earlier_ = new EarlierPictures(
      source_, [this] { return live_slice(); }, this);
  connect(state_, &ViewState::crosshair_changed, earlier_, &EarlierPictures::follow_slice);
  across_ = new QSplitter(Qt::Horizontal);
  left_ = new QSplitter(Qt::Vertical);
  right_ = new QSplitter(Qt::Vertical);
  make_actions();
  make_volume_actions();
  for (std::size_t i = 0; i < cells; ++i) {
    auto* cell = new ViewCell(source_, *state_, *earlier_, QStringLiteral("view%1").arg(i));
    cells_[i] = cell;
    cell->set_menu_actions(actions_);
    cell->set_volume_actions(volume_actions_);
    connect(cell, &ViewCell::fill_requested, this, [this, i] { fill(i); });
    connect(cell, &ViewCell::movie_wanted, this, [this] { Q_EMIT export_wanted(ViewExport::movie); });
    connect(cell, &ViewCell::activated, this, [this, i] {
      active_ = i;
      Q_EMIT active_changed();
    });
    connect(cell, &ViewCell::kind_changed, this, [this, i] {
      if (!switching_) remember_arrangement();
      if (auto* pane = cells_[i]->image_pane())
        connect(pane, &ImagePane::hovered, this, &ViewsArea::hovered, Qt::UniqueConnection);
      Q_EMIT panes_changed();
    });
    (i % 2 == 0 ? left_ : right_)->addWidget(cell);
  }
  for (QSplitter* splitter : {across_, left_, right_}) {
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(2);
  }
  across_->addWidget(left_);
  across_->addWidget(right_);
  pages_ = new QStackedLayout(this);
  pages_->addWidget(across_);
  connect(state_, &ViewState::outputs_changed, this, &ViewsArea::look_at_shape);
  for (auto signal : {&PictureSource::infos_changed, &PictureSource::graph_changed})
    connect(&source_, signal, this, &ViewsArea::look_at_shape);
  shape_ = data_shape(source_, state_->volume(), state_->projections()).value_or(shape_);
  arrange();
  look_at_shape();
}

void ViewsArea::set_layout(ViewsLayout layout) {
  if (layout == ViewsLayout::compare) {
    if (compare_ == nullptr) {
      compare_ = new CompareArea(source_, *state_, options_);
      pages_->addWidget(compare_);
      connect(compare_, &CompareArea::active_changed, this, &ViewsArea::active_changed);
    }
    layout_ = layout;
    pages_->setCurrentWidget(compare_);
    Q_EMIT panes_changed();
    return;
  }
  pages_->setCurrentWidget(across_);
  layout_ = layout;
  filled_.reset();
  arrange();
}

// Another scan may be so flat that half of the panes would be empty, or no longer flat.
void ViewsArea::look_at_shape() {
  const auto now = data_shape(source_, state_->volume(), state_->projections());
  const bool lacks_scan = !now && input_to_choose(source_.graph(), source_.registry()).has_value();
  const bool is_other_shape = now.value_or(shape_) != shape_;
  if (!is_other_shape && lacks_scan == lacks_scan_) return;
  lacks_scan_ = lacks_scan;
  shape_ = now.value_or(shape_);
  if (layout_ == ViewsLayout::compare) return;
  is_other_shape ? arrange() : show_cells();
}

void ViewsArea::arrange() {
  const Arrangement wanted = arrangements_.of(layout_, shape_);
  switching_ = true;
  for (std::size_t i = 0; i < cells; ++i) cells_[i]->set_kind(wanted.kinds[i]);
  switching_ = false;
  if (!wanted.shown[active_]) active_ = 0;
  show_cells();
  Q_EMIT panes_changed();
}

void ViewsArea::remember_arrangement() {
  if (layout_ == ViewsLayout::compare) return;
  Arrangement now = arrangements_.of(layout_, shape_);
  for (std::size_t i = 0; i < cells; ++i) now.kinds[i] = cells_[i]->kind();
  arrangements_.change(layout_, shape_, now);
  Q_EMIT arrangement_changed();
}

void ViewsArea::show_for_now(std::size_t index, PaneKind kind) {
  switching_ = true;
  cells_.at(index)->set_kind(kind);
  switching_ = false;
}

void ViewsArea::restore_arrangements(const QByteArray& text) {
  arrangements_.reset();
  arrangements_.read(text);
  if (layout_ != ViewsLayout::compare) arrange();
}

void ViewsArea::toggle_all_cells() {
  if (layout_ == ViewsLayout::compare) return;
  Arrangement now = arrangements_.of(layout_, shape_);
  const auto all = default_arrangement(ViewsLayout::see, DataShape::volume).shown;
  now.shown = now.shown == all ? default_arrangement(layout_, shape_).shown : all;
  arrangements_.change(layout_, shape_, now);
  filled_.reset();
  arrange();
  Q_EMIT arrangement_changed();
}

void ViewsArea::show_cells() {
  auto shown = arrangements_.of(layout_, shape_).shown;
  if (lacks_scan_) shown = {true, false, false, false};
  for (std::size_t i = 0; i < cells; ++i) cells_[i]->setVisible(filled_ ? *filled_ == i : shown[i]);
  left_->setVisible(filled_ ? *filled_ % 2 == 0 : shown[0] || shown[2]);
  right_->setVisible(filled_ ? *filled_ % 2 == 1 : !is_narrow_ && (shown[1] || shown[3]));
  constexpr int large = 575, half = 500, whole = 1000;
  const bool are_equal = layout_ == ViewsLayout::see && shown[2];
  const int first = are_equal ? half : large;
  across_->setSizes({first, whole - first});
  left_->setSizes({half, half});
  right_->setSizes({half, half});
}

void ViewsArea::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool is_narrow = width() < two_columns;
  if (is_narrow == is_narrow_) return;
  is_narrow_ = is_narrow;
  show_cells();
}

void ViewsArea::fill(std::size_t index) {
  if (filled_)
    filled_.reset();
  else
    filled_ = index;
  show_cells();
  cells_.at(index)->pane()->setFocus();
}

ImagePane* ViewsArea::active_pane() {
  if (layout_ == ViewsLayout::compare) return &compare_->active();
  return cells_.at(active_)->image_pane();
}

std::vector<ImagePane*> ViewsArea::visible_panes() {
  if (layout_ == ViewsLayout::compare) return {&compare_->left(), &compare_->right()};
  std::vector<ImagePane*> panes;
  for (ViewCell* cell : cells_)
    if (ImagePane* pane = cell->image_pane(); pane != nullptr && !cell->isHidden()) panes.push_back(pane);
  return panes;
}
ImagePane* ViewsArea::visible_pane(const QString& kind) {
  for (ImagePane* pane : visible_panes())
    if (pane->camera_slot() == kind) return pane;
  return nullptr;
}

QImage ViewsArea::exported(Annotation annotation) {
  if (const ImagePane* pane = active_pane()) return pane->exported(annotation);
  auto* volume = qobject_cast<VolumePane*>(active_cell().pane());
  return volume == nullptr ? QImage() : volume->exported(annotation);
}
Result<void> ViewsArea::export_png(const QString& path, Annotation annotation) {
  QBuffer png;
  if (!png.open(QIODevice::WriteOnly) || !exported(annotation).save(&png, "PNG"))
    return unavailable("there is no sharp image in this view yet", {}, "Wait for it, or choose another view");
  return write_export(path, png.data(), [this] { return source_.export_rules(); });
}

void ViewsArea::copy_to_clipboard() {
  if (const QImage image = exported(Annotation::annotated); !image.isNull()) QApplication::clipboard()->setImage(image);
}

// Replaces the live image by the one before the last step, or restores it.
void ViewsArea::toggle_before() {
  SlicePane* live = live_slice();
  if (live == nullptr) return;
  if (live->has_stand_in()) {
    live->set_stand_in(std::nullopt);
    return;
  }
  const auto& earlier = earlier_->shown();
  if (earlier && earlier->orientation == live->orientation()) live->set_stand_in(earlier->picture);
}

SlicePane* ViewsArea::live_slice() const {
  return cells_[0] == nullptr ? nullptr : qobject_cast<SlicePane*>(cells_[0]->pane());
}

QAction* ViewsArea::add_action(const QString& text, const QKeySequence& key, const std::function<void()>& act) {
  auto* action = new QAction(text, this);
  // Shown in menus and in the search; the focused pane handles the key itself, so that the canvas can use the same
  // letter for another action.
  action->setShortcut(key);
  action->setShortcutContext(Qt::WidgetShortcut);
  connect(action, &QAction::triggered, this, act);
  actions_.append(action);
  return action;
}

void ViewsArea::make_actions() {
  const auto on_pane = [this](auto act) {
    return [this, act] {
      if (ImagePane* pane = active_pane()) act(*pane);
    };
  };
  add_action(tr("Automatic window"), Qt::Key_A, on_pane([](ImagePane& p) { p.automatic_levels(); }));
  add_action(tr("Fit the image into the pane"), Qt::Key_F, on_pane([](ImagePane& p) { p.fit(); }));
  add_action(tr("Maximise this pane, or restore the views"), Qt::Key_Return, [this] { fill(active_); });
  add_action(tr("Paint labels"), Qt::Key_W, [this] { state_->painter().take_last(); });
  for (const PaintTool tool : {PaintTool::brush, PaintTool::ball, PaintTool::eraser, PaintTool::lasso, PaintTool::fill})
    add_action(tr("Paint labels: %1").arg(paint_tool_name(tool)), {}, [this, tool] { state_->painter().take(tool); });
  const auto tool = [&](const QString& text, Qt::Key key, MeasureKind kind) {
    add_action(text, key, on_pane([kind](ImagePane& p) {
                 p.set_tool(kind);
                 p.setFocus();
               }));
  };
  tool(tr("Draw a line profile"), Qt::Key_L, MeasureKind::profile);
  tool(tr("Statistics of a region"), Qt::Key_R, MeasureKind::region);
  tool(tr("Measure a distance"), Qt::Key_D, MeasureKind::distance);
  tool(tr("Measure an angle"), Qt::Key_G, MeasureKind::angle);
  tool(tr("Place a value probe"), Qt::Key_P, MeasureKind::probe);
  add_action(tr("Before / after"), Qt::Key_B, [this] { toggle_before(); });
  for (const ColorMap map : all_color_maps())
    add_action(tr("Colours: %1").arg(color_map_name(map)), {}, [this, map] { state_->set_color_map(map); });
  add_action(tr("Zoom together with views of the same kind, or alone"), Qt::Key_K, on_pane([](ImagePane& p) {
               p.set_linking(p.linking() == Linking::linked ? Linking::alone : Linking::linked);
             }));
  add_action(tr("Choose the colours"), Qt::Key_C, on_pane([](ImagePane& p) { p.choose_colors(); }));
  const auto labels = [this](const QString& text, const QKeySequence& key, LabelChange change) {
    add_action(text, key, [this, change] { state_->set_label_view(changed(state_->label_view(), change)); });
  };
  labels(tr("Show or hide labels"), Qt::Key_V, LabelChange::show_or_hide);
  labels(tr("Labels: filled, or their outlines"), Qt::SHIFT | Qt::Key_V, LabelChange::fill_or_outline);
  labels(tr("Labels: more opaque"), Qt::Key_Period, LabelChange::more_opaque);
  labels(tr("Labels: less opaque"), Qt::Key_Comma, LabelChange::less_opaque);
  QAction* pin = add_action(tr("Keep showing this node"), {}, [this] {
    if (state_->is_pinned())
      state_->unpin();
    else
      state_->pin();
  });
  pin->setCheckable(true);
  connect(state_, &ViewState::pinned_changed, pin, [this, pin] { pin->setChecked(state_->is_pinned()); });
  add_action(tr("Show all four panes, or only those that suit the data"), {}, [this] { toggle_all_cells(); });
  add_action(tr("Copy the view"), QKeySequence::Copy, [this] { copy_to_clipboard(); });
  add_action(tr("Export the view as PNG…"), Qt::Key_S, [this] { Q_EMIT export_wanted(ViewExport::annotated); });
  add_action(tr("Export the pixels as PNG…"), Qt::SHIFT | Qt::Key_S,
             [this] { Q_EMIT export_wanted(ViewExport::pixels); });
}

VolumePane* ViewsArea::visible_volume() {
  VolumePane* found = nullptr;
  const auto look_at = [&found](ViewCell& cell) {
    auto* pane = qobject_cast<VolumePane*>(cell.pane());
    if (found == nullptr && pane != nullptr && pane->isVisible()) found = pane;
  };
  look_at(active_cell());
  for (ViewCell* cell : cells_) look_at(*cell);
  return found;
}

void ViewsArea::on_volume(const std::function<void(VolumePane&)>& act) {
  if (VolumePane* pane = visible_volume()) return act(*pane);
  QMessageBox::information(this, tr("3D view"),
                           tr("No 3D view is open. Choose 3D in the menu of a pane, or the workspace See."));
}

void ViewsArea::make_volume_actions() {
  const auto add = [this](const QString& text, const QKeySequence& key, const std::function<void(VolumePane&)>& act) {
    auto* action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);  // the key is handled by the pane, as in add_action()
    connect(action, &QAction::triggered, this, [this, act] { on_volume(act); });
    volume_actions_.append(action);
  };
  add(tr("Save a movie of the 3D view…"), {}, [this](VolumePane&) { Q_EMIT export_wanted(ViewExport::movie); });
  add(tr("3D: cloud or surface"), Qt::Key_I, [](VolumePane& p) {
    p.set_style(p.scene().style == VolumeStyle::cloud ? VolumeStyle::surface : VolumeStyle::cloud);
  });
  add(tr("3D: automatic colours and opacity"), {}, [](VolumePane& p) { p.set_preset(automatic_tint); });
  add(tr("3D: colours of the window"), {}, [](VolumePane& p) { p.set_preset(window_tint); });
  for (const VolumePreset& preset : volume_presets())
    add(tr("3D: tint for %1").arg(preset.shown_title().toLower()), {},
        [id = QString::fromLatin1(preset.id)](VolumePane& p) { p.set_preset(id); });
  add(tr("3D: hide the slices"), {}, [](VolumePane& p) { p.set_slices(VolumeSlices::hidden); });
  add(tr("3D: frames of the slices"), {}, [](VolumePane& p) { p.set_slices(VolumeSlices::frames); });
  add(tr("3D: slices in place"), {}, [](VolumePane& p) { p.set_slices(VolumeSlices::pixels); });
  add(tr("3D: corner cut out at the slices"), {}, [](VolumePane& p) { p.set_slices(VolumeSlices::cut); });
  constexpr std::size_t x_side = 1, front = 2, top = 5;  // faces of the orientation cube
  add(tr("3D: look along x"), Qt::Key_X, [](VolumePane& p) { p.look_at_face(x_side); });
  add(tr("3D: look along y"), Qt::Key_Y, [](VolumePane& p) { p.look_at_face(front); });
  add(tr("3D: look along z"), Qt::Key_Z, [](VolumePane& p) { p.look_at_face(top); });
  add(tr("3D: first camera"), Qt::Key_F, [](VolumePane& p) { p.reset_camera(); });
}

// Keys that the panes do not handle themselves.
void ViewsArea::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copy_to_clipboard();
  const bool shifted = event->modifiers() == Qt::ShiftModifier;
  if (event->key() == Qt::Key_S && (shifted || event->modifiers() == Qt::NoModifier))
    return Q_EMIT export_wanted(shifted ? ViewExport::pixels : ViewExport::annotated);
  if (event->key() == Qt::Key_B && event->modifiers() == Qt::NoModifier) return toggle_before();
  if (event->key() == Qt::Key_M && event->modifiers() == Qt::NoModifier) return active_cell().open_menu();
  QWidget::keyPressEvent(event);
}

}  // namespace tl::ui
