// Tables as STAR (S. R. Hall, J. Chem. Inf. Comput. Sci. 31, 326 (1991)), as written by programs for single-particle
// analysis.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tl::io {

// A data block with one loop. Items without a loop form a table of one row.
struct StarTable {
  std::string name;                            // of the block, without "data_"
  std::vector<std::string> columns;            // without the underscore
  std::vector<std::vector<std::string>> rows;  // each row has as many fields as there are columns

  // The index of a column; -1 if there is none.
  [[nodiscard]] int64_t column(std::string_view label) const;
};

// The tables of a text, one for each loop. Words in quotes, and texts between lines that begin with a semicolon, are
// one field; # after white space begins a comment. Invalid, with the line number: a loop without labels, an incomplete
// row, a quote or text that is not closed, more than ten million fields. `where` names the file.
Result<std::vector<StarTable>> parse_star(std::string_view text, const std::string& where);
// Parses a STAR file; also io if it cannot be read, and invalid if it is larger than 1 GiB.
Result<std::vector<StarTable>> read_star_file(const std::filesystem::path& path);
// A data block with a loop, whose labels are numbered as by RELION.
std::string star_text(const StarTable& table);

}  // namespace tl::io
