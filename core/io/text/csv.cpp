// Writes and parses tables as CSV.
#include "core/io/text/csv.h"

#include <algorithm>
#include <cstdint>

#include "core/base/text.h"
#include "core/io/text/text_file.h"

namespace tl::io {
namespace {

constexpr std::size_t max_fields = 1'000'000;
constexpr std::string_view blanks = " \t";

// Parses one table from its first character to its last.
class Parser {
 public:
  Parser(std::string_view text, const std::string& where) : text_(text), where_(where) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
  }

  Result<std::vector<CsvRow>> rows() {
    std::vector<CsvRow> all;
    while (at_ < text_.size()) {
      CsvRow row;
      bool more = true;
      while (more) {
        TL_TRY(std::string field, next_field());
        row.push_back(std::move(field));
        if (++fields_ > max_fields) return problem("the table has more than a million fields");
        more = at_ < text_.size() && text_[at_] == ',';
        if (more) ++at_;
      }
      end_line();
      if (row.size() > 1 || !row.front().empty()) all.push_back(std::move(row));
    }
    return all;
  }

 private:
  Result<std::string> next_field() {
    at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
    if (at_ < text_.size() && text_[at_] == '"') return quoted();
    const std::size_t end = std::min(text_.find_first_of(",\r\n", at_), text_.size());
    const std::string_view field = trimmed(text_.substr(at_, end - at_));
    if (field.find('"') != std::string_view::npos) return problem("a quote stands in the middle of a field");
    if (field.find('\0') != std::string_view::npos) return problem("this is not a text file");
    at_ = end;
    return std::string(field);
  }
  Result<std::string> quoted() {
    std::string field;
    const int64_t begin = line_;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\0') return problem("this is not a text file");
      if (c == '\n') ++line_;
      if (c == '"' && at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        ++at_;
      } else if (c == '"') {
        at_ = std::min(text_.find_first_not_of(blanks, at_ + 1), text_.size());
        if (at_ < text_.size() && std::string_view(",\r\n").find(text_[at_]) == std::string_view::npos)
          return problem("text follows a quoted field");
        return field;
      }
      field += c;
    }
    line_ = begin;
    return problem("a quote is not closed");
  }
  void end_line() {
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ < text_.size() && text_[at_] == '\n') ++at_;
    ++line_;
  }
  [[nodiscard]] Error problem(const std::string& what) const {
    return invalid(what, where_ + ", line " + std::to_string(line_), "Fields with commas or quotes stand in quotes");
  }

  std::string_view text_;
  const std::string& where_;
  std::size_t at_ = 0, fields_ = 0;
  int64_t line_ = 1;
};

}  // namespace

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos && trimmed(text).size() == text.size()) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_line(const CsvRow& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) line += (i == 0 ? "" : ",") + csv_field(fields[i]);
  return line + "\n";
}

Result<std::vector<CsvRow>> parse_csv(std::string_view text, const std::string& where) {
  return Parser(text, where).rows();
}

Result<std::vector<CsvRow>> read_csv(const std::filesystem::path& file) {
  constexpr int64_t max_bytes = 64'000'000;
  TL_TRY(const std::string text, read_text(file, "the table", max_bytes));
  return parse_csv(text, file.string());
}

}  // namespace tl::io
