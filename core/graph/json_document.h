// Safe reading of JSON text: the document, and the line of each of its values. Internal to core.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tl::json {

using Json = nlohmann::ordered_json;  // keeps the order of keys

// Limits beyond which a text is refused: deep nesting would exhaust the stack of recursive functions; size and number
// of values would exhaust memory.
inline constexpr std::size_t max_depth = 64;
inline constexpr std::size_t max_bytes = std::size_t{64} << 20;
inline constexpr std::size_t max_values = 4'000'000;
inline constexpr std::size_t max_key = 1000;  // bytes

// Lines of values by JSON pointer (RFC 6901: "/nodes/fbp/type").
class JsonLineNumbers {
 public:
  explicit JsonLineNumbers(std::string file = {}) : file_(std::move(file)) {}
  void add(const std::string& pointer, int64_t line) { lines_.emplace(pointer, line); }
  [[nodiscard]] std::size_t size() const { return lines_.size(); }
  [[nodiscard]] bool has(const std::string& pointer) const { return lines_.count(pointer) != 0; }
  // 1-based line of the value, or of the nearest enclosing value whose line is known.
  [[nodiscard]] int64_t line(const std::string& pointer) const;
  // "scan.json:12, nodes.fbp.type"
  [[nodiscard]] std::string where(const std::string& pointer) const;
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::map<std::string, int64_t> lines_;
};

struct Document {
  Json root;
  JsonLineNumbers lines;
};

// Parses the text in one pass. Refused with line and column: text that is not JSON or not UTF-8, numbers that overflow,
// duplicate keys, and texts beyond the limits above. `file` only names the text in errors.
Result<Document> read_document(std::string_view text, const std::string& file);

// The JSON pointer of a member or element.
std::string child(const std::string& pointer, std::string_view key);
std::string child(const std::string& pointer, std::size_t index);
// null for NaN and infinity, which JSON does not have.
Json finite_or_null(double value);
// The value's type in words: "a string", "an object".
std::string type_words(const Json& value);
// A name from a file in quotes, cut to a length that fits a message.
std::string in_quotes(std::string_view name);

}  // namespace tl::json
