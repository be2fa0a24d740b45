// Whether a path can be opened as an input; checked before the reading process opens it.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/error.h"

namespace tl::io {

// what: "scan" or "volume", for messages; advice: what to use instead if the path is neither file nor folder. Errors:
// io; the path does not exist, is not accessible, is empty, or is neither a regular file nor a folder.
Result<void> check_input_path(const std::filesystem::path& path, const std::string& what, const std::string& advice);

}  // namespace tl::io
