// Style properties: sets dynamic properties that select rules of the style sheet.
#include "widgets/theme/style_property.h"

#include <QStyle>
#include <QWidget>

namespace tl::ui {

void set_style_property(QWidget& widget, const char* name, const QVariant& value) {
  if (widget.property(name) == value) return;
  widget.setProperty(name, value);
  widget.style()->unpolish(&widget);
  widget.style()->polish(&widget);
}

}  // namespace tl::ui
