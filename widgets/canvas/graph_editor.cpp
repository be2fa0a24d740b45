// GraphEditor: edits the pipeline in undo steps: adds, links, removes, copies nodes.
#include "widgets/canvas/graph_editor.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMap>
#include <algorithm>

#include "core/graph/output_names.h"
#include "widgets/canvas/items/card.h"
#include "widgets/canvas/making_room.h"
#include "widgets/canvas/placing.h"
#include "widgets/language/translated.h"

namespace tl::ui {
namespace {

constexpr double card_gap = 40;  // px between a new card and its neighbour

QPointF position_for_new_card(const Layout& layout, const QString& current) {
  const auto at = layout.card(current.toStdString()).at;
  return at ? *at + QPointF(card_size::width + card_gap, 0) : QPointF(0, 0);
}

Result<void> link_new(Graph& graph, const Registry& registry, const std::string& id, const LinkEnd& end) {
  const std::string node = end.node.toStdString(), port = end.port.toStdString();
  const bool forward = end.side == LinkEnd::Side::output;
  const auto names = forward ? edit::fitting_inputs(graph, registry, node, port, id)
                             : edit::fitting_outputs(graph, registry, id, node, port);
  if (names.empty()) return invalid("the new node has no port that fits \"" + port + "\"");
  TL_TRY(edit::connect(graph, registry,
                       forward ? Link{node, port, id, names.front()} : Link{id, names.front(), node, port}));
  if (!forward) return ok();
  const NodeType* source = registry.find(graph.nodes.at(node).type);
  if (const PortDecl* output = source == nullptr ? nullptr : source->output(port))
    edit::share_inputs(graph, registry, id, node, output->type);
  return ok();
}

// The most probable source for an input of this type: the last node before `node` that has such an output, otherwise
// the last of all; "" if there is none.
std::string likely_source(const Graph& graph, const Registry& registry, PortType type, const std::string& node) {
  const auto order = topological_order(graph);
  if (!order.ok()) return {};
  const edit::Ids before = edit::upstream(graph, node);
  std::string last, last_before;
  for (const std::string& id : order.value()) {
    const NodeType* source = registry.find(graph.nodes.at(id).type);
    const auto fits = [type](const PortDecl& output) { return output.type == type; };
    if (source == nullptr || std::none_of(source->outputs.begin(), source->outputs.end(), fits)) continue;
    last = id;
    if (before.count(id) != 0) last_before = id;
  }
  return last_before.empty() ? last : last_before;
}

// Empty if one of the type's inputs can be linked to the node, or if it has none.
QString why_unlinked(GraphEditor& editor, const NodeType& type, const QString& node) {
  const Graph& graph = editor.document().graph();
  const Registry& registry = editor.document().registry();
  if (type.inputs.empty() || edit::may_follow(graph, registry, type, node.toStdString())) return {};
  const auto required = std::find_if(type.inputs.begin(), type.inputs.end(), [](const auto& p) { return p.required; });
  const PortType wanted = (required == type.inputs.end() ? type.inputs.front() : *required).type;
  const std::string source = likely_source(graph, registry, wanted, node.toStdString());
  const QString what = GraphEditor::tr("%1 is not linked: %2 has no output of type %3. ")
                           .arg(translated(type.title), editor.title(node), translated(to_string(wanted)));
  return what + (source.empty()
                     ? GraphEditor::tr("Add a node with such an output, and drag a link from there.")
                     : GraphEditor::tr("Drag a link to it from %1.").arg(editor.title(QString::fromStdString(source))));
}

}  // namespace

GraphEditor::GraphEditor(Document& document, Selection& selection, QObject* parent)
    : QObject(parent), document_(document), selection_(selection) {
  connect(&document_, &Document::graph_changed, this, &GraphEditor::unselect_lost_nodes);
}

// After undo, or in another pipeline, selected nodes may no longer exist.
void GraphEditor::unselect_lost_nodes() {
  const auto is_there = [this](const QString& id) { return document_.graph().nodes.contains(id.toStdString()); };
  QStringList left;
  for (const QString& id : selection_.nodes())
    if (is_there(id)) left << id;
  const QString& current = selection_.current();
  const bool keeps_current = current.isEmpty() || is_there(current);
  if (left.size() == selection_.nodes().size() && keeps_current) return;
  selection_.set(left, keeps_current ? current : left.isEmpty() ? QString() : left.back());
}

Layout GraphEditor::layout() const { return placed_layout(document_.graph(), document_.registry()); }

QString GraphEditor::title(const QString& node) const {
  const Graph& graph = document_.graph();
  const std::string id = node.toStdString();
  if (graph.nodes.count(id) == 0) return node;
  return plain_card(graph, document_.registry(), id, Layout(graph.ui).card(id)).title;
}

bool GraphEditor::edit(const QString& name, const std::function<Result<void>(Graph&, Layout&)>& change,
                       const MergeKey& merge) {
  Graph graph = document_.graph();
  Layout layout = placed_layout(graph, document_.registry());
  const auto done = change(graph, layout);
  if (!done.ok()) {
    Q_EMIT refused(translated(done.error().what));
    return false;
  }
  graph.ui = layout.text();
  graph.ui = placed_layout(graph, document_.registry()).text();
  document_.edit(
      name, [&](Graph& g) { g = graph; }, merge);
  return true;
}

QString GraphEditor::add(const QString& type, const std::optional<QPointF>& at, const std::optional<LinkEnd>& end,
                         const std::optional<Link>& between) {
  const NodeType* declared = document_.registry().find(type.toStdString());
  if (declared == nullptr) return {};
  std::string id;
  const bool done = edit(tr("Add %1").arg(translated(declared->title)), [&](Graph& g, Layout& layout) -> Result<void> {
    const Registry& registry = document_.registry();
    TL_TRY(id, edit::add_node(g, registry, type.toStdString()));
    if (between) TL_TRY(edit::insert_on_link(g, registry, id, *between));
    if (end) TL_TRY(link_new(g, registry, id, *end));
    const QString before = end ? end->node : selection_.current();
    const QSizeF size = plain_card(g, registry, id, {}).size;
    layout.cards[id].at =
        free_position(layout, g, registry, at.value_or(position_for_new_card(layout, before)), size, id);
    if (between) make_room(layout, g, registry, id);
    return ok();
  });
  if (!done) return {};
  selection_.set_one(QString::fromStdString(id));
  return QString::fromStdString(id);
}

QString GraphEditor::add_after(const QString& type, const QString& node) {
  const NodeType* declared = document_.registry().find(type.toStdString());
  if (declared == nullptr || document_.graph().nodes.count(node.toStdString()) == 0) return {};
  std::string id;
  const QString name = tr("Add %1").arg(translated(declared->title));
  const QString unlinked = why_unlinked(*this, *declared, node);
  const bool done = edit(name, [&](Graph& g, Layout& layout) -> Result<void> {
    const Registry& registry = document_.registry();
    const std::string before = node.toStdString();
    TL_TRY(id, edit::add_node(g, registry, type.toStdString()));
    if (edit::may_follow(g, registry, *declared, before)) TL_TRY(edit::insert_after(g, registry, id, before));
    const bool inserted = std::any_of(g.links.begin(), g.links.end(), [&](const Link& l) { return l.from_node == id; });
    if (inserted) {
      make_room(layout, g, registry, id);
    } else {
      const QSizeF size = plain_card(g, registry, id, {}).size;
      layout.cards[id].at = free_position(layout, g, registry, position_for_new_card(layout, node), size, id);
    }
    return ok();
  });
  if (!done) return {};
  selection_.set_one(QString::fromStdString(id));
  if (!unlinked.isEmpty()) Q_EMIT refused(unlinked);
  return QString::fromStdString(id);
}

bool GraphEditor::link(const Link& link, const std::optional<Link>& instead) {
  const QString name =
      tr("Link %1 to %2")
          .arg(title(QString::fromStdString(link.from_node)), title(QString::fromStdString(link.to_node)));
  return edit(name, [&](Graph& g, Layout&) -> Result<void> {
    if (instead) edit::disconnect(g, *instead);
    return edit::connect(g, document_.registry(), link);
  });
}

void GraphEditor::unlink(const Link& link) {
  edit(tr("Remove link to %1").arg(title(QString::fromStdString(link.to_node))),
       [&](Graph& g, Layout&) -> Result<void> {
         edit::disconnect(g, link);
         return ok();
       });
}

bool GraphEditor::insert(const QString& node, const Link& link) { return move_and_insert({}, node, link); }

bool GraphEditor::move_and_insert(const QMap<QString, QPointF>& places, const QString& node, const Link& link) {
  return edit(tr("Insert %1").arg(title(node)), [&](Graph& g, Layout& layout) -> Result<void> {
    for (auto i = places.begin(); i != places.end(); ++i) layout.cards[i.key().toStdString()].at = i.value();
    TL_TRY(edit::insert_on_link(g, document_.registry(), node.toStdString(), link));
    make_room(layout, g, document_.registry(), node.toStdString());
    return ok();
  });
}

void GraphEditor::set_parameter(const QString& node, const QString& param, const ParamValue& value) {
  const auto in_graph = document_.graph().nodes.find(node.toStdString());
  if (in_graph == document_.graph().nodes.end()) return;
  const NodeType* type = document_.registry().find(in_graph->second.type);
  const ParamDecl* decl = type == nullptr ? nullptr : type->param(param.toStdString());
  if (decl == nullptr) return;
  const QString words = decl->title.empty() ? QString::fromStdString(decl->name) : translated(decl->title);
  edit(tr("Change %1 of %2").arg(words, title(node)), [&](Graph& g, Layout&) -> Result<void> {
    TL_TRY(decl->validate(value));
    g.nodes.at(node.toStdString()).params[param.toStdString()] = value;
    match_name_and_format(g.nodes.at(node.toStdString()), *type, param.toStdString());
    return ok();
  });
}

void GraphEditor::remove(edit::Gap gap) {
  const edit::Ids nodes = selected();
  if (nodes.empty()) return;
  edit(tr("Delete %1").arg(selected_words()), [&](Graph& g, Layout& layout) -> Result<void> {
    for (const std::string& node : nodes) {
      const Graph before = g;
      edit::remove_nodes(g, document_.registry(), {node}, gap);
      if (gap == edit::Gap::reconnect) close_gap(layout, before, g, document_.registry(), node);
    }
    return ok();
  });
  selection_.clear();
}

QString GraphEditor::copied() const {
  const edit::Ids nodes = selected();
  if (nodes.empty()) return {};
  const Layout all = layout();
  Layout part;
  for (const std::string& id : nodes) part.cards[id] = all.card(id);
  return QString::fromStdString(edit::copy_text(document_.graph(), nodes, part.text()));
}

void GraphEditor::copy() const {
  const QString text = copied();
  if (!text.isEmpty()) QGuiApplication::clipboard()->setText(text);
}

void GraphEditor::cut() {
  copy();
  remove(edit::Gap::open);
}

bool GraphEditor::paste(edit::Incoming incoming, const std::optional<QPointF>& at) {
  const QString text = QGuiApplication::clipboard()->text();
  if (text.trimmed().isEmpty()) {
    Q_EMIT refused(tr("There is nothing to paste"));
    return false;
  }
  return paste_text(tr("Paste"), text, incoming, at);
}

bool GraphEditor::duplicate() {
  const QString text = copied();
  return !text.isEmpty() && paste_text(tr("Duplicate %1").arg(selected_words()), text, edit::Incoming::kept, {});
}

bool GraphEditor::paste_text(const QString& name, const QString& text, edit::Incoming incoming,
                             const std::optional<QPointF>& at) {
  QStringList fresh;
  const bool done = edit(name, [&](Graph& g, Layout& layout) -> Result<void> {
    TL_TRY(const edit::Pasted pasted, edit::paste_text(g, document_.registry(), text.toStdString(), incoming));
    const Layout theirs(pasted.ui);
    std::optional<QPointF> corner;
    for (const auto& [old, id] : pasted.ids)
      if (const auto p = theirs.card(old).at)
        corner = corner ? QPointF(std::min(corner->x(), p->x()), std::min(corner->y(), p->y())) : *p;
    for (const auto& [old, id] : pasted.ids) {
      fresh << QString::fromStdString(id);
      Layout::Card card = theirs.card(old);
      if (card.at) card.at = at ? *card.at - *corner + *at : *card.at + QPointF(card_gap, card_gap);
      layout.cards[id] = card;
    }
    return ok();
  });
  if (done) selection_.set(fresh, fresh.isEmpty() ? QString() : fresh.front());
  return done;
}

bool GraphEditor::toggle(NodeUse use) {
  const edit::Ids nodes = selected();
  if (nodes.empty()) return false;
  const QString name = use == NodeUse::bypassed ? tr("Bypass %1") : tr("Mute %1");
  return edit(name.arg(selected_words()),
              [&](Graph& g, Layout&) -> Result<void> { return edit::toggle_use(g, document_.registry(), nodes, use); });
}

edit::Ids GraphEditor::selected() const {
  edit::Ids ids;
  for (const QString& node : selection_.nodes())
    if (document_.graph().nodes.count(node.toStdString()) != 0) ids.insert(node.toStdString());
  return ids;
}

QString GraphEditor::selected_words() const {
  const edit::Ids nodes = selected();
  return nodes.size() == 1 ? title(QString::fromStdString(*nodes.begin())) : tr("%1 nodes").arg(nodes.size());
}

}  // namespace tl::ui
