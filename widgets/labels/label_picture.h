// Label images: an image of labels as colours that let the image below shine through.
#pragma once

#include <QImage>

#include "core/picture/image.h"
#include "core/values/label_table.h"
#include "widgets/labels/label_view.h"

namespace tl::ui {

// One screen pixel per pixel, premultiplied. The pixels of an image of labels are integers, or NaN outside their
// grid; what is not a class, and hidden classes, are transparent. Outlined: the pixels of a label next to one of
// another number, opaque. Highlighted numbers are opaque, and the others fainter.
QImage render_labels(const picture::Image& image, const LabelTable& table, const LabelView& view);

}  // namespace tl::ui
