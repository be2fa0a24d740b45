// Reads text files that people and scanners write: without a byte order mark, whatever the line ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

// The content of a text file, without a UTF-8 byte order mark. Bytes may be in any encoding that keeps ASCII. `what`
// names the file in errors: "the file with the angles". Errors: io (missing, unreadable); invalid, with a hint how to
// save the file: UTF-16, a byte 0, more than so many bytes.
Result<std::string> read_text(const std::filesystem::path& file, const std::string& what, int64_t max_bytes);

// The lines of a text, which may end in LF, CR LF or CR. They point into the text.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace tl::io
