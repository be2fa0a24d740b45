// Finds architectures by name and reads their settings.
#include "core/net/architectures/architectures.h"

#include <algorithm>
#include <charconv>

#include "core/net/network.h"

std::vector<::tl::net::Architecture> tl_architecture_list();  // generated from core/net/CMakeLists.txt

namespace tl::net {
namespace {

std::string listed(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& n : all) text += (text.empty() ? "" : ", ") + n;
  return text;
}

Result<void> read_setting(const Architecture& a, const std::string& text, Settings& settings) {
  const std::size_t equal = text.find('=');
  const std::string name = text.substr(0, equal), number = equal == std::string::npos ? "" : text.substr(equal + 1);
  const auto found =
      std::find_if(a.settings.begin(), a.settings.end(), [&](const Setting& s) { return name == s.name; });
  if (found == a.settings.end() || equal == std::string::npos) {
    std::vector<std::string> known;
    for (const Setting& s : a.settings) known.emplace_back(std::string(s.name) + "=" + std::to_string(s.initial));
    return invalid("\"" + text + "\" is not a setting of " + a.name, a.name, "There are " + listed(known));
  }
  int64_t value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size() || value < found->low || value > found->high)
    return invalid(
        "\"" + number + "\" is not a number from " + std::to_string(found->low) + " to " + std::to_string(found->high),
        std::string(a.name) + " " + name, found->help);
  settings[name] = value;
  return ok();
}

}  // namespace

const std::vector<Architecture>& architectures() {
  static const std::vector<Architecture> all = tl_architecture_list();
  return all;
}

const Architecture* find_architecture(const std::string& name) {
  const auto& all = architectures();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Architecture& a) { return name == a.name; });
  return found == all.end() ? nullptr : &*found;
}

Result<Network> make_network(const std::string& name, const std::vector<std::string>& settings) {
  const Architecture* found = find_architecture(name);
  if (found == nullptr) {
    std::vector<std::string> names;
    for (const Architecture& a : architectures()) names.emplace_back(a.name);
    return invalid("there is no network \"" + name + "\"", "network", "There are " + listed(names));
  }
  Settings chosen;
  for (const Setting& s : found->settings) chosen[s.name] = s.initial;
  for (const std::string& text : settings) TL_TRY(read_setting(*found, text, chosen));
  TL_TRY(Network network, found->make(chosen));
  network.architecture = name;
  for (const Setting& s : found->settings)
    network.architecture += " " + std::string(s.name) + "=" + std::to_string(chosen[s.name]);
  // The limits for network files apply here too.
  TL_TRY(tensor_shapes(network));
  return network;
}

}  // namespace tl::net
