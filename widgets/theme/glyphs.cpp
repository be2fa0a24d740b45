// Glyphs: makes icons for buttons: paths on a grid of 16 x 16, and the icon engine that paints them.
#include "widgets/theme/glyphs.h"

#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <cmath>

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

// A circle of which the right half is hatched.
QPainterPath half_circle() {
  QPainterPath path = lines({{8, 1.5}, {8, 14.5}});
  for (const double y : {4.0, 6.0, 8.0, 10.0, 12.0})
    path.addPath(lines({{8, y}, {8 + std::sqrt(6.5 * 6.5 - (y - 8) * (y - 8)), y}}));
  return circled(path);
}

QPainterPath corners() {
  QPainterPath path = lines({{2, 6}, {2, 2}, {6, 2}});
  path.addPath(lines({{10, 2}, {14, 2}, {14, 6}}));
  path.addPath(lines({{14, 10}, {14, 14}, {10, 14}}));
  path.addPath(lines({{6, 14}, {2, 14}, {2, 10}}));
  return path;
}

QPainterPath curve_on_axes() {
  QPainterPath path = lines({{2, 2}, {2, 14}, {14, 14}});
  QPainterPath curve(QPointF(4, 11));
  curve.cubicTo({7, 11}, {7, 4}, {9, 4});
  curve.cubicTo({11, 4}, {11, 9}, {14, 9});
  path.addPath(curve);
  return path;
}

QPainterPath double_arrow() {
  QPainterPath path = lines({{2, 8}, {14, 8}});
  path.addPath(lines({{2, 4.5}, {2, 11.5}}));
  path.addPath(lines({{14, 4.5}, {14, 11.5}}));
  path.addPath(lines({{5, 5.5}, {2.5, 8}, {5, 10.5}}));
  path.addPath(lines({{11, 5.5}, {13.5, 8}, {11, 10.5}}));
  return path;
}

QPainterPath angle_sign() {
  QPainterPath path = lines({{11.5, 2}, {2.5, 13.5}, {14, 13.5}});
  path.arcMoveTo(QRectF(-5, 6, 15, 15), 0);
  path.arcTo(QRectF(-5, 6, 15, 15), 0, 52);
  return path;
}

QPainterPath cross_hair() {
  QPainterPath path;
  path.addEllipse(QPointF(8, 8), 3.5, 3.5);
  for (const auto& [from, to] : {std::pair{QPointF(8, 1), QPointF(8, 4.5)},
                                 {QPointF(8, 11.5), QPointF(8, 15)},
                                 {QPointF(1, 8), QPointF(4.5, 8)},
                                 {QPointF(11.5, 8), QPointF(15, 8)}})
    path.addPath(lines({from, to}));
  return path;
}

QPainterPath three_circles() {
  QPainterPath path;
  for (const QPointF& centre : {QPointF(8, 5.5), QPointF(5.5, 10), QPointF(10.5, 10)}) path.addEllipse(centre, 4, 4);
  return path;
}

QPainterPath photo_camera() {
  QPainterPath path;
  path.addRoundedRect(QRectF(1.5, 4.5, 13, 9), 1.5, 1.5);
  path.addEllipse(QPointF(8, 9), 2.7, 2.7);
  path.addPath(lines({{5.5, 4.5}, {6.5, 2.5}, {9.5, 2.5}, {10.5, 4.5}}));
  return path;
}

QPainterPath brush_sign() {
  QPainterPath path = lines({{13.5, 2.5}, {7.5, 8.5}});
  QPainterPath tip(QPointF(7.5, 8.5));
  tip.cubicTo({5, 8}, {3.6, 9.6}, {3.8, 11.2});
  tip.cubicTo({3.9, 12.4}, {3, 13.2}, {2, 13.4});
  tip.cubicTo({5, 14.6}, {9, 13.4}, {7.5, 8.5});
  path.addPath(tip);
  return path;
}

QPainterPath ball_sign() {
  QPainterPath path;
  path.addEllipse(QPointF(8, 8), 6, 6);
  path.arcMoveTo(QRectF(2, 5.6, 12, 4.8), 180);
  path.arcTo(QRectF(2, 5.6, 12, 4.8), 180, 180);
  return path;
}

QPainterPath eraser_sign() {
  QPainterPath path = lines({{9.5, 2.5}, {14, 7}, {8, 13}, {5, 13}, {2, 10}});
  path.closeSubpath();
  path.addPath(lines({{5.8, 6.2}, {10.3, 10.7}}));
  path.addPath(lines({{8, 13}, {14, 13}}));
  return path;
}

QPainterPath lasso_sign() {
  QPainterPath path;
  path.addEllipse(QPointF(8.5, 6), 6, 4);
  QPainterPath rope(QPointF(4.2, 8.9));
  rope.cubicTo({2.4, 10.2}, {5.8, 11.4}, {4.6, 14});
  path.addPath(rope);
  return path;
}

QPainterPath bucket_sign() {
  QPainterPath path = lines({{7, 2.5}, {12.5, 8}, {7, 13.5}, {1.5, 8}});
  path.closeSubpath();
  path.addPath(lines({{1.9, 8}, {12.1, 8}}));
  QPainterPath drop(QPointF(14, 10));
  drop.cubicTo({15.4, 12.4}, {15, 13.5}, {14, 13.5});
  drop.cubicTo({13, 13.5}, {12.6, 12.4}, {14, 10});
  path.addPath(drop);
  return path;
}

// A histogram of which a range is marked.
QPainterPath threshold_sign() {
  QPainterPath path = lines({{1.5, 13.5}, {14.5, 13.5}});
  QPainterPath curve(QPointF(2, 13.5));
  curve.cubicTo({6, 13.5}, {5.5, 4}, {8, 4});
  curve.cubicTo({10.5, 4}, {10, 13.5}, {14, 13.5});
  path.addPath(curve);
  path.addPath(lines({{5, 1.5}, {5, 13.5}}));
  path.addPath(lines({{11, 1.5}, {11, 13.5}}));
  return path;
}

// Two slices with another one between them.
QPainterPath slices_sign() {
  QPainterPath path;
  for (const double y : {1.5, 9.5}) {
    QPainterPath slice = lines({{8, y}, {14, y + 2.5}, {8, y + 5}, {2, y + 2.5}});
    slice.closeSubpath();
    path.addPath(slice);
  }
  path.addPath(lines({{2, 8}, {4, 8.8}}));
  path.addPath(lines({{14, 8}, {12, 8.8}}));
  return path;
}

QPainterPath painting_glyph(Glyph glyph) {
  switch (glyph) {
    case Glyph::brush: return brush_sign();
    case Glyph::ball: return ball_sign();
    case Glyph::eraser: return eraser_sign();
    case Glyph::lasso: return lasso_sign();
    case Glyph::fill: return bucket_sign();
    case Glyph::threshold: return threshold_sign();
    case Glyph::interpolate: return slices_sign();
    default: return {};
  }
}

QPainterPath measuring_glyph(Glyph glyph) {
  QPainterPath path;
  switch (glyph) {
    case Glyph::contrast: return half_circle();
    case Glyph::fit: return corners();
    case Glyph::profile: return curve_on_axes();
    case Glyph::region:
      path.addRect(QRectF(2.5, 3.5, 11, 9));
      for (const QPointF& corner : {QPointF(2.5, 3.5), QPointF(13.5, 12.5)}) path.addEllipse(corner, 1.3, 1.3);
      return path;
    case Glyph::distance: return double_arrow();
    case Glyph::angle: return angle_sign();
    case Glyph::probe: return cross_hair();
    case Glyph::colors: return three_circles();
    case Glyph::camera: return photo_camera();
    case Glyph::zoom_in:
    case Glyph::zoom_out:
      path = magnifier();
      path.addPath(lines({{4.8, 7}, {9.2, 7}}));
      if (glyph == Glyph::zoom_in) path.addPath(lines({{7, 4.8}, {7, 9.2}}));
      return path;
    default: return painting_glyph(glyph);
  }
}

QPainterPath outline(Glyph glyph) {
  QPainterPath path;
  switch (glyph) {
    case Glyph::mark: return weave();
    case Glyph::search: return magnifier();
    case Glyph::run:
      path = lines({{4.5, 2.5}, {13, 8}, {4.5, 13.5}});
      path.closeSubpath();
      return path;
    case Glyph::stop: path.addRoundedRect(QRectF(3.5, 3.5, 9, 9), 1.5, 1.5); return path;
    case Glyph::reset: return reset_arrow();
    case Glyph::folder:
      path = lines({{2, 13}, {2, 3.5}, {6, 3.5}, {7.5, 5.5}, {14, 5.5}, {14, 13}});
      path.closeSubpath();
      return path;
    case Glyph::file:
      path = lines({{3.5, 14}, {3.5, 2}, {9.5, 2}, {12.5, 5}, {12.5, 14}});
      path.closeSubpath();
      return path;
    case Glyph::link: return chain_link();
    case Glyph::chevron_down: return lines({{4, 6}, {8, 10}, {12, 6}});
    case Glyph::chevron_up: return lines({{4, 10}, {8, 6}, {12, 10}});
    case Glyph::chevron_right: return lines({{6, 4}, {10, 8}, {6, 12}});
    case Glyph::chevron_left: return lines({{10, 4}, {6, 8}, {10, 12}});
    case Glyph::tick: return lines({{3.5, 8.2}, {6.6, 11.3}, {12.5, 4.8}});
    case Glyph::cross:
      path = lines({{4, 4}, {12, 12}});
      path.addPath(lines({{12, 4}, {4, 12}}));
      return path;
    case Glyph::nabla:
      path = lines({{2.5, 3.5}, {13.5, 3.5}, {8, 13}});
      path.closeSubpath();
      return path;
    case Glyph::warning: return triangle_sign();
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
    case Glyph::table: return grid_sign();
    case Glyph::sparkle:
      path = lines({{8, 1.5}, {9.6, 6.4}, {14.5, 8}, {9.6, 9.6}, {8, 14.5}, {6.4, 9.6}, {1.5, 8}, {6.4, 6.4}});
      path.closeSubpath();
      return path;
    default: return measuring_glyph(glyph);
  }
}

bool is_filled(Glyph glyph) { return glyph == Glyph::run || glyph == Glyph::stop; }

class GlyphEngine final : public QIconEngine {
 public:
  GlyphEngine(Glyph glyph, Token token, GlyphGround ground) : glyph_(glyph), token_(token), ground_(ground) {}
  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State /*state*/) override {
    const Token token = mode == QIcon::Disabled ? Token::border : token_;
    const Theme& theme = Theme::instance();
    paint_glyph(*painter, glyph_, rect,
                ground_ == GlyphGround::picture ? theme.picture_color(token) : theme.color(token));
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
  GlyphGround ground_;
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

QIcon glyph_icon(Glyph glyph, Token token, GlyphGround ground) { return QIcon(new GlyphEngine(glyph, token, ground)); }

}  // namespace tl::ui
