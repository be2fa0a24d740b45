// Amounts: writes durations and sizes as text.
#include "widgets/text/amounts.h"

#include <QCoreApplication>
#include <array>
#include <cmath>

namespace tl::ui {
namespace {
QString translated_amount(const char* text) { return QCoreApplication::translate("tl::ui::Amounts", text); }
}  // namespace

QString duration_text(double seconds) {
  constexpr qint64 minute = 60, hour = 3600;
  if (seconds < 0.1) return translated_amount("%1 ms").arg(std::lround(1000 * seconds));
  if (seconds < 9.95) return translated_amount("%1 s").arg(seconds, 0, 'f', 1);
  const auto whole = static_cast<qint64>(std::llround(seconds));
  if (whole < minute) return translated_amount("%1 s").arg(whole);
  if (whole < hour) return translated_amount("%1 min %2 s").arg(whole / minute).arg(whole % minute);
  return translated_amount("%1 h %2 min").arg(whole / hour).arg(whole % hour / minute);
}

QString bytes_text(qint64 bytes) {
  static constexpr std::array<const char*, 5> units = {"B", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < units.size(); ++unit) value /= 1000;
  return QString::number(value, 'f', unit > 0 && value < 9.95 ? 1 : 0) + QChar(' ') + QLatin1String(units.at(unit));
}

}  // namespace tl::ui
