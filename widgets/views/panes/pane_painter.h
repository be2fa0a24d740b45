// PanePainter: paints an ImagePane: picture, marks, measurements, captions, scale bar.
#pragma once

#include "widgets/views/panes/image_pane.h"

namespace tl::ui {

// Behind words over a picture: dark enough to be read on white, in a dark theme; light in a light one.
QColor caption_ground();
// Words on that ground, with the corner that `where` names at `corner`. Returns the place taken.
QRectF paint_caption(QPainter& painter, QPointF corner, Qt::Alignment where, const std::vector<CaptionPart>& parts);

// A picture into `target`, of which `pane` is seen: nearest neighbour when its pixels are seen, smooth when many share
// one pixel of the screen.
void paint_pixels(QPainter& painter, const QImage& image, QRectF target, QRectF pane);

class PanePainter {
 public:
  PanePainter(const ImagePane& pane, QPainter& painter);
  void paint(Annotation annotation);

 private:
  void paint_picture();
  void paint_nothing();
  void paint_captions();
  void paint_scale_bar();

  const ImagePane& pane_;
  QPainter& painter_;
};

}  // namespace tl::ui
