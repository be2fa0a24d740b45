// Colours and names of labels as Qt types.
#include "widgets/labels/label_colors.h"

#include <QCoreApplication>

#include "core/values/label_colours.h"

namespace tl::ui {

QRgb label_rgb(const LabelTable& table, int64_t number) {
  const LabelColour c = label_colour(table, number);
  return qRgb(c.red, c.green, c.blue);
}

QString label_name(const LabelTable& table, int64_t number) {
  const LabelClass* c = class_of(table, number);
  if (c != nullptr && !c->name.empty()) return QString::fromStdString(c->name);
  return is_labelled(table, number) ? QCoreApplication::translate("LabelColors", "label %1").arg(number) : QString();
}

}  // namespace tl::ui
