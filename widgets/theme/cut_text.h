// Cut texts: if the choice of a list or the example text of an empty line does not fit, it ends with an ellipsis, and
// the tip of the field begins with the whole text.
#pragma once

#include <QString>

class QWidget;

namespace tl::ui {

// The current choice of a QComboBox, or the placeholder of an empty QLineEdit, if it does not fit into its field; else
// empty, also for other widgets.
QString cut_text(const QWidget& widget);
// The tool tip of such a field: the text, then the tip of the field or of its parent.
QString tip_with_cut_text(const QWidget& widget);

}  // namespace tl::ui
