// Error text: the window's wording.
#include "widgets/text/error_text.h"

#include "core/base/wording.h"

namespace tl::ui {

QString window_text(const std::string& text) { return QString::fromStdString(wording_for(FrontEnd::window, text)); }

QString error_text(const Error& error) { return QString::fromStdString(message_for(FrontEnd::window, error)); }

QString reason_text(const Error& error) {
  return window_text(error.hint.empty() ? error.what : error.what + ". " + error.hint);
}

}  // namespace tl::ui
