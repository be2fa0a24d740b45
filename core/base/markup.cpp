// Text for HTML and XML: replaces the characters of markup.
#include "core/base/markup.h"

#include <algorithm>

#include "core/base/printable.h"

namespace tl {

std::string html_escaped(std::string_view text) {
  std::string escaped;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (begin > 0) escaped += '\n';
    for (const char c : printable(text.substr(begin, end - begin))) switch (c) {
        case '<': escaped += "&lt;"; break;
        case '>': escaped += "&gt;"; break;
        case '&': escaped += "&amp;"; break;
        case '"': escaped += "&quot;"; break;
        case '\'': escaped += "&#39;"; break;
        default: escaped += c;
      }
    begin = end + 1;
  }
  return escaped;
}

}  // namespace tl
