// GraphActions: makes the actions on the pipeline, with texts and shortcuts, and connects them to edits.
#include "widgets/canvas/graph_actions.h"

#include <QHash>
#include <QWidget>
#include <algorithm>

#include "widgets/session/switches.h"
#include "widgets/text/amounts.h"

namespace tl::ui {
namespace {

constexpr const char* synonyms_property = "synonyms";

// By name of the action.
QStringList words_for(const QString& name) {
  static const QHash<QString, QString> words = {
      {"palette", "insert,new node,create,append"},
      {"remove", "erase,clear,unlink,disconnect,remove link,cut link"},
      {"remove_reconnect", "erase,close the gap,take out,bridge,remove node"},
      {"paste_linked", "paste connected,paste with links"},
      {"duplicate", "clone,copy"},
      {"undo", "back,revert"},
      {"redo", "forward,repeat"},
      {"bypass", "skip,pass through,disable,switch off"},
      {"mute", "disable,switch off,deactivate"},
      {"frame", "group,note,comment,box"},
      {"rename", "title,name,label"},
      {"collapse", "fold,minimise,small card"},
      {"arrange", "layout,tidy,clean up,sort,align"},
      {"fit_selection", "zoom to selection,centre,show selected"},
      {"fit_all", "zoom to fit,show everything,overview,home"},
      {"zoom_in", "larger,magnify"},
      {"zoom_out", "smaller"},
      {"snap", "grid,align to dots"},
      {"minimap", "overview,map,navigator"},
      {"open_form", "edit parameters,settings,inspector,properties"},
      {"run_to", "compute the selected nodes,execute,start"},
      {"free_cache", "memory,clear cache,release"},
      {"free_node", "memory,clear cache,release"},
      {"pin", "keep,lock,memory"},
      {"spread_across", "distribute horizontally"},
      {"spread_down", "distribute vertically"},
  };
  return words.value(name).split(QLatin1Char(','), Qt::SkipEmptyParts);
}

}  // namespace

void set_synonyms(QAction& action, const QStringList& words) { action.setProperty(synonyms_property, words); }
QStringList synonyms_of(const QAction& action) { return action.property(synonyms_property).toStringList(); }

GraphActions::GraphActions(GraphEditor& editor, LiveSession& session, QObject* parent)
    : QObject(parent), editor_(editor), session_(session) {
  make_all();
  connect_edits();
  connect(&editor.selection(), &Selection::changed, this, &GraphActions::update);
  connect(&editor.document(), &Document::graph_changed, this, &GraphActions::update);
  connect(&session, &LiveSession::cache_changed, this, &GraphActions::update_cache);
  update();
}

QAction* GraphActions::make(const char* name, const QString& text, const QList<QKeySequence>& keys) {
  auto* action = new QAction(text, this);
  action->setObjectName(QLatin1String(name));
  action->setShortcuts(keys);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  set_synonyms(*action, words_for(action->objectName()));
  all_ << action;
  return action;
}

void GraphActions::make_all() {
  palette = make("palette", tr("Add a node…"), {Qt::Key_Tab, Qt::Key_Insert});
  remove = make("remove", tr("Delete"), {Qt::Key_Delete, Qt::Key_Backspace});
  remove_reconnect = make("remove_reconnect", tr("Delete and close the gap"), {Qt::CTRL | Qt::Key_Delete});
  copy = make("copy", tr("Copy"), {QKeySequence::Copy});
  cut = make("cut", tr("Cut"), {QKeySequence::Cut});
  paste = make("paste", tr("Paste"), {Qt::CTRL | Qt::Key_V});
  paste_linked = make("paste_linked", tr("Paste with incoming links"), {Qt::CTRL | Qt::SHIFT | Qt::Key_V});
  duplicate = make("duplicate", tr("Duplicate"), {Qt::CTRL | Qt::Key_D});
  undo = editor_.document().undo_stack().createUndoAction(this, tr("Undo"));
  redo = editor_.document().undo_stack().createRedoAction(this, tr("Redo"));
  undo->setObjectName(QStringLiteral("undo"));
  redo->setObjectName(QStringLiteral("redo"));
  undo->setShortcut(Qt::CTRL | Qt::Key_Z);
  redo->setShortcuts({Qt::CTRL | Qt::Key_Y, Qt::CTRL | Qt::SHIFT | Qt::Key_Z});
  for (QAction* action : {undo, redo}) {
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    set_synonyms(*action, words_for(action->objectName()));
    all_ << action;
  }
  bypass = make("bypass", tr("Bypass"), {Qt::CTRL | Qt::Key_B});
  mute = make("mute", tr("Mute branch"), {Qt::CTRL | Qt::Key_M});
  frame = make("frame", tr("Frame with comment"), {Qt::CTRL | Qt::Key_G});
  rename = make("rename", tr("Rename"), {Qt::Key_F2});
  collapse = make("collapse", tr("Collapse"), {Qt::ALT | Qt::Key_C});
  select_all = make("select_all", tr("Select all"), {Qt::CTRL | Qt::Key_A});
  align_left = make("align_left", tr("Align left"));
  align_centre = make("align_centre", tr("Align centres"));
  align_right = make("align_right", tr("Align right"));
  align_top = make("align_top", tr("Align top"));
  align_middle = make("align_middle", tr("Align middles"));
  align_bottom = make("align_bottom", tr("Align bottom"));
  spread_across = make("spread_across", tr("Spread evenly across"));
  spread_down = make("spread_down", tr("Spread evenly down"));
  arrange = make("arrange", tr("Arrange all"), {Qt::Key_L});
  fit_selection = make("fit_selection", tr("Fit selection"), {Qt::Key_F, Qt::Key_Period});
  fit_all = make("fit_all", tr("Fit all"), {Qt::Key_Home});
  zoom_in = make("zoom_in", tr("Zoom in"), {Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal});
  zoom_out = make("zoom_out", tr("Zoom out"), {Qt::CTRL | Qt::Key_Minus});
  snap = make("snap", tr("Snap to grid"));
  snap->setCheckable(true);
  minimap = make("minimap", tr("Minimap"));
  minimap->setCheckable(true);
  minimap->setChecked(true);
  make_switches();
  open_form = make("open_form", tr("Open the form"), {Qt::Key_Return, Qt::Key_Enter});
  run_to = make("run_to", tr("Run to selection"), {Qt::CTRL | Qt::Key_Return, Qt::CTRL | Qt::Key_Enter});
  free_cache = make("free_cache", tr("Empty the cache"));
  free_node = make("free_node", tr("Free its cached results"));
  pin = make("pin", tr("Pin results in the cache"));
  pin->setCheckable(true);
}

void GraphActions::make_switches() {
  for (const SwitchAction& s : switch_actions()) {
    QAction* action = make(s.key, s.text, s.shortcuts);
    action->setCheckable(true);
    action->setChecked(session_.switches().*s.value);
    connect(&session_, &LiveSession::switches_changed, action,
            [this, action, value = s.value] { action->setChecked(session_.switches().*value); });
    connect(action, &QAction::triggered, this, [this, action, value = s.value] {
      live::Switches wanted = session_.switches();
      wanted.*value = action->isChecked();
      session_.set_switches(wanted);
    });
    switches << action;
  }
}

void GraphActions::connect_edits() {
  const auto on = [this](QAction* action, auto f) { connect(action, &QAction::triggered, this, f); };
  on(copy, [this] { editor_.copy(); });
  on(cut, [this] { editor_.cut(); });
  on(duplicate, [this] { editor_.duplicate(); });
  on(bypass, [this] { editor_.toggle(NodeUse::bypassed); });
  on(mute, [this] { editor_.toggle(NodeUse::muted); });
  on(collapse, [this] { editor_.collapse(); });
  on(arrange, [this] { editor_.arrange(); });
  on(select_all, [this] {
    QStringList nodes;
    for (const auto& [id, node] : editor_.document().graph().nodes) nodes << QString::fromStdString(id);
    editor_.selection().set(nodes, nodes.isEmpty() ? QString() : nodes.back());
  });
  const std::pair<QAction*, Alignment> alignments[] = {
      {align_left, Alignment::left},      {align_centre, Alignment::centre}, {align_right, Alignment::right},
      {align_top, Alignment::top},        {align_middle, Alignment::middle}, {align_bottom, Alignment::bottom},
      {spread_across, Alignment::across}, {spread_down, Alignment::down}};
  for (const auto& [action, how] : alignments) on(action, [this, how = how] { editor_.align(how); });
  on(run_to, [this] {
    if (!editor_.selection().nodes().isEmpty()) session_.run_to(editor_.selection().nodes());
  });
  on(free_cache, [this] { session_.free_cache(); });
  on(free_node, [this] {
    for (const QString& node : editor_.selection().nodes()) session_.free_cache(node);
  });
  on(pin, [this] {
    const auto how = pin->isChecked() ? LiveSession::Keep::pinned : LiveSession::Keep::evictable;
    for (const QString& node : editor_.selection().nodes()) session_.keep(node, how);
  });
}

// Disables actions that would have no effect.
void GraphActions::update() {
  const auto count = editor_.selection().nodes().size();
  for (QAction* action : {copy, cut, duplicate, bypass, mute, collapse, frame, open_form, run_to})
    action->setEnabled(count > 0);
  for (QAction* action : {align_left, align_centre, align_right, align_top, align_middle, align_bottom})
    action->setEnabled(count > 1);
  for (QAction* action : {spread_across, spread_down}) action->setEnabled(count > 2);
  const bool any = !editor_.document().graph().nodes.empty();
  for (QAction* action : {arrange, fit_all, select_all}) action->setEnabled(any);
  update_cache();
}

void GraphActions::update_cache() {
  const QStringList nodes = editor_.selection().nodes();
  qint64 bytes = 0;
  for (const QString& node : nodes) bytes += session_.cached_bytes(node);
  free_node->setText(bytes > 0 ? tr("Free its cached results (%1)").arg(bytes_text(bytes))
                               : tr("Free its cached results"));
  free_node->setEnabled(bytes > 0);
  pin->setEnabled(!nodes.isEmpty());
  pin->setChecked(!nodes.isEmpty() && std::all_of(nodes.begin(), nodes.end(),
                                                  [this](const QString& node) { return session_.is_pinned(node); }));
}

void GraphActions::add_to(QWidget& widget) { widget.addActions(all_); }

}  // namespace tl::ui
