// Progress text: progress of computing an image, of its node or of a node upstream.
#pragma once

#include <QString>

#include "widgets/views/pictures/picture_source.h"

namespace tl::ui {

// "40 %", "40 % · 12 s left"; empty if nothing runs or the progress is not known.
QString progress_text(const PictureSource& source, const QString& node);

}  // namespace tl::ui
