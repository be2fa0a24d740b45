// Amounts: durations and sizes as text.
#pragma once

#include <QString>

namespace tl::ui {

QString duration_text(double seconds);  // "31 ms", "0.4 s", "12 s", "3 min 20 s", "2 h 5 min"
QString bytes_text(qint64 bytes);       // "21 MB", "1.4 GB"

}  // namespace tl::ui
