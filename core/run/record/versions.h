// Versions of the program and of its libraries.
#pragma once

#include <string>

namespace tl {

// Our version, "0.1.0".
std::string version();
// Version and library versions as JSON text.
std::string versions_json();

}  // namespace tl
