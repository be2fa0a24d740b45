// Edges of the box around a volume: those on its far side are painted below the object, those on the near side over it.
#pragma once

#include <QColor>
#include <QSizeF>
#include <array>

#include "widgets/views/scene/volume_camera.h"

class QPainter;

namespace tl::ui {

struct BoxEdges {
  VolumeCamera camera;
  std::array<double, 6> bounds{};  // x, y, z from and to; the volume is centred at the origin
  QColor color;
  double width = 1;  // px
  QSizeF picture;

  // Far side and outline, to be painted before the object.
  void paint_behind(QPainter& painter) const;
  // Edges between two faces that both face the camera: thin lines, so that the object stays well visible.
  void paint_in_front(QPainter& painter) const;

 private:
  enum class Layer { behind, front };
  void paint(QPainter& painter, Layer layer) const;
};

}  // namespace tl::ui
