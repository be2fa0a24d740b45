// JsonText: the text of a space, parsed once, with the line of each value where an error needs it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/graph/json_document.h"
#include "core/tune/space.h"

namespace tl::tune {

using json::Json;

class JsonText {
 public:
  // Refused with line and column: what is not JSON (NaN and infinity are not), numbers that overflow, duplicate keys,
  // nesting deeper than 32 levels, more than 256 MiB. With Ending::may_be_open the closing brackets of the outer
  // objects may be missing, and a comma may stand last: so are caches whose writer still runs. `file` names the text in
  // errors.
  enum class Ending { closed, may_be_open };
  static Result<JsonText> parse(std::string text, std::string file, Ending ending);

  [[nodiscard]] const Json& root() const { return root_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  // "cache.json:12, cache.16,1.time": `pointer` is a JSON pointer (RFC 6901).
  [[nodiscard]] std::string where(const std::string& pointer) const;
  // An error of kind invalid about the value there.
  [[nodiscard]] Error bad(std::string what, const std::string& pointer, std::string hint) const;

 private:
  std::string text_, file_;
  Json root_;
};

// The member of an object, or an error that names it. `holder` is the object at `pointer`.
Result<const Json*> member(const JsonText& text, const Json& holder, const std::string& pointer, const char* key);
Result<std::string> text_member(const JsonText& text, const Json& holder, const std::string& pointer, const char* key);
// A finite number.
Result<double> number_at(const JsonText& text, const Json& value, const std::string& pointer);
Result<std::vector<double>> numbers_at(const JsonText& text, const Json& value, const std::string& pointer);
// A number, text, or true or false.
Result<ParameterValue> value_at(const JsonText& text, const Json& value, const std::string& pointer);
Json json_of(const ParameterValue& value);

}  // namespace tl::tune
