// CardPainter: paints a card: body, title, state, image, rows, foot, progress, ports.
#pragma once

#include <QPainter>
#include <QSet>

#include "widgets/canvas/items/card.h"

namespace tl::ui {

class CardPainter {
 public:
  // `zoom`: screen pixels per unit, which determines the level of detail. Text is enlarged on smaller cards, so that it
  // stays readable; still smaller cards have no rows, tiny ones no text.
  CardPainter(QPainter& painter, const Card& card, double zoom);

  enum class Edge { plain, selected, current };
  void body(Edge edge) const;
  void ports(const QSet<QString>& lit, Side side) const;

 private:
  void shadow() const;
  void title() const;
  [[nodiscard]] QStringList title_lines() const;  // as many lines as fit at this zoom
  [[nodiscard]] QFont title_font() const;
  [[nodiscard]] QFont small_font() const;
  [[nodiscard]] QFont row_font(int nominal, const QFont& base) const;
  void row(const CardRow& row, const QRectF& area) const;
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
  double zoom_;
};

}  // namespace tl::ui
