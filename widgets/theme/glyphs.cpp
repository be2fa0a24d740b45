// Glyphs: paths on a grid of 16 x 16, and the icon engine that paints them.
#include "widgets/theme/glyphs.h"

#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>

#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

QPainterPath lines(std::initializer_list<QPointF> points) {
  // Not isEmpty(): a path with only a start point counts as empty.
  QPainterPath path(*points.begin());
  for (const QPointF& p : points) path.lineTo(p);
  return path;
}

QPainterPath triangle_sign() {
  QPainterPath path = lines({{8, 2.5}, {14.5, 13.5}, {1.5, 13.5}});
  path.closeSubpath();
  path.addPath(lines({{8, 6.5}, {8, 9.5}}));
  path.addPath(lines({{8, 11.4}, {8, 11.6}}));
  return path;
}

QPainterPath circled(const QPainterPath& inner) {
  QPainterPath path;
  path.addEllipse(QPointF(8, 8), 6.5, 6.5);
  path.addPath(inner);
  return path;
}

QPainterPath reset_arrow() {
  QPainterPath path;
  path.arcMoveTo(QRectF(3, 3, 10, 10), 150);
  path.arcTo(QRectF(3, 3, 10, 10), 150, -290);
  path.addPath(lines({{3.2, 2.2}, {3.4, 5.8}, {7, 5.6}}));
  return path;
}

QPainterPath chain_link() {
  QPainterPath path;
  path.addRoundedRect(QRectF(1.5, 5.5, 7, 5), 2.5, 2.5);
  path.addRoundedRect(QRectF(7.5, 5.5, 7, 5), 2.5, 2.5);
  return path;
}

QPainterPath magnifier() {
  QPainterPath path;
  path.addEllipse(QPointF(7, 7), 4.5, 4.5);
  path.addPath(lines({{10.4, 10.4}, {14, 14}}));
  return path;
}

QPainterPath weave() {
  QPainterPath path;
  path.addRoundedRect(QRectF(2, 2, 12, 12), 3, 3);
  path.addPath(lines({{5.5, 2}, {5.5, 6}}));
  path.addPath(lines({{5.5, 10}, {5.5, 14}}));
  path.addPath(lines({{10.5, 6}, {10.5, 14}}));
  path.addPath(lines({{2, 6}, {14, 6}}));
  path.addPath(lines({{2, 10}, {10.5, 10}}));
  return path;
}

QPainterPath grid_sign() {
  QPainterPath path;
  path.addRoundedRect(QRectF(2, 3, 12, 10), 1.5, 1.5);
  path.addPath(lines({{2, 6.5}, {14, 6.5}}));
  path.addPath(lines({{7, 6.5}, {7, 13}}));
  return path;
}

QPainterPath outline(Glyph glyph) {
  QPainterPath path;
  switch (glyph) {
    case Glyph::mark:
      return weave();
    case Glyph::search:
      return magnifier();
    case Glyph::run:
      path = lines({{4.5, 2.5}, {13, 8}, {4.5, 13.5}});
      path.closeSubpath();
      return path;
    case Glyph::stop:
      path.addRoundedRect(QRectF(3.5, 3.5, 9, 9), 1.5, 1.5);
      return path;
    case Glyph::reset:
      return reset_arrow();
    case Glyph::folder:
      path = lines({{2, 13}, {2, 3.5}, {6, 3.5}, {7.5, 5.5}, {14, 5.5}, {14, 13}});
      path.closeSubpath();
      return path;
    case Glyph::file:
      path = lines({{3.5, 14}, {3.5, 2}, {9.5, 2}, {12.5, 5}, {12.5, 14}});
      path.closeSubpath();
      return path;
    case Glyph::link:
      return chain_link();
    case Glyph::chevron_down:
      return lines({{4, 6}, {8, 10}, {12, 6}});
    case Glyph::chevron_up:
      return lines({{4, 10}, {8, 6}, {12, 10}});
    case Glyph::chevron_right:
      return lines({{6, 4}, {10, 8}, {6, 12}});
    case Glyph::chevron_left:
      return lines({{10, 4}, {6, 8}, {10, 12}});
    case Glyph::tick:
      return lines({{3.5, 8.2}, {6.6, 11.3}, {12.5, 4.8}});
    case Glyph::cross:
      path = lines({{4, 4}, {12, 12}});
      path.addPath(lines({{12, 4}, {4, 12}}));
      return path;
    case Glyph::nabla:
      path = lines({{2.5, 3.5}, {13.5, 3.5}, {8, 13}});
      path.closeSubpath();
      return path;
    case Glyph::warning:
      return triangle_sign();
    case Glyph::error:
      path = lines({{5.6, 5.6}, {10.4, 10.4}});
      path.addPath(lines({{10.4, 5.6}, {5.6, 10.4}}));
      return circled(path);
    case Glyph::info:
      path = lines({{8, 7.5}, {8, 11.5}});
      path.addPath(lines({{8, 4.8}, {8, 5}}));
      return circled(path);
    case Glyph::menu:
      path = lines({{2.5, 4}, {13.5, 4}});
      path.addPath(lines({{2.5, 8}, {13.5, 8}}));
      path.addPath(lines({{2.5, 12}, {13.5, 12}}));
      return path;
    case Glyph::table:
      return grid_sign();
    case Glyph::sparkle:
      path = lines({{8, 1.5}, {9.6, 6.4}, {14.5, 8}, {9.6, 9.6}, {8, 14.5}, {6.4, 9.6}, {1.5, 8}, {6.4, 6.4}});
      path.closeSubpath();
      return path;
  }
  return path;
}

bool is_filled(Glyph glyph) { return glyph == Glyph::run || glyph == Glyph::stop; }

class GlyphEngine final : public QIconEngine {
 public:
  GlyphEngine(Glyph glyph, Token token) : glyph_(glyph), token_(token) {}
  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State /*state*/) override {
    const Token token = mode == QIcon::Disabled ? Token::border : token_;
    paint_glyph(*painter, glyph_, rect, Theme::instance().color(token));
  }
  [[nodiscard]] QIconEngine* clone() const override { return new GlyphEngine(*this); }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    if (pixmap.isNull()) return pixmap;  // a button without size requests an icon of size 0
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return pixmap;
  }

 private:
  Glyph glyph_;
  Token token_;
};

}  // namespace

void paint_glyph(QPainter& painter, Glyph glyph, const QRectF& rect, const QColor& color) {
  constexpr qreal grid = 16, stroke = 1.5;
  const qreal side = std::min(rect.width(), rect.height());
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(rect.center() - QPointF(side / 2, side / 2));
  painter.scale(side / grid, side / grid);
  painter.setPen(QPen(color, stroke, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(is_filled(glyph) ? QBrush(color) : QBrush(Qt::NoBrush));
  painter.drawPath(outline(glyph));
  painter.restore();
}

QIcon glyph_icon(Glyph glyph, Token token) { return QIcon(new GlyphEngine(glyph, token)); }

}  // namespace tl::ui
