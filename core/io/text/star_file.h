// Tables as STAR (S. R. Hall, J. Chem. Inf. Comput. Sci. 31, 326 (1991)), as programs for single particles write them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

// A data block with one loop. Items without a loop are a table of one row.
struct StarTable {
  std::string name;                            // of the block, without "data_"
  std::vector<std::string> columns;            // without the underscore
  std::vector<std::vector<std::string>> rows;  // as many fields each as there are columns

  // The place of a column; -1: there is none.
  [[nodiscard]] int64_t column(std::string_view label) const;
};

// The tables of a text, one for each loop. Words in quotes, and texts between lines that begin with a semicolon, are
// one field; # after white space begins a comment. Invalid, with the number of the line: a loop without labels, a row
// that is not complete, a quote or text that is not closed, more than ten million fields. `where` names the file.
Result<std::vector<StarTable>> parse_star(std::string_view text, const std::string& where);
// The same of a file; also io where it cannot be read, and invalid where it is larger than 1 GiB.
Result<std::vector<StarTable>> read_star_file(const std::filesystem::path& path);
// A block with a loop, its labels numbered as RELION does.
std::string star_text(const StarTable& table);

}  // namespace tl::io
