// CanvasScene: keeps the canvas's items in step with the document, and finds items under the mouse.
#include "widgets/canvas/canvas_scene.h"

#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {
constexpr double link_reach = 8;  // px
// px; fixed size of the scene, so that the view does not jump when a card is dragged beyond the others
constexpr double world = 1e6;
}  // namespace

CanvasScene::CanvasScene(GraphEditor& editor, LiveSession& session, QObject* parent)
    : QGraphicsScene(parent), editor_(editor), session_(session) {
  setSceneRect(-world, -world, 2 * world, 2 * world);
  Document& document = editor.document();
  connect(&document, &Document::graph_changed, this, &CanvasScene::sync);
  connect(&document, &Document::layout_changed, this, &CanvasScene::sync);
  connect(&session, &LiveSession::status_changed, this, &CanvasScene::update_card);
  connect(&session, &LiveSession::thumbnail_changed, this, &CanvasScene::update_card);
  connect(&session, &LiveSession::switches_changed, this, &CanvasScene::sync);
  connect(&editor.selection(), &Selection::changed, this, &CanvasScene::mark_selection);
  connect(&Theme::instance(), &Theme::changed, this, &CanvasScene::sync);
  sync();
}
CanvasScene::~CanvasScene() = default;

QSet<QString> CanvasScene::node_ids() const {
  const QStringList ids = nodes_.keys();
  return {ids.begin(), ids.end()};
}

void CanvasScene::sync() {
  layout_ = editor_.layout();
  dragged_.clear();
  sync_frames();
  sync_nodes();
  sync_links();
  mark_selection();
  Q_EMIT synced();
}

void CanvasScene::sync_nodes() {
  const Graph& graph = editor_.document().graph();
  for (auto i = nodes_.begin(); i != nodes_.end();) {
    if (graph.nodes.count(i.key().toStdString()) != 0) {
      ++i;
      continue;
    }
    delete i.value();
    i = nodes_.erase(i);
  }
  for (const auto& [id, node] : graph.nodes) {
    NodeItem*& item = nodes_[QString::fromStdString(id)];
    if (item == nullptr) {
      item = new NodeItem(repaint_budget_);
      addItem(item);
    }
    item->set_card(make_card(editor_.document(), session_, id, layout_.card(id)));
    item->setPos(layout_.card(id).at.value_or(QPointF()));
  }
}

void CanvasScene::sync_links() {
  const Graph& graph = editor_.document().graph();
  const std::optional<Link> chosen = chosen_link_ != nullptr ? std::optional(chosen_link_->link()) : std::nullopt;
  hovered_ = chosen_link_ = nullptr;
  while (links_.size() > graph.links.size()) {
    delete links_.back();
    links_.pop_back();
  }
  while (links_.size() < graph.links.size()) {
    links_.push_back(new LinkItem(LinkItem::Layer::background));
    addItem(links_.back());
  }
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = graph.links[i];
    const NodeItem* from = node(QString::fromStdString(link.from_node));
    const CardPort* port =
        from == nullptr ? nullptr : from->card().port(QString::fromStdString(link.from_port), Side::output);
    links_[i]->set_link(link, port == nullptr ? parameter_driving_type() : port->type);
    const bool used = from != nullptr && from->card().use != NodeUse::muted;
    links_[i]->set_look(used ? LinkItem::Look::plain : LinkItem::Look::idle);
    if (chosen && *chosen == link) chosen_link_ = links_[i];
  }
  if (chosen_link_ != nullptr) chosen_link_->set_look(LinkItem::Look::selected);
  place_links();
}

void CanvasScene::sync_frames() {
  while (frames_.size() > layout_.frames.size()) {
    delete frames_.back();
    frames_.pop_back();
  }
  while (frames_.size() < layout_.frames.size()) {
    frames_.push_back(new FrameItem);
    addItem(frames_.back());
  }
  for (std::size_t i = 0; i < frames_.size(); ++i) frames_[i]->set_frame(layout_.frames[i]);
  if (chosen_frame_ && *chosen_frame_ >= frames_.size()) chosen_frame_.reset();
}

void CanvasScene::update_card(const QString& id) {
  NodeItem* item = node(id);
  if (item == nullptr) return;
  item->set_card(make_card(editor_.document(), session_, id.toStdString(), layout_.card(id.toStdString())));
}

void CanvasScene::place_links() {
  std::vector<QRectF> cards;
  for (const NodeItem* item : nodes_)
    if (!dragged_.contains(item->id())) cards.push_back(item->scene_rect());
  for (LinkItem* item : links_) {
    const Link& link = item->link();
    const NodeItem* from = node(QString::fromStdString(link.from_node));
    const NodeItem* to = node(QString::fromStdString(link.to_node));
    const CardPort* out =
        from == nullptr ? nullptr : from->card().port(QString::fromStdString(link.from_port), Side::output);
    const CardPort* in = to == nullptr ? nullptr : to->card().port(QString::fromStdString(link.to_port), Side::input);
    item->setVisible(out != nullptr && in != nullptr);
    if (item->isVisible()) item->set_ends(from->port_at_scene(*out), to->port_at_scene(*in), cards);
  }
}

void CanvasScene::mark_selection() {
  const Selection& selection = editor_.selection();
  const QSet<QString> chosen(selection.nodes().begin(), selection.nodes().end());
  for (NodeItem* item : nodes_)
    item->set_mark(!chosen.contains(item->id())        ? NodeItem::Mark::none
                   : item->id() == selection.current() ? NodeItem::Mark::current
                                                       : NodeItem::Mark::selected);
  if (!chosen.isEmpty()) {
    choose_link(nullptr);
    choose_frame({});
  }
  for (std::size_t i = 0; i < frames_.size(); ++i)
    frames_[i]->set_mark(chosen_frame_ == i ? FrameItem::Mark::selected : FrameItem::Mark::none);
}

void CanvasScene::place(const QString& id, const QPointF& at) {
  if (NodeItem* item = node(id)) item->setPos(at);
  dragged_.insert(id);
  place_links();
}

NodeItem* CanvasScene::node_at(const QPointF& at) const {
  const auto found = items(at);
  for (QGraphicsItem* item : found)
    if (auto* node = qgraphicsitem_cast<NodeItem*>(item); node != nullptr && node->scene_rect().contains(at))
      return node;
  return nullptr;
}

NodeItem* CanvasScene::port_owner_at(const QPointF& at) const {
  const auto found = items(at);
  for (QGraphicsItem* item : found)
    if (auto* node = qgraphicsitem_cast<NodeItem*>(item); node != nullptr && node->port_near(at) != nullptr)
      return node;
  return nullptr;
}

LinkItem* CanvasScene::link_at(const QPointF& at) const {
  LinkItem* nearest = nullptr;
  double best = link_reach;
  const auto found = items(QRectF(at - QPointF(link_reach, link_reach), QSizeF(2 * link_reach, 2 * link_reach)));
  for (QGraphicsItem* item : found) {
    auto* link = qgraphicsitem_cast<LinkItem*>(item);
    if (link == nullptr || std::find(links_.begin(), links_.end(), link) == links_.end()) continue;
    const double distance = link->distance(at);
    if (distance > best) continue;
    best = distance;
    nearest = link;
  }
  return nearest;
}

std::optional<std::size_t> CanvasScene::frame_at(const QPointF& at) const {
  for (std::size_t i = frames_.size(); i-- > 0;)
    if (frames_[i]->title_area().contains(at)) return i;
  return {};
}
std::optional<std::size_t> CanvasScene::frame_corner_at(const QPointF& at) const {
  for (std::size_t i = frames_.size(); i-- > 0;)
    if (frames_[i]->corner_area().contains(at)) return i;
  return {};
}

QStringList CanvasScene::nodes_in(const QRectF& area) const {
  QStringList ids;
  for (const NodeItem* item : nodes_)
    if (area.intersects(item->scene_rect())) ids << item->id();
  return ids;
}

QRectF CanvasScene::all_cards() const { return cards(nodes_.keys()); }
QRectF CanvasScene::cards(const QStringList& ids) const {
  QRectF all;
  for (const QString& id : ids)
    if (const NodeItem* item = node(id)) all |= item->scene_rect();
  return all;
}

void CanvasScene::choose_link(LinkItem* link) {
  if (link == chosen_link_) return;
  if (chosen_link_ != nullptr) chosen_link_->set_look(LinkItem::Look::plain);
  chosen_link_ = link;
  if (link == nullptr) return;
  editor_.selection().clear();
  choose_frame({});
  link->set_look(LinkItem::Look::selected);
}

void CanvasScene::choose_frame(const std::optional<std::size_t>& frame) {
  if (frame == chosen_frame_) return;
  chosen_frame_ = frame;
  if (frame) {
    editor_.selection().clear();
    choose_link(nullptr);
  }
  for (std::size_t i = 0; i < frames_.size(); ++i)
    frames_[i]->set_mark(chosen_frame_ == i ? FrameItem::Mark::selected : FrameItem::Mark::none);
}

void CanvasScene::paint_behind_cards(QPainter& painter, const QRectF& area) {
  painter.save();
  for (const FrameItem* frame : frames_)
    if (frame->boundingRect().intersects(area)) frame->paint_background(&painter);
  for (LinkItem* link : links_)
    if (link->boundingRect().intersects(area)) link->paint_background(&painter, area);
  painter.restore();
}

void CanvasScene::drawBackground(QPainter* painter, const QRectF& area) { paint_behind_cards(*painter, area); }

void CanvasScene::hover(LinkItem* link) {
  if (link == hovered_) return;
  if (hovered_ != nullptr && hovered_->look() == LinkItem::Look::hovered) hovered_->set_look(LinkItem::Look::plain);
  hovered_ = link;
  if (link != nullptr && link->look() == LinkItem::Look::plain) link->set_look(LinkItem::Look::hovered);
}

}  // namespace tl::ui
