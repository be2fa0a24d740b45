// Colours and names of labels.
#pragma once

#include <QColor>
#include <QString>

#include "core/values/label_table.h"

namespace tl::ui {

// The colour of a number: that of its class, else one of a fixed sequence of seven that eyes blind to some colours can
// tell apart (M. Okabe and K. Ito, Color Universal Design, 2008), each in three degrees of brightness.
QRgb label_rgb(const LabelTable& table, int64_t number);
// Whether its voxels are painted: not 0 unless that is a class with a colour, and not what nobody has labelled.
bool is_painted(const LabelTable& table, int64_t number);
// "enamel", else "label 3"; empty for numbers that are not painted.
QString label_name(const LabelTable& table, int64_t number);

}  // namespace tl::ui
