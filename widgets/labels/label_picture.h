// Label pictures: a picture of labels as colours that let the picture below shine through.
#pragma once

#include <QImage>

#include "core/picture/image.h"
#include "core/values/label_table.h"
#include "widgets/labels/label_view.h"

namespace tl::ui {

// One screen pixel per pixel, premultiplied. The pixels of a picture of labels are whole numbers, or NaN outside their
// grid; what is no class, and hidden classes, are transparent. Outlined: the pixels of a label beside one of another
// number, opaque.
QImage render_labels(const picture::Image& image, const LabelTable& table, const LabelView& view);

}  // namespace tl::ui
