// Dynamic properties that the style sheet asks for.
#pragma once

#include <QVariant>

class QWidget;

namespace tl::ui {

// Sets the property and has the style sheet looked up again.
void set_style_property(QWidget& widget, const char* name, const QVariant& value);

}  // namespace tl::ui
