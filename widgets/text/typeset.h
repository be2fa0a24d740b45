// Typesetting: numbers in printed form, for texts that are only read.
#pragma once

#include <QString>

namespace tl::ui {

// "-23.67 +- 0.02 px, 90 deg" becomes "−23.67 ± 0.02 px, 90°", "1.1 um" becomes "1.1 µm". Hyphens in words, names of
// files, dates and exponents stay. Not for text that a user edits or copies: it would not be read back.
QString typeset(QString text);

}  // namespace tl::ui
