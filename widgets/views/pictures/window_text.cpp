// Window text: rounds to the significant digits.
#include "widgets/views/pictures/window_text.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

namespace tl::ui {
namespace {

constexpr double smallest_plain = 1e-5, largest_plain = 1e7;  // beyond, with an exponent

QString limit_text(double value, int decimals, double size) {
  QString text;
  if (size != 0 && (size < smallest_plain || size >= largest_plain)) {
    text = QString::number(value, 'e', 2);
  } else if (decimals > 0) {
    text = QString::number(value, 'f', decimals);
  } else {
    const double step = std::pow(10.0, -decimals);
    text = QString::number(std::round(value / step) * step, 'f', 0);
  }
  if (text.toDouble() == 0) text = QStringLiteral("0");
  return text.replace(QLatin1Char('-'), QStringLiteral("−"));
}

}  // namespace

std::pair<QString, QString> window_texts(picture::Levels levels) {
  const double size = std::max(std::abs(levels.low), std::abs(levels.high)), span = levels.high - levels.low;
  int decimals = 0;
  if (size > 0 && std::isfinite(size) && span > 0) {
    const int for_size = 2 - static_cast<int>(std::floor(std::log10(size)));
    const int for_span = 1 - static_cast<int>(std::floor(std::log10(span)));
    decimals = std::clamp(std::max(for_size, for_span), -6, 12);
  }
  return {limit_text(levels.low, decimals, size), limit_text(levels.high, decimals, size)};
}

std::optional<double> typed_limit(const QString& text) {
  QString plain = text.trimmed();
  plain.replace(QStringLiteral("−"), QStringLiteral("-")).replace(QLatin1Char(','), QLatin1Char('.'));
  bool is_number = false;
  const double value = QLocale::c().toDouble(plain, &is_number);
  if (!is_number || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace tl::ui
