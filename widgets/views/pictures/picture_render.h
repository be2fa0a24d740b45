// Image rendering: turns the values of an image into screen pixels.
#pragma once

#include <QImage>

#include "core/live/notification.h"
#include "core/picture/levels.h"
#include "widgets/text/color_map.h"

namespace tl::ui {

// One screen pixel per pixel, or per mean of `fewer` x `fewer` pixels; top row first.
QImage render_picture(const live::Image& image, picture::Levels levels, const ColorLookup& lookup, int fewer = 1);

// The image halved repeatedly until painting it at `scale` reduces it by less than a factor of two, which avoids
// aliasing.
QImage shrunk_for(const QImage& full, double scale);

}  // namespace tl::ui
