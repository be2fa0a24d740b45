// MoveDrag: drags cards, frames and corners of frames: moves them in steps of the grid, and inserts a card dropped on a
// link.
#include "widgets/canvas/move_drag.h"

#include <cmath>

namespace tl::ui {
namespace {

QPointF snapped(const QPointF& at, Snap snap) {
  if (snap == Snap::free) return at;
  return {std::round(at.x() / grid_step) * grid_step, std::round(at.y() / grid_step) * grid_step};
}
}  // namespace

void MoveDrag::take(const QStringList& nodes) {
  from_.clear();
  for (const QString& id : nodes)
    if (const NodeItem* item = scene_.node(id)) from_[id] = item->pos();
  onto_.reset();
  moved_ = false;
}

void MoveDrag::begin_cards(const QPointF& at) {
  what_ = What::cards;
  start_ = at;
  take(scene_.editor().selection().nodes());
}

void MoveDrag::begin_frame(std::size_t frame, const QPointF& at) {
  what_ = What::frame;
  start_ = at;
  frame_ = frame;
  frame_area_ = scene_.frames()[frame]->frame().area;
  QStringList inside;
  for (const NodeItem* item : scene_.nodes())
    if (frame_area_.contains(item->scene_rect())) inside << item->id();
  take(inside);
}

void MoveDrag::begin_corner(std::size_t frame, const QPointF& at) {
  begin_frame(frame, at);
  what_ = What::corner;
  from_.clear();
}

std::optional<Link> MoveDrag::link_below(const QPointF& at) const {
  if (from_.size() != 1) return {};
  const LinkItem* below = scene_.link_at(at);
  if (below == nullptr) return {};
  const std::string node = from_.firstKey().toStdString();
  const Link link = below->link();
  if (link.from_node == node || link.to_node == node) return {};
  Graph trial = scene_.editor().document().graph();
  const Registry& registry = scene_.editor().document().registry();
  return edit::insert_on_link(trial, registry, node, link).ok() ? std::optional(link) : std::nullopt;
}

void MoveDrag::follow(const QPointF& at, Snap snap) {
  if (what_ == What::nothing) return;
  const QPointF shift = at - start_;
  moved_ = moved_ || !shift.isNull();
  if (what_ == What::corner || what_ == What::frame) {
    FrameItem* item = scene_.frames()[frame_];
    Layout::Frame frame = item->frame();
    if (what_ == What::frame) {
      frame.area = frame_area_.translated(snapped(frame_area_.topLeft() + shift, snap) - frame_area_.topLeft());
    } else {
      const QPointF end = snapped(frame_area_.bottomRight() + shift, snap);
      frame.area.setBottomRight({std::max(end.x(), frame_area_.left() + Layout::smallest_frame),
                                 std::max(end.y(), frame_area_.top() + Layout::smallest_frame)});
    }
    item->set_frame(frame);
  }
  const QPointF frame_shift =
      what_ == What::frame ? scene_.frames()[frame_]->frame().area.topLeft() - frame_area_.topLeft() : shift;
  for (auto i = from_.begin(); i != from_.end(); ++i)
    scene_.place(i.key(), what_ == What::frame ? i.value() + frame_shift : snapped(i.value() + shift, snap));
  if (what_ != What::cards) return;
  onto_ = link_below(at);
  for (LinkItem* link : scene_.links())
    if (link->look() != LinkItem::Look::idle)
      link->set_look(onto_ && link->link() == *onto_ ? LinkItem::Look::selected : LinkItem::Look::plain);
}

QMap<QString, QPointF> MoveDrag::places() const {
  QMap<QString, QPointF> all;
  for (auto i = from_.begin(); i != from_.end(); ++i)
    if (const NodeItem* item = scene_.node(i.key())) all[i.key()] = item->pos();
  return all;
}

void MoveDrag::finish() {
  const What what = what_;
  what_ = What::nothing;
  if (!moved_) return;
  GraphEditor& editor = scene_.editor();
  if (what == What::cards && onto_)
    editor.move_and_insert(places(), from_.firstKey(), *onto_);
  else if (what == What::cards)
    editor.move(places());
  else if (what != What::nothing)
    editor.move_frame(frame_, scene_.frames()[frame_]->frame().area, places());
  scene_.sync();
}

void MoveDrag::cancel() {
  what_ = What::nothing;
  scene_.sync();
}

}  // namespace tl::ui
