// Error text: errors and messages of the core in the wording of the window: buttons and fields instead of command line
// options.
#pragma once

#include <QString>

#include "core/base/error.h"

namespace tl::ui {

// A text of the core that may have two wordings, see core/base/wording.h.
QString window_text(const std::string& text);
// The whole error: "what (where). hint".
QString error_text(const Error& error);
// The error as a sentence below a field: what is wrong and what is allowed.
QString reason_text(const Error& error);

}  // namespace tl::ui
