// Glyphs: the few pictures on buttons, painted from lines so that they take any size, scale and theme.
#pragma once

#include <QIcon>
#include <QRectF>

#include "widgets/theme/tokens.h"

class QColor;
class QPainter;

namespace tl::ui {

enum class Glyph {
  mark,  // of the program: threads crossing
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
  tick,
  cross,
  nabla,
  warning,
  error,
  info,
  menu,
  table,
  sparkle,  // an example
};

void paint_glyph(QPainter& painter, Glyph glyph, const QRectF& rect, const QColor& color);
// Painted anew in the current theme's colour each time it is shown.
QIcon glyph_icon(Glyph glyph, Token token = Token::text_second);

}  // namespace tl::ui
