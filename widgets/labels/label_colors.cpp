// Colours and names of labels: from the table of classes, else from a sequence of colours.
#include "widgets/labels/label_colors.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>

namespace tl::ui {
namespace {

constexpr std::array<QRgb, 7> hues{0xffe69f00, 0xff56b4e9, 0xff009e73, 0xfff0e442, 0xff0072b2, 0xffd55e00, 0xffcc79a7};

const LabelClass* class_of(const LabelTable& table, int64_t number) {
  const auto found = std::find_if(table.classes.begin(), table.classes.end(),
                                  [number](const LabelClass& c) { return c.number == number; });
  return found == table.classes.end() ? nullptr : &*found;
}

}  // namespace

QRgb label_rgb(const LabelTable& table, int64_t number) {
  if (const LabelClass* c = class_of(table, number); c != nullptr && !c->colour.empty())
    if (const QColor stated(QString::fromStdString(c->colour)); stated.isValid()) return stated.rgb();
  const int64_t place = std::max<int64_t>(number - 1, 0), count = static_cast<int64_t>(hues.size());
  const QColor hue(hues.at(static_cast<std::size_t>(place % count)));
  constexpr int lighter = 135, darker = 150;  // [%] of QColor
  const int64_t brightness = place / count % 3;
  return brightness == 0 ? hue.rgb() : (brightness == 1 ? hue.lighter(lighter).rgb() : hue.darker(darker).rgb());
}

bool is_painted(const LabelTable& table, int64_t number) {
  if (table.not_labelled == number) return false;
  if (number != 0) return true;
  const LabelClass* zero = class_of(table, 0);
  return zero != nullptr && !zero->colour.empty();
}

QString label_name(const LabelTable& table, int64_t number) {
  const LabelClass* c = class_of(table, number);
  if (c != nullptr && !c->name.empty()) return QString::fromStdString(c->name);
  return is_painted(table, number) ? QCoreApplication::translate("LabelColors", "label %1").arg(number) : QString();
}

}  // namespace tl::ui
