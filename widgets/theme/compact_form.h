// Compact form: rows of titles and fields as the docks have them.
#pragma once

class QFormLayout;

namespace tl::ui {

// Spacing and growth of the fields, without margins.
void set_up_compact_form(QFormLayout& form);

}  // namespace tl::ui
