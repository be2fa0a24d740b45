// Typesetting: replaces the ASCII stand-ins of minus, plus-minus, degree and micro in numbers.
#include "widgets/text/typeset.h"

#include <QRegularExpression>

namespace tl::ui {

QString typeset(QString text) {
  // A sign follows the begin, a space or an opening mark, and a digit follows it: no part of a name or a date.
  static const QRegularExpression minus(QStringLiteral("(?<![^\\s(\\[=,:;±])-(?=\\.?\\d)"));
  static const QRegularExpression degrees(QStringLiteral("(?<=\\d) (?:deg|°)(?!\\w)"));
  static const QRegularExpression micro(QStringLiteral("(?<=\\d )um(?!\\w)"));
  text.replace(QLatin1String("+-"), QStringLiteral("±"));
  text.replace(minus, QStringLiteral("−"));
  text.replace(degrees, QStringLiteral("°"));
  return text.replace(micro, QStringLiteral("µm"));
}

}  // namespace tl::ui
