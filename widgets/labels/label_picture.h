// Label images: labels as colours through which the image below is visible.
#pragma once

#include <QImage>

#include "core/picture/image.h"
#include "core/values/label_table.h"
#include "widgets/labels/label_view.h"

namespace tl::ui {

// One screen pixel per pixel, premultiplied. The pixels of an image of labels are integers, or NaN outside their grid;
// numbers without class and hidden classes are transparent. Outlined: only the pixels of a label next to another
// number, opaque. Highlighted numbers are opaque, the others fainter.
QImage render_labels(const picture::Image& image, const LabelTable& table, const LabelView& view);

}  // namespace tl::ui
