// Cut texts: the choice of a list or the example in an empty line that has no room ends with an ellipsis, and the tip
// of the field begins with all of it.
#pragma once

#include <QString>

class QWidget;

namespace tl::ui {

// The current choice of a QComboBox, or the placeholder of an empty QLineEdit, that does not fit into its field; empty:
// it fits, or the widget is another one.
QString cut_text(const QWidget& widget);
// The tip that the mouse brings up over such a field: the text, then the tip of the field or of what it is in.
QString tip_with_cut_text(const QWidget& widget);

}  // namespace tl::ui
