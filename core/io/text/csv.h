// Tables as CSV (RFC 4180): fields are separated by commas; those with commas, quotes or line ends stand in quotes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

using CsvRow = std::vector<std::string>;

// A field as it stands in a file.
std::string csv_field(const std::string& text);
// The fields, separated by commas, and a line end.
std::string csv_line(const CsvRow& fields);

// The rows of a table; lines without any text are left out, and spaces around fields without quotes, too. Rows may
// differ in length. Invalid, with the number of the line: a quote that is not closed or stands in the middle of a
// field, a character that no text has, more than a million fields. `where` names the file in errors.
Result<std::vector<CsvRow>> parse_csv(std::string_view text, const std::string& where);
// The same of a file; also io where it cannot be read, and invalid where it is larger than any such table (64 MB).
Result<std::vector<CsvRow>> read_csv(const std::filesystem::path& file);

}  // namespace tl::io
