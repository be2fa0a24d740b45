// Error text: the window's wording.
#include "widgets/text/error_text.h"

#include "widgets/language/translated.h"

namespace tl::ui {

QString window_text(const std::string& text) { return translated(text); }

QString error_text(const Error& error) { return translated(error); }

QString reason_text(const Error& error) { return translated(Error{error.kind, error.what, {}, error.hint}); }

}  // namespace tl::ui
