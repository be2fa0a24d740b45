// Glyphs: icons for buttons, drawn as vector paths so that they fit any size, scale and theme.
#pragma once

#include <QIcon>
#include <QRectF>

#include "widgets/theme/tokens.h"

class QColor;
class QPainter;

namespace tl::ui {

enum class Glyph {
  mark,  // logo of the program: crossing threads
  search,
  run,
  stop,
  reset,
  folder,
  file,
  link,
  chevron_down,
  chevron_up,
  chevron_right,
  chevron_left,
  tick,
  cross,
  nabla,
  warning,
  error,
  info,
  menu,
  table,
  sparkle,  // an example
  contrast,
  fit,
  profile,
  region,
  distance,
  angle,
  probe,
  colors,
  camera,
  zoom_in,
  zoom_out,
  brush,
  ball,
  eraser,
  lasso,
  fill,
  threshold,
  interpolate,
};

void paint_glyph(QPainter& painter, Glyph glyph, const QRectF& rect, const QColor& color);
// An icon painted in the colour of the current theme: that of the window, or that of images, whose background is dark
// in every theme.
enum class GlyphGround { window, picture };
QIcon glyph_icon(Glyph glyph, Token token = Token::text_second, GlyphGround ground = GlyphGround::window);

}  // namespace tl::ui
