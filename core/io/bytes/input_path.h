// Whether a path can be opened as an input, before a reading process is asked.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/error.h"

namespace tl::io {

// what: "scan" or "volume", for messages; advice: what to give in place of what is neither file nor folder. Errors: io;
// the path does not exist, cannot be looked at or read, is empty, or neither a regular file nor a folder.
Result<void> check_input_path(const std::filesystem::path& path, const std::string& what, const std::string& advice);

}  // namespace tl::io
