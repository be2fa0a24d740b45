// Makes texts from files safe to show on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace tl {

// The text on one line: control characters, line breaks, direction marks (bidirectional text) and bytes that are not
// UTF-8 appear as \x1b or \u202e, so that a name in a file can neither control a terminal nor forge a line.
std::string printable(std::string_view text);
// For HTML and XML: shows the text as it is, as content or in a quoted attribute. What printable() makes visible
// appears in that form, but line breaks stay, so that the result is valid XML whatever a file says.
std::string html_escaped(std::string_view text);

}  // namespace tl
