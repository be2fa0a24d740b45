// Style properties: dynamic properties that select rules of the style sheet.
#pragma once

#include <QVariant>

class QWidget;

namespace tl::ui {

// Sets the property and re-evaluates the style sheet for the widget.
void set_style_property(QWidget& widget, const char* name, const QVariant& value);

}  // namespace tl::ui
