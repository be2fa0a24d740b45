// BoxEdges: an edge's layer follows from the faces at its sides.
#include "widgets/views/scene/volume_box.h"

#include <QPainter>
#include <QPainterPath>

namespace tl::ui {
namespace {

constexpr float behind_alpha = 0.45F, front_alpha = 0.25F;

double coordinate(Vec3 v, std::size_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
Vec3 point(const std::array<double, 3>& at) { return {at[0], at[1], at[2]}; }

}  // namespace

void BoxEdges::paint_behind(QPainter& painter) const { paint(painter, Layer::behind); }
void BoxEdges::paint_in_front(QPainter& painter) const { paint(painter, Layer::front); }

void BoxEdges::paint(QPainter& painter, Layer layer) const {
  const Vec3 forwards = (1 / camera.distance) * (camera.focus - camera.eye);
  const auto faces_camera = [&](std::size_t axis, std::size_t side) {
    const double eye = coordinate(camera.eye, axis), face = bounds.at(2 * axis + side);
    return side == 0 ? eye < face : eye > face;
  };
  QColor ink = color;
  ink.setAlphaF(layer == Layer::front ? front_alpha : behind_alpha);
  painter.setRenderHint(QPainter::Antialiasing);
  QPainterPath lines;  // one path, so that lines that meet are not twice as bright there
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t corner = 0; corner < 4; ++corner) {
      const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
      const std::size_t side_u = corner % 2, side_v = corner / 2;
      const bool is_front = faces_camera(u, side_u) && faces_camera(v, side_v);
      if (is_front != (layer == Layer::front)) continue;
      std::array<double, 3> from{}, to{};
      from[u] = to[u] = bounds.at(2 * u + side_u);
      from[v] = to[v] = bounds.at(2 * v + side_v);
      from[axis] = bounds.at(2 * axis);
      to[axis] = bounds.at(2 * axis + 1);
      Vec3 a = point(from), b = point(to);
      // The part behind the camera cannot be projected into the image.
      const double near = 1e-3 * camera.distance;
      double depth_a = dot(a - camera.eye, forwards), depth_b = dot(b - camera.eye, forwards);
      if (depth_a < near && depth_b < near) continue;
      if (depth_a > depth_b) {
        std::swap(a, b);
        std::swap(depth_a, depth_b);
      }
      if (depth_a < near) a = a + ((near - depth_a) / (depth_b - depth_a)) * (b - a);
      lines.moveTo(camera.project(a, picture));
      lines.lineTo(camera.project(b, picture));
    }
  painter.strokePath(lines, QPen(ink, width, Qt::SolidLine, Qt::FlatCap));
}

}  // namespace tl::ui
