// Compares the keys of a header with the table of its format.
#include "core/io/keys/header_keys.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "core/base/printable.h"
#include "core/base/text.h"

namespace tl::io {
namespace {

constexpr std::size_t max_shown = 40;  // longest value shown in messages [characters]

// Of words between bars.
bool is_listed(std::string_view list, std::string_view word) {
  while (true) {
    const std::size_t end = list.find('|');
    if (list.substr(0, end) == word) return true;
    if (end == std::string_view::npos) return false;
    list.remove_prefix(end + 1);
  }
}

}  // namespace

const HeaderKey* HeaderKeys::find(std::string_view name) const {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const HeaderKey& k) { return is_listed(k.names, name); });
  return found == keys.end() ? nullptr : &*found;
}

std::vector<std::string> HeaderKeys::names() const {
  std::vector<std::string> all;
  for (const HeaderKey& key : keys) {
    std::istringstream words{std::string(key.names)};
    for (std::string name; std::getline(words, name, '|');) all.push_back(std::move(name));
  }
  return all;
}

Result<void> check_header_key(const HeaderKeys& known, const std::string& name, const std::string& value,
                              const std::string& where) {
  const HeaderKey* const key = known.find(name);
  if (key == nullptr || key->use != KeyUse::neutral || is_listed(key->neutral, lower_case(value))) return ok();
  return unavailable(
      "its header says " + name + " = " + printable(value.substr(0, max_shown)) + ": " + std::string(key->meaning),
      where, "Write the file again without it, with the program that made it");
}

Result<void> check_header_keys(const HeaderKeys& known, const std::map<std::string, std::string>& header,
                               const std::string& where, std::vector<std::string>& notes) {
  constexpr int max_named = 3;
  std::string names;
  int strange = 0;
  for (const auto& [name, value] : header) {
    TL_TRY(check_header_key(known, name, value, where));
    if (known.find(name) != nullptr) continue;
    if (++strange <= max_named) names += (strange == 1 ? "" : ", ") + printable(name.substr(0, max_shown));
  }
  if (strange > max_named) names += " and " + std::to_string(strange - max_named) + " more";
  if (strange > 0)
    notes.push_back("The header has keys that are not of " + std::string(known.format) +
                    ", and are not used: " + names + ".");
  return ok();
}

}  // namespace tl::io
