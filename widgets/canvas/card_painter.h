// CardPainter: paints a card: body, title, state, picture, rows, foot, progress, ports.
#pragma once

#include <QPainter>
#include <QSet>

#include "widgets/canvas/card.h"

namespace tl::ui {

class CardPainter {
 public:
  // The painter's scale sets the detail: small cards have no rows, tiny ones no text.
  CardPainter(QPainter& painter, const Card& card);

  enum class Edge { plain, selected, current };
  void body(Edge edge) const;
  void ports(const QSet<QString>& lit, Side side) const;

 private:
  void shadow() const;
  void title() const;
  void state(const QRectF& area) const;
  [[nodiscard]] double state_text_width() const;
  [[nodiscard]] bool word_in_title() const;
  void picture() const;
  void rows() const;
  void foot() const;
  void progress() const;
  void edge(Edge edge) const;

  QPainter& painter_;
  const Card& card_;
  double scale_;  // device pixels per unit
};

}  // namespace tl::ui
