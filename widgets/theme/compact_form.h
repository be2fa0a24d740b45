// Compact form: rows of titles and fields as the docks have them.
#pragma once

class QFormLayout;
class QWidget;

namespace tl::ui {

// Spacing and growth of the fields, without margins.
void set_up_compact_form(QFormLayout& form);
// Shows or hides a field and its title. Not QFormLayout::setRowVisible(): in Qt 6.4 a form that is hidden meanwhile
// writes beyond its own memory when it is laid out with other rows than before.
void set_row_visible(const QFormLayout& form, QWidget& field, bool visible);

}  // namespace tl::ui
