// Reads and writes tables as STAR.
#include "core/io/text/star_file.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/io/text/text_file.h"

namespace tl::io {
namespace {

constexpr std::size_t most_star_fields = 10'000'000;

struct StarWord {
  std::string text;
  bool is_quoted = false;  // never a keyword or label
};

bool is_star_blank(char c) { return c == ' ' || c == '\t'; }

// The words of a line; nothing if a quote is not closed. A quote ends before a blank or the end of the line.
std::optional<std::vector<StarWord>> star_words(std::string_view line) {
  std::vector<StarWord> words;
  std::size_t at = 0;
  while (at < line.size()) {
    if (is_star_blank(line[at])) {
      ++at;
      continue;
    }
    if (line[at] == '#') break;
    const char quote = line[at];
    if (quote == '"' || quote == '\'') {
      std::size_t end = at + 1;
      while (end < line.size() && !(line[end] == quote && (end + 1 == line.size() || is_star_blank(line[end + 1]))))
        ++end;
      if (end >= line.size()) return std::nullopt;
      words.push_back({std::string(line.substr(at + 1, end - at - 1)), true});
      at = end + 1;
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && !is_star_blank(line[end])) ++end;
    words.push_back({std::string(line.substr(at, end - at)), false});
    at = end;
  }
  return words;
}

class StarParser {
 public:
  explicit StarParser(const std::string& where) : where_(where) {}

  Result<void> line(std::string_view line) {
    ++number_;
    if (in_text_) {
      if (!line.starts_with(';')) {
        text_ += std::string(line) + "\n";
        return ok();
      }
      in_text_ = false;
      TL_TRY(add_value(text_));
      line.remove_prefix(1);
    } else if (line.starts_with(';')) {
      in_text_ = true;
      text_ = std::string(line.substr(1)) + "\n";
      return ok();
    }
    const auto words = star_words(line);
    if (!words) return problem("a quote is not closed");
    for (const StarWord& word : *words) TL_TRY(add_word(word));
    return ok();
  }

  Result<std::vector<StarTable>> finish() {
    if (in_text_) return problem("a text between semicolons is not closed");
    TL_TRY(end_table());
    return std::move(tables_);
  }

 private:
  enum class State { outside, labels, rows, items };

  [[nodiscard]] Error problem(const std::string& what) const {
    return invalid(what, where_ + ":" + std::to_string(number_), "The file is damaged or not STAR: write it again");
  }

  Result<void> add_word(const StarWord& word) {
    const std::string key = word.is_quoted ? std::string() : lower_case(word.text);
    if (key.starts_with("data_")) {
      TL_TRY(end_table());
      block_ = word.text.substr(5);
      return ok();
    }
    if (key == "loop_") {
      TL_TRY(end_table());
      state_ = State::labels;
      return ok();
    }
    if (key.starts_with('_')) return add_label(word.text.substr(1));
    return add_value(word.text);
  }

  Result<void> add_label(const std::string& label) {
    if (state_ == State::rows) TL_TRY(end_table());
    if (state_ == State::items && !has_value_) return problem("the item " + table_.columns.back() + " has no value");
    if (state_ == State::outside) state_ = State::items;
    table_.columns.push_back(label);
    has_value_ = false;
    return count();
  }

  Result<void> add_value(const std::string& text) {
    if (state_ == State::outside || table_.columns.empty()) return problem("a value belongs to no label");
    if (state_ == State::items) {
      if (has_value_) return problem("the item " + table_.columns.back() + " has two values");
      if (table_.rows.empty()) table_.rows.emplace_back();
      table_.rows.front().push_back(text);
      has_value_ = true;
      return count();
    }
    state_ = State::rows;
    if (table_.rows.empty() || table_.rows.back().size() == table_.columns.size()) table_.rows.emplace_back();
    table_.rows.back().push_back(text);
    return count();
  }

  Result<void> end_table() {
    const bool is_empty_loop = state_ == State::labels && table_.columns.empty();
    if (is_empty_loop) return problem("a loop has no labels");
    if (!table_.rows.empty() && table_.rows.back().size() != table_.columns.size())
      return problem("the last row has " + std::to_string(table_.rows.back().size()) + " of " +
                     std::to_string(table_.columns.size()) + " fields");
    if (state_ == State::items && !has_value_) return problem("the item " + table_.columns.back() + " has no value");
    if (state_ != State::outside) {
      table_.name = block_;
      tables_.push_back(std::move(table_));
    }
    table_ = {};
    state_ = State::outside;
    return ok();
  }

  Result<void> count() {
    if (++fields_ > most_star_fields) return problem("the file has more than ten million fields");
    return ok();
  }

  const std::string& where_;
  std::vector<StarTable> tables_;
  StarTable table_;
  std::string block_, text_;
  State state_ = State::outside;
  bool in_text_ = false, has_value_ = false;
  std::size_t fields_ = 0;
  int64_t number_ = 0;
};

// A field as written in a file: quoted if a reader would otherwise take it for several words or for something else.
std::string star_field(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_of(" \t\"'#") == std::string::npos && text.front() != '_' &&
                     text.front() != ';' && lower_case(text) != "loop_" && !lower_case(text).starts_with("data_");
  if (plain) return text;
  const char quote = text.find('"') == std::string::npos ? '"' : '\'';
  return quote + text + quote;
}

}  // namespace

int64_t StarTable::column(std::string_view label) const {
  const auto found = std::find(columns.begin(), columns.end(), label);
  return found == columns.end() ? -1 : found - columns.begin();
}

Result<std::vector<StarTable>> parse_star(std::string_view text, const std::string& where) {
  StarParser parser(where);
  for (const std::string_view line : lines_of(text)) TL_TRY(parser.line(line));
  return parser.finish();
}

Result<std::vector<StarTable>> read_star_file(const std::filesystem::path& path) {
  constexpr int64_t max_bytes = int64_t{1} << 30;
  TL_TRY(const std::string text, read_text(path, "the STAR file", max_bytes));
  return parse_star(text, path.string());
}

std::string star_text(const StarTable& table) {
  std::string text = "\ndata_" + table.name + "\n\nloop_\n";
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    text += "_" + table.columns[c] + " #" + std::to_string(c + 1) + "\n";
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) text += (c > 0 ? " " : "") + star_field(row[c]);
    text += "\n";
  }
  return text + "\n";
}

}  // namespace tl::io
