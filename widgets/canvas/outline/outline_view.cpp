// OutlineView: edits the pipeline as a list, by keys and palettes, and shares the selection with the canvas.
#include "widgets/canvas/outline/outline_view.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <algorithm>

#include "widgets/canvas/outline/outline_delegate.h"
#include "widgets/canvas/shortcut_claim.h"
#include "widgets/theme/keys_follow_mouse.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

// One entry for each input or drivable parameter to which an output of the node fits.
std::vector<PaletteEntry> targets(GraphEditor& editor, const QString& from) {
  const Graph& graph = editor.document().graph();
  const Registry& registry = editor.document().registry();
  const NodeType* type = registry.find(graph.nodes.at(from.toStdString()).type);
  std::vector<PaletteEntry> entries;
  if (type == nullptr) return entries;
  for (const PortDecl& output : type->outputs)
    for (const auto& [id, node] : graph.nodes)
      for (const std::string& name : edit::fitting_inputs(graph, registry, from.toStdString(), output.name, id)) {
        const QString key = QString::fromStdString(output.name + ">" + id + "." + name);
        PaletteEntry entry{key, editor.title(QString::fromStdString(id)), QString::fromStdString(name), {}, {}, {}};
        entry.summary = QObject::tr("%1 to %2").arg(QString::fromStdString(output.name), QString::fromStdString(name));
        entries.push_back(std::move(entry));
      }
  return entries;
}

// One entry for each output that fits the input.
std::vector<PaletteEntry> sources(GraphEditor& editor, const QString& to, const QString& port) {
  const Graph& graph = editor.document().graph();
  std::vector<PaletteEntry> entries;
  for (const auto& [id, node] : graph.nodes)
    for (const std::string& name :
         edit::fitting_outputs(graph, editor.document().registry(), id, to.toStdString(), port.toStdString()))
      entries.push_back({QString::fromStdString(id + "." + name),
                         editor.title(QString::fromStdString(id)),
                         QString::fromStdString(name),
                         {},
                         {},
                         {}});
  return entries;
}

}  // namespace

OutlineView::OutlineView(Canvas& canvas, LiveSession& session, QWidget* parent)
    : QTreeView(parent), canvas_(canvas), editor_(canvas.editor()), model_(editor_, session), palette_(this) {
  setModel(&model_);
  setItemDelegate(new OutlineDelegate(this));
  setAccessibleName(tr("Outline of the pipeline"));
  setHeaderHidden(true);
  setFrameShape(QFrame::NoFrame);
  setUniformRowHeights(false);
  setSelectionMode(ExtendedSelection);
  setEditTriggers(EditKeyPressed);
  setAllColumnsShowFocus(true);
  // A node chosen here is shown in a view, whose keys act on the view under the mouse.
  viewport()->setMouseTracking(true);
  let_keys_follow_mouse(*this, *viewport());
  setIndentation(Theme::space(3));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  header()->setSectionResizeMode(QHeaderView::Fixed);
  header()->setStretchLastSection(false);
  add_after_ = new QAction(tr("Add after…"), this);
  add_after_->setShortcuts({Qt::Key_Insert, Qt::Key_Tab});
  connect_ = new QAction(tr("Connect to…"), this);
  connect_->setShortcut(Qt::CTRL | Qt::Key_L);
  set_synonyms(*add_after_, {tr("insert a node"), tr("append")});
  set_synonyms(*connect_, {tr("link"), tr("wire"), tr("join"), tr("attach")});
  for (QAction* action : {add_after_, connect_}) {
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(action);
  }
  connect(add_after_, &QAction::triggered, this, &OutlineView::add_after);
  connect(connect_, &QAction::triggered, this, &OutlineView::connect_to);
  const GraphActions& actions = canvas.graph_actions();
  const QList<QAction*> shared = {
      actions.remove,       actions.remove_reconnect, actions.copy,      actions.cut,   actions.paste,
      actions.paste_linked, actions.duplicate,        actions.undo,      actions.redo,  actions.bypass,
      actions.mute,         actions.select_all,       actions.open_form, actions.run_to};
  addActions(shared);
  new ShortcutClaim(*this, shared + QList<QAction*>{add_after_, connect_});
  connect(&editor_.selection(), &Selection::changed, this, &OutlineView::take_selection);
  connect(&model_, &QAbstractItemModel::modelReset, this, [this] {
    span_inputs();
    take_selection();
    fit_columns();
  });
  fit_columns_timer_.setSingleShot(true);
  connect(&fit_columns_timer_, &QTimer::timeout, this, &OutlineView::fit_columns);
  connect(&model_, &QAbstractItemModel::dataChanged, &fit_columns_timer_, [this] { fit_columns_timer_.start(0); });
  span_inputs();
  connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

// Input rows have no state and span all columns.
void OutlineView::span_inputs() {
  for (int i = 0; i < model_.rowCount(); ++i) {
    const QModelIndex node = model_.index(i, 0);
    for (int k = 0; k < model_.rowCount(node); ++k) setFirstColumnSpanned(k, node, true);
  }
}

void OutlineView::take_selection() {
  taking_ = true;
  QItemSelection chosen;
  for (const QString& id : editor_.selection().nodes())
    if (const QModelIndex i = model_.index_of(id); i.isValid()) chosen.select(i, i.siblingAtColumn(1));
  const QModelIndex current = model_.index_of(editor_.selection().current());
  const bool on_input = model_.node(currentIndex()) == editor_.selection().current() && currentIndex().isValid();
  if (current.isValid() && !on_input) selectionModel()->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
  selectionModel()->select(chosen, QItemSelectionModel::ClearAndSelect);
  taking_ = false;
}

void OutlineView::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
  QTreeView::selectionChanged(selected, deselected);
  if (taking_) return;
  QStringList nodes;
  const auto all = selectionModel()->selectedIndexes();
  for (const QModelIndex& i : all)
    if (const QString id = model_.node(i); !nodes.contains(id)) nodes << id;
  // An empty selection while the model is rebuilt is not the user's choice.
  if (nodes.isEmpty() && !hasFocus()) return;
  taking_ = true;
  editor_.selection().set(nodes, nodes.isEmpty() ? QString() : model_.node(currentIndex()));
  taking_ = false;
}

QPoint OutlineView::below_current() const {
  const QRect line = visualRect(currentIndex());
  return viewport()->mapToGlobal(line.isValid() ? line.bottomLeft() : QPoint(20, 20));
}

void OutlineView::add_after() {
  const QString current = model_.node(currentIndex());
  const Registry& registry = editor_.document().registry();
  if (editor_.document().graph().nodes.count(current.toStdString()) == 0) {
    palette_.open(below_current(), tr("Add a node: type its name"), node_entries(registry),
                  [this](const QString& type) {
                    remember_node(type);
                    editor_.add(type, {});
                  });
    return;
  }
  palette_.open(below_current(), tr("Add a node after %1").arg(editor_.title(current)),
                node_entries_after(editor_.document().graph(), registry, current.toStdString()),
                [this, current](const QString& type) {
                  remember_node(type);
                  editor_.add_after(type, current);
                });
}

void OutlineView::connect_to() {
  const QString current = model_.node(currentIndex()), port = model_.port(currentIndex());
  if (current.isEmpty()) return;
  if (!port.isEmpty()) {
    palette_.open(below_current(), tr("Connect input %1 to…").arg(port), sources(editor_, current, port),
                  [this, current, port](const QString& key) {
                    const auto dot = key.indexOf(QLatin1Char('.'));
                    editor_.link({key.left(dot).toStdString(), key.mid(dot + 1).toStdString(), current.toStdString(),
                                  port.toStdString()});
                  });
    return;
  }
  palette_.open(below_current(), tr("Connect %1 to…").arg(editor_.title(current)), targets(editor_, current),
                [this, current](const QString& key) {
                  const auto arrow = key.indexOf(QLatin1Char('>')), dot = key.indexOf(QLatin1Char('.'), arrow);
                  editor_.link({current.toStdString(), key.left(arrow).toStdString(),
                                key.mid(arrow + 1, dot - arrow - 1).toStdString(), key.mid(dot + 1).toStdString()});
                });
}

void OutlineView::contextMenuEvent(QContextMenuEvent* event) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const GraphActions& actions = canvas_.graph_actions();
  menu->addActions({add_after_, connect_});
  menu->addSeparator();
  menu->addActions({actions.open_form, actions.run_to, actions.bypass, actions.mute});
  menu->addSeparator();
  menu->addActions({actions.pin, actions.free_node});
  menu->addSeparator();
  menu->addActions(
      {actions.cut, actions.copy, actions.paste, actions.duplicate, actions.remove, actions.remove_reconnect});
  menu->popup(event->globalPos());
}

// The title column gets the width that the state column leaves.
void OutlineView::fit_columns() {
  QFont small = Theme::text_font();
  small.setPixelSize(11);
  int state = 0;
  for (int i = 0; i < model_.rowCount(); ++i)
    state = std::max(state, QFontMetrics(small).horizontalAdvance(model_.index(i, 1).data().toString()));
  state += Theme::space(4);
  header()->resizeSection(0, viewport()->width() - state);
  header()->resizeSection(1, state);
}
void OutlineView::resizeEvent(QResizeEvent* event) {
  QTreeView::resizeEvent(event);
  fit_columns();
}

}  // namespace tl::ui
