// Reads members of JSON objects, with errors that name the line.
#include "core/graph/json_object_reader.h"

#include <algorithm>
#include <utility>

#include "core/node/nearest.h"

namespace tl::json {

Json* JsonObjectReader::find(Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}
const Json* JsonObjectReader::find(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

Error JsonObjectReader::wrong(std::string what, const std::string& at, std::string hint) const {
  return invalid(std::move(what), lines_.where(at), std::move(hint));
}
Error JsonObjectReader::placed(Error error, const std::string& at) const {
  error.where = lines_.where(at);
  return error;
}
Result<void> JsonObjectReader::expect(const Json& value, bool right, const char* what, const std::string& at) const {
  if (right) return ok();
  return wrong("this must be " + std::string(what) + ", not " + type_words(value), at, "Correct it in the file");
}
Result<void> JsonObjectReader::only_keys(const Json& object, const std::string& at,
                                         const std::vector<std::string>& known) const {
  for (const auto& [key, value] : object.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      return wrong("unknown key " + in_quotes(key), child(at, key), suggest(key, known));
  return ok();
}
Result<std::string> JsonObjectReader::text(const Json& value, const std::string& at) const {
  TL_TRY(expect(value, value.is_string(), "a string", at));
  return value.get<std::string>();
}
Result<std::string> JsonObjectReader::required_text(const Json& object, const char* key, const std::string& at) const {
  const Json* value = find(object, key);
  if (value == nullptr) return wrong("the key \"" + std::string(key) + "\" is missing", at, "Add it");
  return text(*value, child(at, key));
}

}  // namespace tl::json
