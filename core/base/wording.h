// Wording: texts in two wordings: one names options, for a command line, the other names buttons and fields, for a
// window.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tl {

enum class FrontEnd { command_line, window };

// Both wordings as one string, for Error::hint or a message. The string survives concatenation, JSON and the path
// between processes. The front end selects its wording by wording_for().
std::string two_wordings(std::string_view command_line, std::string_view window);

// The text with each part from two_wordings() replaced by its wording for that front end.
std::string wording_for(FrontEnd front_end, std::string_view text);

// "what (where). hint" in the wording of that front end. Error::message() uses that of the command line.
std::string message_for(FrontEnd front_end, const Error& error);

}  // namespace tl
