// Tables as CSV (RFC 4180): fields are separated by commas; fields with commas, quotes or line ends are quoted.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

using CsvRow = std::vector<std::string>;

// A field as written in a file, quoted if necessary.
std::string csv_field(const std::string& text);
// The fields, separated by commas, and a line end.
std::string csv_line(const CsvRow& fields);

// The rows of a table; empty lines, and spaces around unquoted fields, are left out. Rows may differ in length.
// Invalid, with the line number: a quote that is not closed or stands inside a field, a control character, more than a
// million fields. `where` names the file in errors.
Result<std::vector<CsvRow>> parse_csv(std::string_view text, const std::string& where);
// Parses a CSV file; also io if it cannot be read, and invalid if it is larger than 64 MB.
Result<std::vector<CsvRow>> read_csv(const std::filesystem::path& file);

}  // namespace tl::io
