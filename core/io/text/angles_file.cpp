// Reads view angles from a text file, as written by spreadsheets and editors.
#include "core/io/text/angles_file.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/text/text_file.h"

namespace tl::io {
namespace {

constexpr std::size_t max_angles = std::size_t{1} << 24;
constexpr std::size_t fewest_counted = 3;  // lines needed to recognise the first of two columns as a line number

using Words = std::vector<std::string>;
struct WordLine {
  int64_t number = 0;  // in the file
  Words words;
};

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

bool begins_like_number(const std::string& word) {
  const std::size_t sign = word.starts_with('+') || word.starts_with('-') ? 1 : 0;
  const bool point = word.size() > sign && (word[sign] == '.' || word[sign] == ',');
  if (word.size() > sign + (point ? 1 : 0) && is_decimal_digit(word[sign + (point ? 1 : 0)])) return true;
  const std::string rest = lower_case(word.substr(sign));
  return rest == "nan" || rest == "inf" || rest == "infinity";
}

// Whether a word is digits with one comma between them: "12,5".
bool has_decimal_comma(const std::string& word) {
  const std::size_t comma = word.find(',');
  return comma != std::string::npos && comma > 0 && comma + 1 < word.size() && is_decimal_digit(word[comma - 1]) &&
         is_decimal_digit(word[comma + 1]) && word.find(',', comma + 1) == std::string::npos;
}

// The words of all lines that have some, between white space and semicolons.
std::vector<WordLine> words_of_lines(std::string_view text) {
  std::vector<WordLine> all;
  int64_t number = 0;
  for (std::string_view line : lines_of(text)) {
    ++number;
    line = line.substr(0, line.find('#'));
    WordLine found{number, {}};
    constexpr std::string_view between = " \t;";
    for (std::size_t at = line.find_first_not_of(between); at != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_of(between, at), line.size());
      found.words.emplace_back(line.substr(at, end - at));
      at = line.find_first_not_of(between, end);
    }
    if (!found.words.empty()) all.push_back(std::move(found));
  }
  return all;
}

// Splits words at commas; a comma at the end of a word is ignored.
void split_at_commas(std::vector<WordLine>& lines) {
  for (WordLine& line : lines) {
    Words parts;
    for (const std::string& word : line.words)
      for (std::string& part : words_of(word)) parts.push_back(std::move(part));
    line.words = std::move(parts);
  }
  std::erase_if(lines, [](const WordLine& line) { return line.words.empty(); });
}

// Whether the first of two words counts the lines, from 0 or 1 on.
bool count_lines(const std::vector<WordLine>& lines) {
  if (lines.size() < fewest_counted) return false;
  const std::string& first = lines.front().words.front();
  const int64_t start = first == "1" ? 1 : 0;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].words.size() != 2 || lines[i].words[0] != std::to_string(start + static_cast<int64_t>(i)))
      return false;
  return true;
}

// Commas are decimal if every line is one number, none has a point, and some have a comma between digits. "0,0", "1,5",
// "2,9" could be numbers of lines and whole angles as well: then the same text after every comma decides ("0,0",
// "1,0").
bool are_decimal_commas(const std::vector<WordLine>& lines) {
  bool any = false;
  for (const WordLine& line : lines) {
    for (const std::string& word : line.words)
      if (word.find('.') != std::string::npos || (word.find(',') != std::string::npos && !has_decimal_comma(word)))
        return false;
    any = any || std::any_of(line.words.begin(), line.words.end(), has_decimal_comma);
  }
  if (!any) return false;
  const bool one_each = std::all_of(lines.begin(), lines.end(), [](const WordLine& l) { return l.words.size() == 1; });
  const bool columns = std::all_of(lines.begin(), lines.end(), [](const WordLine& l) { return l.words.size() == 2; });
  if (!one_each) return columns && count_lines(lines);
  if (lines.size() == 1) return false;
  std::vector<WordLine> split = lines;
  split_at_commas(split);
  return !count_lines(split) || std::all_of(split.begin(), split.end(), [&](const WordLine& line) {
    return line.words[1] == split.front().words[1];
  });
}

Result<double> parse_angle(std::string word, const std::string& where) {
  std::replace(word.begin(), word.end(), ',', '.');
  const char* begin = word.data() + (word.starts_with('+') ? 1 : 0);
  const char* end = word.data() + word.size();
  double value = 0;
  const auto [after, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || after != end)
    return invalid("not a number: " + printable(word.substr(0, 20)), where,
                   "Give one angle per view in degrees; comments begin with #");
  if (!std::isfinite(value)) return invalid("the angle is not finite", where, "Correct it");
  return value;
}

// Removes a heading line of words, and returns the unit that it names.
Unit take_heading(std::vector<WordLine>& lines) {
  if (lines.empty()) return Unit::deg;
  const Words& first = lines.front().words;
  if (std::any_of(first.begin(), first.end(), begins_like_number)) return Unit::deg;
  std::string letters;
  for (const std::string& word : first) letters += word + " ";
  std::replace_if(
      letters.begin(), letters.end(), [](unsigned char c) { return std::isalpha(c) == 0; }, ' ');
  const Words words = words_of(lower_case(letters));
  const auto is_named = [&](const char* unit) { return std::find(words.begin(), words.end(), unit) != words.end(); };
  lines.erase(lines.begin());
  return is_named("rad") || is_named("radian") || is_named("radians") ? Unit::rad : Unit::deg;
}

}  // namespace

Result<std::vector<double>> read_angles_file(const std::filesystem::path& path) {
  constexpr int64_t max_bytes = int64_t{1} << 30;
  TL_TRY(const std::string text, read_text(path, "the file with the angles", max_bytes));
  std::vector<WordLine> lines = words_of_lines(text);
  const Unit unit = take_heading(lines);
  if (!are_decimal_commas(lines)) split_at_commas(lines);
  const std::size_t skipped = count_lines(lines) ? 1 : 0;
  std::vector<double> angles;
  for (const WordLine& line : lines)
    for (std::size_t i = skipped; i < line.words.size(); ++i) {
      const std::string where = path.string() + ":" + std::to_string(line.number);
      TL_TRY(const double value, parse_angle(line.words[i], where));
      if (angles.size() >= max_angles) return invalid("more angles than any scan has views", where);
      angles.push_back(to_stored(value, unit));
    }
  if (angles.empty()) return invalid("the file holds no angle", path.string(), "Give one angle per view in degrees");
  return angles;
}

}  // namespace tl::io
