// Turns the values of a picture into pixels of the screen.
#pragma once

#include <QImage>

#include "core/live/engine.h"
#include "core/picture/levels.h"
#include "widgets/text/color_map.h"

namespace tl::ui {

// One pixel of the screen for each of the picture, or for the mean of `fewer` x `fewer` of them, top row first.
QImage render_picture(const live::Image& image, picture::Levels levels, const ColorLookup& lookup, int fewer = 1);

// The picture halved until, painted at `scale`, it shrinks by less than two: painted small from its full size it would
// sparkle.
QImage shrunk_for(const QImage& full, double scale);

}  // namespace tl::ui
