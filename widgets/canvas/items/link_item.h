// LinkItem: a link between two cards, drawn as a curve in its type's colour; also the link being dragged. The plain
// line of a link is part of the scene's background, which is cached as an image while the view is panned; highlights
// are drawn over it.
#pragma once

#include <QGraphicsItem>
#include <QPainterPath>
#include <vector>

#include "core/graph/graph.h"

namespace tl::ui {

class LinkItem final : public QGraphicsItem {
 public:
  enum { Type = UserType + 2 };
  enum class Layer { background, item };
  explicit LinkItem(Layer layer);
  ~LinkItem() override;

  void set_link(const Link& link, PortType type);
  [[nodiscard]] const Link& link() const { return link_; }
  [[nodiscard]] PortType port_type() const { return port_type_; }
  // The link is routed around these cards if it would pass behind them.
  void set_ends(const QPointF& from, const QPointF& to, const std::vector<QRectF>& cards = {});
  [[nodiscard]] const QPainterPath& path() const { return path_; }
  enum class Look { plain, hovered, selected, refused, idle };
  void set_look(Look look);
  [[nodiscard]] Look look() const { return look_; }
  // Distance of a point from the line, in scene units.
  [[nodiscard]] double distance(const QPointF& scene) const;

  [[nodiscard]] int type() const override { return Type; }
  [[nodiscard]] QRectF boundingRect() const override;
  [[nodiscard]] QPainterPath shape() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;
  // Paints the part of the plain line inside `area` (scene), for the background; nothing if the link is hidden, refused
  // or idle.
  void paint_background(QPainter* painter, const QRectF& area);

 protected:
  QVariant itemChange(GraphicsItemChange change, const QVariant& value) override;

 private:
  [[nodiscard]] bool is_in_background() const;
  void update_background();
  void paint_plain(QPainter* painter, const QRectF& area);
  void make_pieces();
  Layer layer_;
  Link link_;
  PortType port_type_{};
  QPainterPath path_;
  // The outline of the plain line, in short pieces from end to end; empty: not made yet.
  struct Piece {
    QPolygonF outline;
    QRectF bounds;
  };
  std::vector<Piece> pieces_;
  Look look_ = Look::plain;
};

}  // namespace tl::ui
