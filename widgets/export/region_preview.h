// RegionPreview: a slice with the frame of the region that is exported; its edges can be dragged.
#pragma once

#include <QImage>
#include <QWidget>

#include "core/base/region.h"

namespace tl::ui {

// GUI thread only. Across and up count voxels of the whole slice; up grows towards the top. Keys: arrows move an edge,
// with Shift by ten voxels; Space takes the next edge.
class RegionPreview final : public QWidget {
  Q_OBJECT
 public:
  RegionPreview(const QString& plane, const QString& name, QWidget* parent = nullptr);
  void show_slice(const QImage& image);
  void show_region(Range across, Range up, int64_t all_across, int64_t all_up);
  [[nodiscard]] QRectF frame() const;  // of the region, in pixels of the widget
  [[nodiscard]] QSize sizeHint() const override { return {132, 132}; }

 Q_SIGNALS:
  void region_moved(const tl::Range& across, const tl::Range& up);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  enum class Edge { left, right, bottom, top };
  [[nodiscard]] QRectF picture_area() const;
  [[nodiscard]] int64_t voxel_at(QPointF at) const;  // the index at which the active edge would lie
  void move_edge(int64_t to);
  QString plane_;
  QImage image_;
  Range across_, up_;
  int64_t all_across_ = 0, all_up_ = 0;
  Edge edge_ = Edge::left;
};

}  // namespace tl::ui
