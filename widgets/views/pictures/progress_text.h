// Progress text: how far the work on an image is, of its node or of one before it.
#pragma once

#include <QString>

#include "widgets/views/pictures/picture_source.h"

namespace tl::ui {

// "40 %", "40 % · 12 s left"; empty where nothing runs or where per cent are not known.
QString progress_text(const PictureSource& source, const QString& node);

}  // namespace tl::ui
