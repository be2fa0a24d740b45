// Canvas: puts the node editor together, and turns signals of its view and actions into edits of the graph.
#include "widgets/canvas/canvas.h"

#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "widgets/canvas/shortcut_claim.h"
#include "widgets/canvas/walk.h"
#include "widgets/language/translated.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
constexpr double zoom_step = 1.25;
constexpr double min_zoom = 0.7;  // smallest zoom of a view that follows the pipeline: text is then 9 px high
constexpr QPointF grip(94, 16);   // the point of a new card that is placed under the mouse: the middle of its title
}  // namespace

Canvas::Canvas(LiveSession& session, Selection& selection, QWidget* parent)
    : QWidget(parent),
      session_(session),
      editor_(session.document(), selection),
      actions_(editor_, session),
      scene_(new CanvasScene(editor_, session, this)),
      view_(new CanvasView(*scene_, this)),
      minimap_(new Minimap(*scene_, *view_, this)),
      palette_(new Palette(this)),
      inline_(new InlineEditor(view_->viewport())),
      notice_(new HintLabel(this)),
      empty_hint_(new EmptyHint(view_->viewport())) {
  auto* box = framed(new QVBoxLayout(this));
  box->addWidget(view_);
  setFocusProxy(view_);
  minimap_->raise();
  known_ = scene_->node_ids();
  empty_hint_->setVisible(scene_->nodes().isEmpty());
  connect(scene_, &CanvasScene::synced, empty_hint_, [this] { empty_hint_->setVisible(scene_->nodes().isEmpty()); });
  connect(empty_hint_, &EmptyHint::node_wanted, this, [this] { open_palette(view_->mouse_in_scene()); });
  connect(empty_hint_, &EmptyHint::template_wanted, this, &Canvas::template_wanted);
  actions_.add_to(*this);
  new ShortcutClaim(*view_, actions_.all());
  connect_view();
  connect_actions();
  connect(&editor_, &GraphEditor::refused, this, [this](const QString& why) {
    notice_->show_notice(why, HintLabel::Tone::refusal);
    Q_EMIT refused(why);
  });
  connect(inline_, &InlineEditor::complaint, this,
          [this](const QString& why) { notice_->show_notice(why, HintLabel::Tone::refusal); });
  connect(inline_, &InlineEditor::closed, view_, [this] { view_->setFocus(); });
  view_->viewport()->installEventFilter(this);
  connect(&session.document(), &Document::was_reset, this, [this] { opened_ = true; });
  connect(&session.document(), &Document::graph_changed, this, &Canvas::follow_edit);
}
Canvas::~Canvas() = default;

void Canvas::connect_view() {
  connect(view_, &CanvasView::palette_wanted, this, &Canvas::open_palette);
  connect(view_, &CanvasView::link_dropped, this, &Canvas::link_dropped);
  connect(view_, &CanvasView::link_opened, this, &Canvas::palette_for);
  connect(view_, &CanvasView::title_edit_wanted, this, &Canvas::edit_title);
  connect(view_, &CanvasView::row_edit_wanted, this, &Canvas::edit_row);
  connect(view_, &CanvasView::row_clicked, this, &Canvas::row_clicked);
  connect(view_, &CanvasView::moved_by_hand, this, [this] { follow_ = Follow::hand; });
  connect(view_, &CanvasView::comment_edit_wanted, this, &Canvas::edit_comment);
  connect(view_, &CanvasView::form_wanted, this, &Canvas::form_wanted);
  connect(view_, &CanvasView::node_dropped, this, &Canvas::add_at);
  connect(view_, &CanvasView::walk_wanted, this, &Canvas::walk);
  connect(view_, &CanvasView::menu_wanted, this, &Canvas::show_menu);
  connect(view_, &CanvasView::stop_wanted, this, [this] {
    session_.stop();
    Q_EMIT stop_wanted();
  });
}

void Canvas::connect_actions() {
  const auto on = [this](QAction* action, auto f) { connect(action, &QAction::triggered, this, f); };
  on(actions_.palette, [this] { open_palette_after_current(); });
  on(actions_.remove, [this] { remove(edit::Gap::open); });
  on(actions_.remove_reconnect, [this] { remove(edit::Gap::reconnect); });
  on(actions_.paste, [this] { editor_.paste(edit::Incoming::dropped, view_->mouse_in_scene()); });
  on(actions_.paste_linked, [this] { editor_.paste(edit::Incoming::kept, view_->mouse_in_scene()); });
  on(actions_.frame, [this] { edit_comment(static_cast<int>(editor_.add_frame())); });
  on(actions_.rename, [this] {
    if (scene_->chosen_frame())
      edit_comment(static_cast<int>(*scene_->chosen_frame()));
    else
      edit_title(editor_.selection().current());
  });
  on(actions_.fit_selection, [this] { fit_selection(); });
  on(actions_.fit_all, [this] { fit_all(); });
  on(actions_.zoom_in, [this] { zoom_by_hand(zoom_step); });
  on(actions_.zoom_out, [this] { zoom_by_hand(1 / zoom_step); });
  on(actions_.snap, [this] { view_->set_snap(actions_.snap->isChecked() ? Snap::grid : Snap::free); });
  on(actions_.minimap,
     [this] { minimap_->set_wanted(actions_.minimap->isChecked() ? Minimap::Wanted::yes : Minimap::Wanted::no); });
  on(actions_.open_form, [this] { Q_EMIT form_wanted(editor_.selection().current()); });
}

QPoint Canvas::global(const QPointF& scene) const { return view_->viewport()->mapToGlobal(view_->mapFromScene(scene)); }
QRect Canvas::on_view(const NodeItem& item, const QRectF& area) const {
  return view_->mapFromScene(item.mapRectToScene(area)).boundingRect();
}

void Canvas::fit_all() {
  follow_ = Follow::everything;
  if (!scene_->nodes().isEmpty()) view_->show_area(scene_->all_cards());
}
void Canvas::refit() {
  follow_ = Follow::everything;
  fit_if_followed();
}
void Canvas::fit_selection() {
  follow_ = Follow::hand;
  const QRectF area = scene_->cards(editor_.selection().nodes());
  view_->show_area(area.isEmpty() ? scene_->all_cards() : area);
}
void Canvas::zoom_by_hand(double factor) {
  follow_ = Follow::hand;
  view_->zoom_by(factor, view_->viewport()->rect().center());
}

// Fits the whole pipeline, but not below the smallest readable zoom: then the current card is shown, or the first.
void Canvas::fit_if_followed() {
  if (follow_ != Follow::everything || scene_->nodes().isEmpty()) return;
  view_->show_area(scene_->all_cards(), min_zoom);
  const QString current = editor_.selection().current();
  reveal(current.isEmpty() ? next_card(*scene_, {}, Qt::Key_Right) : current);
}

// After an edit the view shows new cards: all cards while it follows the pipeline; otherwise it scrolls no more than
// needed.
void Canvas::follow_edit() {
  const QSet<QString> before = std::exchange(known_, scene_->node_ids());
  if (std::exchange(opened_, false)) {
    return refit();
  }
  QRectF fresh;
  for (const QString& id : known_)
    if (!before.contains(id)) fresh |= scene_->node(id)->scene_rect();
  if (fresh.isEmpty()) return;
  // An inserted card also moves other cards.
  const QRectF wanted = follow_ == Follow::everything ? scene_->all_cards() : fresh;
  if (view_->shown_area().contains(wanted)) return;
  fit_if_followed();
  if (!view_->shown_area().contains(fresh)) view_->ensureVisible(fresh, 40, 40);
}
// If a card is higher than the view, its title is shown.
void Canvas::reveal(const QString& node) {
  const NodeItem* item = scene_->node(node);
  if (item == nullptr) return;
  constexpr int margin = 40;
  const QRectF card = item->scene_rect();
  const double spare = view_->viewport()->height() - card.height() * view_->transform().m22();
  view_->ensureVisible(card, margin, std::clamp(static_cast<int>(spare / 2), 0, margin));
  if (spare < 0) view_->ensureVisible(QRectF(card.topLeft(), QSizeF(card.width(), 1)), margin, 0);
}

void Canvas::add_here(const QString& type) {
  const QString current = editor_.selection().current();
  const QPointF middle = view_->mapToScene(view_->viewport()->rect().center()) - grip;
  const QString id = current.isEmpty() ? editor_.add(type, middle) : editor_.add_after(type, current);
  if (!id.isEmpty()) remember_node(type);
}

// A node dropped on a link is inserted into it if it fits.
void Canvas::add_at(const QString& type, const QPointF& at) {
  remember_node(type);
  if (const LinkItem* below = scene_->link_at(at)) {
    Graph trial = editor_.document().graph();
    const auto id = edit::add_node(trial, editor_.document().registry(), type.toStdString());
    if (id.ok() && edit::insert_on_link(trial, editor_.document().registry(), id.value(), below->link()).ok()) {
      const Link link = below->link();
      editor_.add(type, at - grip, {}, link);
      return;
    }
  }
  editor_.add(type, at - grip);
}

void Canvas::open_palette(const QPointF& at) {
  palette_->open(global(at), tr("Add a node: type its name"), node_entries(editor_.document().registry()),
                 [this, at](const QString& type) { add_at(type, at + grip); });
}

// Tab: after the current node, whose row of cards makes room; without one, at the mouse position.
void Canvas::open_palette_after_current() {
  const QString current = editor_.selection().current();
  const NodeItem* item = scene_->node(current);
  if (item == nullptr) return open_palette(view_->mouse_in_scene());
  reveal(current);
  palette_->open(global(item->scene_rect().topRight()), tr("Add a node after %1").arg(editor_.title(current)),
                 node_entries_after(editor_.document().graph(), editor_.document().registry(), current.toStdString()),
                 [this, current](const QString& type) {
                   remember_node(type);
                   editor_.add_after(type, current);
                 });
}

void Canvas::palette_for(const Link& link, const QPointF& at) {
  const Registry& registry = editor_.document().registry();
  std::vector<edit::FittingPort> fits;
  for (const NodeType& type : registry.types()) {
    Graph trial = editor_.document().graph();
    const auto id = edit::add_node(trial, registry, type.id);
    if (id.ok() && edit::insert_on_link(trial, registry, id.value(), link).ok()) fits.push_back({type.id, {}});
  }
  palette_->open(global(at), tr("Insert a node here"), node_entries(registry, fits),
                 [this, at, link](const QString& type) {
                   remember_node(type);
                   editor_.add(type, at - grip, {}, link);
                 });
}

void Canvas::link_dropped(const LinkDrag::Drop& drop, const QPointF& at) {
  if (drop.kind == LinkDrag::Drop::Kind::choose) return choose_parameter(drop, at);
  if (drop.picked) return editor_.unlink(*drop.picked);
  const Registry& registry = editor_.document().registry();
  const bool forward = drop.end.side == LinkEnd::Side::output;
  const auto fits =
      forward ? edit::fitting_ports_after(registry, drop.type) : edit::fitting_ports_before(registry, drop.type);
  const QPointF corner = forward ? at - QPointF(0, 50) : at - QPointF(card_size::width, 50);
  palette_->open(global(at), forward ? tr("Add a node after this output") : tr("Add a node before this input"),
                 node_entries(registry, fits), [this, corner, end = drop.end](const QString& type) {
                   remember_node(type);
                   editor_.add(type, corner, end);
                 });
}

// A scalar link was dropped on a card: asks which of its numbers the link should drive.
void Canvas::choose_parameter(const LinkDrag::Drop& drop, const QPointF& at) {
  const NodeType* type =
      editor_.document().registry().find(editor_.document().graph().nodes.at(drop.node.toStdString()).type);
  std::vector<PaletteEntry> entries;
  for (const std::string& name : drop.inputs) {
    const ParamDecl* decl = type->param(name);
    PaletteEntry entry{
        QString::fromStdString(name), QString::fromStdString(name), editor_.title(drop.node), {}, {}, {}};
    if (decl != nullptr)
      entry.title = decl->title.empty() ? QString::fromStdString(decl->name) : translated(decl->title);
    if (decl != nullptr) entry.summary = translated(decl->help);
    entries.push_back(std::move(entry));
  }
  palette_->open(
      global(at), tr("Which parameter should the link drive?"), std::move(entries), [this, drop](const QString& name) {
        editor_.link(
            {drop.end.node.toStdString(), drop.end.port.toStdString(), drop.node.toStdString(), name.toStdString()},
            drop.picked);
      });
}

void Canvas::walk(int key) {
  const QString next = next_card(*scene_, editor_.selection().current(), key);
  if (next.isEmpty()) return;
  editor_.selection().set_one(next);
  reveal(next);
}

void Canvas::remove(edit::Gap gap) {
  if (const LinkItem* link = scene_->chosen_link())
    editor_.unlink(Link(link->link()));
  else if (scene_->chosen_frame())
    editor_.remove_frame(*scene_->chosen_frame());
  else
    editor_.remove(gap);
}

void Canvas::show_menu(const QPoint& at, const QPointF& scene_at) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(actions_.palette->text(), this, [this, scene_at] { open_palette(scene_at); })
      ->setShortcut(actions_.palette->shortcut());
  menu->addSeparator();
  menu->addActions({actions_.open_form, actions_.run_to, actions_.rename, actions_.collapse});
  menu->addSeparator();
  menu->addActions({actions_.bypass, actions_.mute});
  menu->addSeparator();
  menu->addActions({actions_.pin, actions_.free_node});
  menu->addSeparator();
  menu->addActions({actions_.cut, actions_.copy, actions_.paste, actions_.paste_linked, actions_.duplicate});
  menu->addActions({actions_.remove, actions_.remove_reconnect});
  menu->addSeparator();
  menu->addAction(actions_.frame);
  QMenu* align = menu->addMenu(tr("Align"));
  align->addActions({actions_.align_left, actions_.align_centre, actions_.align_right, actions_.align_top,
                     actions_.align_middle, actions_.align_bottom, actions_.spread_across, actions_.spread_down});
  menu->addActions({actions_.arrange, actions_.select_all});
  menu->addSeparator();
  menu->addActions({actions_.fit_selection, actions_.fit_all, actions_.snap, actions_.minimap});
  menu->addActions(actions_.switches);
  menu->addActions({actions_.undo, actions_.redo});
  menu->popup(at);
}

bool Canvas::eventFilter(QObject* watched, QEvent* event) {
  // The viewport gets its final size only when it is shown; before that there was no area to fit to. While a card is
  // dragged, it must stay under the mouse.
  if (event->type() == QEvent::Resize && !view_->is_dragging()) fit_if_followed();
  return QWidget::eventFilter(watched, event);
}

void Canvas::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  minimap_->update_position();
  empty_hint_->update_position();
}

}  // namespace tl::ui
