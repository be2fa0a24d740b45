// Wording: texts in two wordings: one names options, for a command line, the other names buttons and fields, for a
// window.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tl {

enum class FrontEnd { command_line, window };

// Both wordings as one string, to be part of Error::hint or of a message. It survives concatenation, JSON and the path
// between processes. Whoever shows it selects the wording by wording_for().
std::string two_wordings(std::string_view command_line, std::string_view window);

// The text with each part from two_wordings() replaced by its wording for that front end.
std::string wording_for(FrontEnd front_end, std::string_view text);

// "what (where). hint". Error::message() is that of the command line.
std::string message_for(FrontEnd front_end, const Error& error);

}  // namespace tl
