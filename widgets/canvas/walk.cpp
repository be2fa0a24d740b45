// Walk: moves the selection to the next card in the direction of an arrow key.
#include "widgets/canvas/walk.h"

#include <cmath>
#include <limits>

namespace tl::ui {
namespace {

// The nearest card in a direction; the perpendicular distance counts double, so that rows and columns are followed.
QString nearest(const CanvasScene& scene, const NodeItem& from, const QPointF& direction) {
  QString best;
  double least = std::numeric_limits<double>::max();
  const auto all = scene.nodes();
  for (const NodeItem* item : all) {
    const QPointF d = item->scene_rect().center() - from.scene_rect().center();
    const double along = QPointF::dotProduct(d, direction);
    const double across = std::abs(d.x() * direction.y()) + std::abs(d.y() * direction.x());
    if (item == &from || along <= 1 || along + 2 * across >= least) continue;
    least = along + 2 * across;
    best = item->id();
  }
  return best;
}

QString along_links(const CanvasScene& scene, const QString& current, std::string Link::*here,
                    std::string Link::*there) {
  const NodeItem* best = nullptr;
  for (const LinkItem* item : scene.links()) {
    if (QString::fromStdString(item->link().*here) != current) continue;
    const NodeItem* other = scene.node(QString::fromStdString(item->link().*there));
    if (other != nullptr && (best == nullptr || other->pos().y() < best->pos().y())) best = other;
  }
  return best == nullptr ? QString() : best->id();
}

}  // namespace

QString next_card(const CanvasScene& scene, const QString& current, int key) {
  const NodeItem* from = scene.node(current);
  const auto all = scene.nodes();
  if (from == nullptr) {
    const NodeItem* first = nullptr;
    for (const NodeItem* item : all)
      if (first == nullptr || item->pos().x() < first->pos().x()) first = item;
    return first == nullptr ? QString() : first->id();
  }
  if (key == Qt::Key_Up) return nearest(scene, *from, {0, -1});
  if (key == Qt::Key_Down) return nearest(scene, *from, {0, 1});
  const bool right = key == Qt::Key_Right;
  const QString linked = right ? along_links(scene, current, &Link::from_node, &Link::to_node)
                               : along_links(scene, current, &Link::to_node, &Link::from_node);
  return linked.isEmpty() ? nearest(scene, *from, {right ? 1.0 : -1.0, 0}) : linked;
}

}  // namespace tl::ui
