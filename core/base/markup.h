// Text for HTML and XML.
#pragma once

#include <string>
#include <string_view>

namespace tl {

// Shows the text as it is, as content or in a quoted attribute. What printable() makes visible appears in that form,
// but line breaks stay, so that the result is valid XML whatever a file says.
std::string html_escaped(std::string_view text);

}  // namespace tl
