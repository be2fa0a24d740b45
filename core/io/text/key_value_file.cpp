// Reads texts with one KEY=VALUE per line.
#include "core/io/text/key_value_file.h"

#include <string_view>

#include "core/base/text.h"
#include "core/io/text/text_file.h"

namespace tl::io {
namespace {

constexpr int64_t max_bytes = int64_t{1} << 20;

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t begin = text.find_first_not_of(blank);
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(blank) + 1 - begin);
}

}  // namespace

Result<KeyValueFile> KeyValueFile::open(const std::filesystem::path& path, KeyCase key_case, DecimalSign decimals) {
  KeyValueFile file({path, stamp_of(path)}, key_case, decimals);
  TL_TRY(const std::string text, read_text(path, "the file", max_bytes));
  if (text.find('=') == std::string::npos)
    return invalid("no line of the file has a value", path.string(),
                   "Copy the file from the scanner again, or save it as plain text");
  int64_t number = 0;
  for (const std::string_view line : lines_of(text)) file.add(line, ++number);
  return file;
}

void KeyValueFile::add(std::string_view line, int64_t number) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return;
  const std::string key(without_blanks(line.substr(0, equals)));
  std::string value(without_blanks(line.substr(equals + 1)));
  if (value.size() > 1 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
  const auto [at, is_new] = lines_.emplace(key_case_ == KeyCase::matters ? key : lower_case(key), Line{value, number});
  if (!is_new && at->second.value != value) at->second.contradicted = true;
}

std::string KeyValueFile::location(const Line& line) const {
  return file_.path.string() + ":" + std::to_string(line.number);
}

const KeyValueFile::Line* KeyValueFile::find(const std::string& key) const {
  const auto found = lines_.find(key_case_ == KeyCase::matters ? key : lower_case(key));
  return found == lines_.end() ? nullptr : &found->second;
}

Result<std::optional<std::string>> KeyValueFile::text(const std::string& key) const {
  const Line* found = find(key);
  if (found == nullptr) return std::optional<std::string>();
  if (found->contradicted)
    return invalid("another line has another value of " + key, location(*found), "Remove the wrong line");
  return std::optional(found->value);
}

Result<std::optional<double>> KeyValueFile::number(const std::string& key, Bounds bounds) const {
  TL_TRY(const std::optional<std::string> text, this->text(key));
  if (!text) return std::optional<double>();
  TL_TRY(const double value, stated_number(*text, key, location(*find(key)), bounds, decimals_));
  return std::optional(value);
}

Result<double> KeyValueFile::required(const std::string& key, Bounds bounds) const {
  TL_TRY(const std::optional<double> value, number(key, bounds));
  if (value) return *value;
  return invalid("the file has no line " + key + "=...", file_.path.string(),
                 "Add it, or copy the file from the scanner again");
}

Result<int64_t> KeyValueFile::required_integer(const std::string& key, int64_t low, int64_t high) const {
  TL_TRY(const double value, required(key, {static_cast<double>(low), static_cast<double>(high)}));
  return stated_integer(value, key, location(*find(key)));
}

}  // namespace tl::io
