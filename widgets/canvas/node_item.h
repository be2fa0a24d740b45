// NodeItem: a card on the canvas. It paints and answers where things are; the tools of the canvas do the rest.
#pragma once

#include <QGraphicsItem>
#include <QPixmap>
#include <QSet>

#include "widgets/canvas/card.h"
#include "widgets/canvas/card_time.h"

namespace tl::ui {

class NodeItem final : public QGraphicsItem {
 public:
  enum { Type = UserType + 1 };
  explicit NodeItem(CardTime& time);  // which must outlive it

  void set_card(Card card);
  [[nodiscard]] const Card& card() const { return card_; }
  [[nodiscard]] const QString& id() const { return card_.id; }
  enum class Mark { none, selected, current };
  void set_mark(Mark mark);
  // While a link is dragged: ports that may take it are lit, everything else steps back. Outside of a drag: nothing.
  void light(const QSet<QString>& ports, Side side);
  void dim();
  void clear_light();
  // While the zoom changes, the card as it was last painted stands in, scaled: text is too slow for every frame.
  enum class Detail { sharp, scaled };
  void set_detail(Detail detail);
  // The last frame had no time for it: it was shown as it had been, or without its words.
  [[nodiscard]] bool is_late() const { return late_; }

  [[nodiscard]] QPointF port_at_scene(const CardPort& port) const { return mapToScene(port.at); }
  // The port under a point of the scene, within a finger's reach; nullptr: none.
  [[nodiscard]] const CardPort* port_near(const QPointF& scene) const;
  [[nodiscard]] QRectF card_rect() const { return {QPointF(0, 0), card_.size}; }
  [[nodiscard]] QRectF scene_rect() const { return mapRectToScene(card_rect()); }
  [[nodiscard]] QString tip(const QPointF& scene) const;  // tool tip of what is under the point

  [[nodiscard]] int type() const override { return Type; }
  [[nodiscard]] QRectF boundingRect() const override;
  [[nodiscard]] QPainterPath shape() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  void repaint_card();
  void paint_anew(double scale, const QFont& font);
  enum class Light { none, lit, dimmed };
  Card card_;
  Mark mark_ = Mark::none;
  Light light_ = Light::none;
  QSet<QString> lit_;
  Side lit_side_ = Side::input;
  Detail detail_ = Detail::sharp;
  CardTime& time_;
  QPixmap painted_;        // null: never painted, or of another size
  double painted_at_ = 0;  // device pixels per unit
  bool outdated_ = false;  // the card is another one by now
  bool late_ = false;
};

}  // namespace tl::ui
