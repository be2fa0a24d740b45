// LinkItem: a link between two cards, drawn as a cubic curve in its type's colour; also the link being dragged.
#pragma once

#include <QGraphicsItem>
#include <QPainterPath>

#include "core/graph/graph.h"

namespace tl::ui {

class LinkItem final : public QGraphicsItem {
 public:
  enum { Type = UserType + 2 };
  LinkItem();

  void set_link(const Link& link, PortType type);
  [[nodiscard]] const Link& link() const { return link_; }
  [[nodiscard]] PortType port_type() const { return port_type_; }
  void set_ends(const QPointF& from, const QPointF& to);
  enum class Look { plain, hovered, selected, refused, idle };
  void set_look(Look look);
  [[nodiscard]] Look look() const { return look_; }
  // Distance of a point from the line, in scene units.
  [[nodiscard]] double distance(const QPointF& scene) const;

  [[nodiscard]] int type() const override { return Type; }
  [[nodiscard]] QRectF boundingRect() const override;
  [[nodiscard]] QPainterPath shape() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  Link link_;
  PortType port_type_ = PortType::projections;
  QPointF from_, to_;
  QPainterPath path_;
  QPainterPath plain_outline_;  // of the line as it is drawn in the plain look; empty: to be made
  Look look_ = Look::plain;
};

}  // namespace tl::ui
