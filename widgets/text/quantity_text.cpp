// Quantity text: writes numbers, units, limits and errors of parameters as shown on screen and written in files.
#include "widgets/text/quantity_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "core/node/reference.h"
#include "widgets/language/translated.h"

namespace tl::ui {
namespace {

QString translated_field_text(const char* text) { return QCoreApplication::translate("tl::ui::ParamField", text); }

QString list_text(const NumberList& list) {
  constexpr std::size_t shown = 6;
  if (list.values.empty()) return translated_field_text("none");
  if (list.values.size() > shown) return translated_field_text("%1 values").arg(list.values.size());
  QStringList words;
  for (const double v : list.values) words << brief_number(v);
  const QString unit = unit_text(list.unit);
  return words.join(QStringLiteral(", ")) + (unit.isEmpty() ? QString() : QChar(' ') + unit);
}

QString array_text(const NumberArray& array) {
  if (array.values().empty()) return translated_field_text("none");
  const auto [low, high] = std::minmax_element(array.values().begin(), array.values().end());
  const auto text = [](float v) { return QString::number(static_cast<double>(v), 'g', 3); };
  const QString unit = unit_text(array.unit());
  return translated_field_text("%1 values, %2 to %3").arg(shape_words(array.shape()), text(*low), text(*high)) +
         (unit.isEmpty() ? QString() : QChar(' ') + unit);
}

// Limits beyond these are not physical: they only catch typing errors.
constexpr double far_off = 1e5, next_to_zero = 1e-5;

}  // namespace

QString shape_words(const std::vector<int64_t>& shape) {
  return QString::fromStdString(shape_text(shape)).replace(QLatin1Char('x'), QChar(0x00D7));
}

QString brief_number(double value) {
  constexpr int figures = 7;
  const QString full = QString::fromStdString(format_quantity(value, Unit::none));
  const QString brief = QString::number(value, 'g', figures);
  return brief.size() < full.size() ? brief : full;
}

QString bound_text(const std::optional<double>& bound) {
  if (!bound || std::abs(*bound) >= far_off) return translated_field_text("none");
  if (*bound > 0 && *bound <= next_to_zero) return QStringLiteral("> 0");
  return brief_number(*bound);
}

QString unit_text(Unit unit) {
  switch (unit) {
    case Unit::um: return QStringLiteral("µm");
    case Unit::deg: return QStringLiteral("°");
    case Unit::per_um: return QStringLiteral("1/µm");
    case Unit::g_per_cm3: return QStringLiteral("g/cm³");
    default: return QString::fromUtf8(symbol(unit).data(), static_cast<qsizetype>(symbol(unit).size()));
  }
}

QString shown_value(const ParamDecl& decl, const ParamValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return translated_field_text("auto");
  if (const auto* flag = std::get_if<bool>(&value))
    return *flag ? translated_field_text("yes") : translated_field_text("no");
  if (const auto* number = std::get_if<Number>(&value)) {
    const QString unit = unit_text(number->unit);
    return brief_number(number->value) + (unit.isEmpty() ? QString() : QChar(' ') + unit);
  }
  if (const auto* list = std::get_if<NumberList>(&value)) return list_text(*list);
  if (const auto* array = std::get_if<NumberArray>(&value)) return array_text(*array);
  if (const auto* text = std::get_if<std::string>(&value)) {
    for (const Choice& c : decl.choices)
      if (c.name == *text) return translated(c.title);
    return text->empty() ? translated_field_text("empty") : QString::fromStdString(*text);
  }
  return QString::fromStdString(to_text(value));
}

QString tooltip_of(const ParamDecl& decl) {
  QString text = QStringLiteral("<p><b>%1</b></p>").arg(translated(decl.title).toHtmlEscaped());
  if (!decl.help.empty()) text += QStringLiteral("<p>%1</p>").arg(translated(decl.help).toHtmlEscaped());
  const QString accepts = decl.kind == ParamKind::choice ? QString() : translated(accepted_values(decl));
  if (!accepts.isEmpty())
    text += QStringLiteral("<p>%1</p>").arg(translated_field_text("Accepts: %1").arg(accepts).toHtmlEscaped());
  text += QStringLiteral("<p>%1</p>")
              .arg(translated_field_text("Default: %1").arg(shown_value(decl, decl.initial)).toHtmlEscaped());
  if (!decl.automatic.empty())
    text += QStringLiteral("<p>%1</p>")
                .arg(translated_field_text("Auto: %1").arg(translated(decl.automatic)).toHtmlEscaped());
  return text;
}

std::string typed_number(const QString& text) {
  QString typed = text.trimmed().replace(QStringLiteral("−"), QStringLiteral("-"));
  const bool comma_is_decimal = QLocale().decimalPoint() == QLatin1String(",");
  if (comma_is_decimal && typed.count(QLatin1Char(',')) == 1 && !typed.contains(QLatin1Char('.')))
    typed.replace(QLatin1Char(','), QLatin1Char('.'));
  return typed.toStdString();
}

Result<Number> read_number(const QString& text, Unit unit) {
  ParamDecl decl;
  decl.name = "value";
  decl.unit = unit;
  TL_TRY(const ParamValue value, parse_value(decl, typed_number(text)));
  TL_TRY(decl.validate(value));
  return std::get<Number>(value);
}

}  // namespace tl::ui
