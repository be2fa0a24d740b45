// Compact form: rows of titles and fields in the docks.
#pragma once

class QFormLayout;

namespace tl::ui {

// Sets spacing and growth of the fields, without margins.
void set_up_compact_form(QFormLayout& form);

}  // namespace tl::ui
