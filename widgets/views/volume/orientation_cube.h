// OrientationCube: a small cube that shows how the 3D view is turned; a click on a face looks at it from the front.
#pragma once

#include <QColor>
#include <QPolygonF>
#include <QRectF>
#include <QString>
#include <array>
#include <optional>

class QPainter;

namespace tl::ui {

// Faces in the order of VolumeScene::clip: -x, x, -y, y, -z, z.
struct OrientationCube {
  static constexpr std::size_t faces = 6;
  double turn = 0, rise = 0;  // as in VolumeScene [rad]
  QRectF area;

  static QRectF corner_rect(QSizeF pane);  // upper right corner; empty if the pane is too small
  static QString face_name(std::size_t face);
  struct Angles {
    double turn = 0, rise = 0;
  };
  static Angles looking_at(std::size_t face);

  [[nodiscard]] std::optional<std::size_t> face_at(QPointF point) const;
  struct Colors {
    std::array<QColor, 3> axes;  // colours of the faces normal to x, y, z
    QColor text, hovered;
  };
  void paint(QPainter& painter, const Colors& colors, std::optional<std::size_t> hovered) const;

 private:
  // Corners in reading direction of the face's text: upper left, upper right, lower right, lower left.
  [[nodiscard]] QPolygonF outline(std::size_t face) const;
  [[nodiscard]] bool is_visible_face(std::size_t face) const;
};

}  // namespace tl::ui
