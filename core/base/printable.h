// Makes texts from files safe to show on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace tl {

// The text on one line: control characters, line breaks, direction marks (bidirectional text) and bytes that are not
// UTF-8 appear as \x1b or \u202e, so that a name in a file can neither control a terminal nor forge a line.
std::string printable(std::string_view text);
// For HTML and XML: escapes special characters, for content or quoted attributes, and the characters that printable()
// escapes, except line breaks, so that the result is valid XML whatever a file contains.
std::string html_escaped(std::string_view text);

}  // namespace tl
