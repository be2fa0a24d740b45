// Colours and names of labels.
#pragma once

#include <QColor>
#include <QString>

#include "core/values/label_table.h"

namespace tl::ui {

QRgb label_rgb(const LabelTable& table, int64_t number);  // label_colour()
// "enamel", or "label 3" without a name; empty for numbers that are not painted.
QString label_name(const LabelTable& table, int64_t number);

}  // namespace tl::ui
