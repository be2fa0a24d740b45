// Texts that come from files, as they may be shown on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace tl {

// The same text on one line: control characters, line breaks, marks that turn the direction of writing, and bytes that
// are no UTF-8 appear as \x1b or \u202e, so that a name in a file can neither steer a terminal nor forge a line.
std::string printable(std::string_view text);

}  // namespace tl
