// PanePainter: paints an ImagePane: image, marks, measurements, captions, scale bar.
#pragma once

#include "widgets/views/panes/image_pane.h"

namespace tl::ui {

// Background of captions: dark in the dark theme, so that text is readable on white images; light in the light one.
QColor caption_ground();
// Paints the background of a tool bar over an image.
void paint_bar_ground(QPainter& painter, const QRect& bar);
// Paints text on that background; `where` tells which corner of the text is at `corner`. Returns the area covered.
QRectF paint_caption(QPainter& painter, QPointF corner, Qt::Alignment where, const std::vector<CaptionPart>& parts);

// Paints an image into `target`, clipped to `pane`: nearest neighbour when enlarged, smooth when several pixels share
// one on the screen.
void paint_pixels(QPainter& painter, const QImage& image, QRectF target, QRectF pane);

// The longest bar of 1, 2 or 5 times a power of ten that is at most 120 px long. `mm_per_unit` 0: units are pixels.
ImagePane::ScaleBar scale_bar_for(double px_per_unit, double mm_per_unit);
// The bar with its label on the background of captions; `corner` is the lower right end of the bar.
void paint_scale_bar(QPainter& painter, QPointF corner, const ImagePane::ScaleBar& bar);

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
