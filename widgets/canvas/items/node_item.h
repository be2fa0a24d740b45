// NodeItem: the graphics item of a card: paints it and does hit tests; CanvasView's tools handle the mouse.
#pragma once

#include <QGraphicsItem>
#include <QPixmap>
#include <QSet>

#include "widgets/canvas/items/card.h"
#include "widgets/canvas/items/repaint_budget.h"

namespace tl::ui {

class NodeItem final : public QGraphicsItem {
 public:
  enum { Type = UserType + 1 };
  explicit NodeItem(RepaintBudget& time);  // `time` must outlive the item

  void set_card(Card card);
  [[nodiscard]] const Card& card() const { return card_; }
  [[nodiscard]] const QString& id() const { return card_.id; }
  enum class Mark { none, selected, current };
  void set_mark(Mark mark);
  // While a link is dragged, ports that fit are highlighted and other cards are dimmed.
  void light(const QSet<QString>& ports, Side side);
  void dim();
  void clear_light();
  // scaled: while zooming, the last painted pixmap is shown scaled, since painting text takes too long for every frame.
  enum class Detail { sharp, scaled };
  void set_detail(Detail detail);
  [[nodiscard]] bool is_sharp() const { return detail_ == Detail::sharp; }  // at the next frame with enough time
  // The last frame had no time to repaint it: it shows the old pixmap, or the card without text.
  [[nodiscard]] bool is_late() const { return late_; }

  [[nodiscard]] QPointF port_at_scene(const CardPort& port) const { return mapToScene(port.at); }
  // The port near a point of the scene, with a tolerance; nullptr: none.
  [[nodiscard]] const CardPort* port_near(const QPointF& scene) const;
  [[nodiscard]] QRectF card_rect() const { return {QPointF(0, 0), card_.size}; }
  [[nodiscard]] QRectF scene_rect() const { return mapRectToScene(card_rect()); }
  [[nodiscard]] QString tip(const QPointF& scene) const;  // tool tip for a point of the scene

  [[nodiscard]] int type() const override { return Type; }
  [[nodiscard]] QRectF boundingRect() const override;
  [[nodiscard]] QPainterPath shape() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  void repaint_card();
  void repaint(double scale, double ratio, const QFont& font);  // in device pixels, `ratio` of them per pixel
  enum class Light { none, lit, dimmed };
  Card card_;
  Mark mark_ = Mark::none;
  Light light_ = Light::none;
  QSet<QString> lit_;
  Side lit_side_ = Side::input;
  Detail detail_ = Detail::sharp;
  RepaintBudget& time_;
  QPixmap painted_;        // null: not painted yet, or painted for another size
  double painted_at_ = 0;  // device pixels per unit
  bool outdated_ = false;  // the card changed since it was painted
  bool late_ = false;
};

}  // namespace tl::ui
