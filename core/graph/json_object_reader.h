// JsonObjectReader: base class of readers of JSON documents: members, type checks, and errors that name the line.
// Internal to core.
#pragma once

#include <string>
#include <vector>

#include "core/graph/json_document.h"

namespace tl::json {

class JsonObjectReader {
 public:
  explicit JsonObjectReader(const JsonLineNumbers& lines) : lines_(lines) {}

  static Json* find(Json& object, const char* key);
  static const Json* find(const Json& object, const char* key);
  [[nodiscard]] Error wrong(std::string what, const std::string& at, std::string hint) const;
  [[nodiscard]] Error placed(Error error, const std::string& at) const;
  Result<void> expect(const Json& value, bool right, const char* what, const std::string& at) const;
  Result<void> only_keys(const Json& object, const std::string& at, const std::vector<std::string>& known) const;
  Result<std::string> text(const Json& value, const std::string& at) const;
  Result<std::string> required_text(const Json& object, const char* key, const std::string& at) const;

 protected:
  const JsonLineNumbers& lines_;
};

}  // namespace tl::json
