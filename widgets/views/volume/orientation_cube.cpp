// OrientationCube: parallel projection of a unit cube with the camera's angles.
#include "widgets/views/volume/orientation_cube.h"

#include <QCoreApplication>
#include <QPainter>
#include <QTransform>
#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "core/base/vec3.h"
#include "widgets/theme/theme.h"

namespace tl::ui {
namespace {

constexpr double cube_side = 64, cube_margin = 10, min_pane = 200;  // px
constexpr double steepest = pi / 2 - 1e-3;                          // [rad] steeper views would be upside down
constexpr double min_facing = 0.08;                                 // cosine: narrower faces cannot be clicked

struct Axes {
  Vec3 right, up, out;
};
Axes axes_of(double turn, double rise) {
  Axes a;
  a.out = {std::cos(rise) * std::sin(turn), -std::cos(rise) * std::cos(turn), std::sin(rise)};
  a.right = {std::cos(turn), std::sin(turn), 0};
  a.up = cross(a.out, a.right);
  return a;
}

}  // namespace

QRectF OrientationCube::corner_rect(QSizeF pane) {
  if (pane.width() < min_pane || pane.height() < min_pane) return {};
  return {pane.width() - cube_margin - cube_side, cube_margin, cube_side, cube_side};
}

QString OrientationCube::face_name(std::size_t face) {
  constexpr const char* names[] = {"x", "y", "z"};
  return (face % 2 == 0 ? QStringLiteral("−") : QString()) + QLatin1String(names[face / 2]);
}

OrientationCube::Angles OrientationCube::looking_at(std::size_t face) {
  constexpr std::array<Angles, faces> all{{{-pi / 2, 0}, {pi / 2, 0}, {0, 0}, {pi, 0}, {0, -steepest}, {0, steepest}}};
  return all.at(face);
}

bool OrientationCube::is_visible_face(std::size_t face) const {
  const Angles front = looking_at(face);
  return dot(axes_of(front.turn, front.rise).out, axes_of(turn, rise).out) > min_facing;
}

QPolygonF OrientationCube::outline(std::size_t face) const {
  const Angles front = looking_at(face);
  const Axes of_face = axes_of(front.turn, front.rise), camera = axes_of(turn, rise);
  const double scale = cube_side / std::sqrt(3.0);  // the diagonal fits in any direction
  QPolygonF out;
  constexpr std::array<std::array<double, 2>, 4> corners{{{-0.5, 0.5}, {0.5, 0.5}, {0.5, -0.5}, {-0.5, -0.5}}};
  for (const auto& [u, v] : corners) {
    const Vec3 at = 0.5 * of_face.out + u * of_face.right + v * of_face.up;
    out << area.center() + scale * QPointF(dot(at, camera.right), -dot(at, camera.up));
  }
  return out;
}

std::optional<std::size_t> OrientationCube::face_at(QPointF point) const {
  if (area.isEmpty()) return std::nullopt;
  for (std::size_t face = 0; face < faces; ++face)
    if (is_visible_face(face) && outline(face).containsPoint(point, Qt::OddEvenFill)) return face;
  return std::nullopt;
}

void OrientationCube::paint(QPainter& painter, const Colors& colors, std::optional<std::size_t> hovered) const {
  if (area.isEmpty()) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  constexpr double canvas = 100;  // size of a face in the units in which its name is painted
  QFont font = Theme::text_font();
  font.setPixelSize(48);
  font.setBold(true);
  painter.setFont(font);
  for (std::size_t face = 0; face < faces; ++face) {
    if (!is_visible_face(face)) continue;
    const QPolygonF polygon = outline(face);
    QColor fill = hovered == face ? colors.hovered : colors.axes.at(face / 2);
    if (hovered != face) fill.setAlphaF(0.28F);
    painter.setPen(QPen(colors.axes.at(face / 2), 1));
    painter.setBrush(fill);
    painter.drawPolygon(polygon);
    QTransform onto;
    const QPolygonF square({{0, 0}, {canvas, 0}, {canvas, canvas}, {0, canvas}});
    if (!QTransform::quadToQuad(square, polygon, onto)) continue;
    painter.save();
    painter.setTransform(onto, true);
    painter.setPen(colors.text);
    painter.drawText(QRectF(0, 0, canvas, canvas), Qt::AlignCenter, face_name(face));
    painter.restore();
  }
  painter.restore();
}

}  // namespace tl::ui
