// LinkDrag: drags a link from a port: highlights fitting ports, says why a target is refused, makes the link.
#include "widgets/canvas/link_drag.h"

#include "widgets/language/translated.h"

namespace tl::ui {
namespace {

Side opposite(LinkEnd::Side side) { return side == LinkEnd::Side::output ? Side::input : Side::output; }

}  // namespace

void LinkDrag::begin(const NodeItem& node, const CardPort& port) {
  cancel();
  const Graph& graph = scene_.editor().document().graph();
  end_ = {port.side == Side::output ? LinkEnd::Side::output : LinkEnd::Side::input, node.id(), port.name};
  type_ = port.type;
  anchor_ = node.port_at_scene(port);
  const Link* there =
      port.side == Side::input ? graph.link_into(node.id().toStdString(), port.name.toStdString()) : nullptr;
  if (there != nullptr) {
    const QString from_node = QString::fromStdString(there->from_node);
    const QString from_port = QString::fromStdString(there->from_port);
    const NodeItem* from = scene_.node(from_node);
    const CardPort* out = from == nullptr ? nullptr : from->card().port(from_port, Side::output);
    if (out != nullptr) {
      picked_ = *there;
      end_ = {LinkEnd::Side::output, from_node, from_port};
      type_ = out->type;
      anchor_ = from->port_at_scene(*out);
    }
  }
  line_ = std::make_unique<LinkItem>(LinkItem::Layer::item);
  line_->set_link({}, type_);
  line_->setZValue(20);
  scene_.addItem(line_.get());
  for (LinkItem* link : scene_.links())
    if (picked_ && link->link() == *picked_) link->setVisible(false);
  light();
}

Graph LinkDrag::graph_without_picked() const {
  Graph graph = scene_.editor().document().graph();
  if (picked_) edit::disconnect(graph, *picked_);
  return graph;
}

void LinkDrag::light() {
  const Graph graph = graph_without_picked();
  const std::string mine = end_.node.toStdString();
  const bool forward = end_.side == LinkEnd::Side::output;
  // Linking to a node upstream (or downstream, backwards) would close a cycle.
  const edit::Ids closed = forward ? edit::upstream(graph, mine) : edit::downstream(graph, mine);
  const Registry& registry = scene_.editor().document().registry();
  for (NodeItem* item : scene_.nodes()) {
    if (item->id() == end_.node) continue;
    QSet<QString> fitting;
    if (closed.count(item->id().toStdString()) == 0)
      for (const CardPort& port : item->card().ports)
        if (port.side == opposite(end_.side) && port.type == type_) fitting.insert(port.name);
    const NodeType* type = registry.find(graph.nodes.at(item->id().toStdString()).type);
    const bool drives = forward && is_number(type_) && type != nullptr && !type->params.empty() &&
                        closed.count(item->id().toStdString()) == 0;
    if (fitting.isEmpty() && !drives)
      item->dim();
    else
      item->light(fitting, opposite(end_.side));
  }
}

Link LinkDrag::link_with(const QString& node, const QString& port) const {
  if (end_.side == LinkEnd::Side::output)
    return {end_.node.toStdString(), end_.port.toStdString(), node.toStdString(), port.toStdString()};
  return {node.toStdString(), port.toStdString(), end_.node.toStdString(), end_.port.toStdString()};
}

// The link that a drop here would make. Nothing: it is refused with the reason `why`, or, if `why` is empty, there is
// no target.
std::optional<Link> LinkDrag::candidate(const QPointF& at, QString* why) const {
  const Registry& registry = scene_.editor().document().registry();
  const NodeItem* owner = scene_.port_owner_at(at);
  const CardPort* port = owner == nullptr ? nullptr : owner->port_near(at);
  const Graph graph = graph_without_picked();
  if (port != nullptr && owner->id() == end_.node && port->name == end_.port) return {};
  if (port != nullptr && port->side != opposite(end_.side)) {
    *why = end_.side == LinkEnd::Side::output ? QObject::tr("a link goes from an output to an input")
                                              : QObject::tr("a link comes from an output");
    return {};
  }
  if (port != nullptr) {
    Link link = link_with(owner->id(), port->name);
    const auto may = edit::may_connect(graph, registry, link);
    if (may.ok()) return link;
    *why = translated(may.error().what);
    return {};
  }
  const NodeItem* item = scene_.node_at(at);
  if (item == nullptr || item->id() == end_.node) return {};
  const std::string node = item->id().toStdString(), mine = end_.node.toStdString(), name = end_.port.toStdString();
  const auto row = item->card().row_at(item->mapFromScene(at));
  if (row && is_number(type_) && end_.side == LinkEnd::Side::output) {
    Link drive = link_with(item->id(), item->card().rows[*row].param);
    const auto may = edit::may_connect(graph, registry, drive);
    if (may.ok()) return drive;
    *why = translated(may.error().what);
    return {};
  }
  const auto names = end_.side == LinkEnd::Side::output ? edit::fitting_inputs(graph, registry, mine, name, node)
                                                        : edit::fitting_outputs(graph, registry, node, mine, name);
  if (!names.empty()) return link_with(item->id(), QString::fromStdString(names.front()));
  // If no port fits, the reason for the first port of the right side is reported.
  for (const CardPort& p : item->card().ports) {
    if (p.side != opposite(end_.side)) continue;
    const auto may = edit::may_connect(graph, registry, link_with(item->id(), p.name));
    if (!may.ok()) *why = translated(may.error().what);
    return {};
  }
  *why = QObject::tr("\"%1\" has no matching port").arg(item->card().title);
  return {};
}

QString LinkDrag::follow(const QPointF& at) {
  if (!line_) return {};
  QString why;
  const auto link = candidate(at, &why);
  QPointF end = at;
  if (link) {
    // Moves the loose end to the target port, to show which one it is.
    const bool forward = end_.side == LinkEnd::Side::output;
    const NodeItem* item = scene_.node(QString::fromStdString(forward ? link->to_node : link->from_node));
    const CardPort* port = item->card().port(QString::fromStdString(forward ? link->to_port : link->from_port),
                                             forward ? Side::input : Side::output);
    if (port != nullptr) end = item->port_at_scene(*port);
  }
  if (end_.side == LinkEnd::Side::output)
    line_->set_ends(anchor_, end);
  else
    line_->set_ends(end, anchor_);
  line_->set_look(!why.isEmpty() ? LinkItem::Look::refused : link ? LinkItem::Look::hovered : LinkItem::Look::plain);
  return why;
}

LinkDrag::Drop LinkDrag::drop(const QPointF& at) {
  Drop result;
  if (!line_) return result;
  QString why;
  const auto link = candidate(at, &why);
  result.end = end_;
  result.picked = picked_;
  result.type = type_;
  const NodeItem* item = scene_.node_at(at);
  const bool on_port = scene_.port_owner_at(at) != nullptr;
  cancel();
  if (link) {
    const Registry& registry = scene_.editor().document().registry();
    const Graph& graph = scene_.editor().document().graph();
    const NodeType* target = registry.find(graph.nodes.at(link->to_node).type);
    const bool on_row = item != nullptr && item->card().row_at(item->mapFromScene(at)).has_value();
    if (!on_port && !on_row && target != nullptr && target->input(link->to_port) == nullptr) {
      result.kind = Drop::Kind::choose;
      result.node = QString::fromStdString(link->to_node);
      result.inputs =
          edit::fitting_inputs(graph, registry, link->from_node, link->from_port, result.node.toStdString());
      return result;
    }
    if (result.picked && *result.picked == *link) return result;
    result.kind = scene_.editor().link(*link, result.picked) ? Drop::Kind::linked : Drop::Kind::refused;
    return result;
  }
  if (!why.isEmpty()) {
    Q_EMIT scene_.editor().refused(why);
    result.kind = Drop::Kind::refused;
  } else if (item == nullptr && !on_port) {
    result.kind = Drop::Kind::open;
  }
  return result;
}

void LinkDrag::cancel() {
  if (!line_) return;
  line_.reset();
  picked_.reset();
  for (NodeItem* item : scene_.nodes()) item->clear_light();
  for (LinkItem* link : scene_.links()) link->setVisible(true);
}

}  // namespace tl::ui
