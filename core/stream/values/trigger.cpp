// Reads one comparison.
#include "core/stream/values/trigger.h"

#include <array>
#include <sstream>
#include <utility>

#include "core/base/text.h"

namespace tl::stream {
namespace {

// Signs of two characters come first: "<=" begins with "<".
constexpr std::array<std::pair<std::string_view, Comparison>, 6> comparison_signs = {{{"<=", Comparison::at_most},
                                                                                      {">=", Comparison::at_least},
                                                                                      {"==", Comparison::equal},
                                                                                      {"!=", Comparison::different},
                                                                                      {"<", Comparison::less},
                                                                                      {">", Comparison::greater}}};

Error not_a_comparison(std::string what) {
  return invalid(std::move(what), "trigger", "Write a name, a comparison and a number, for example 'load > 5'");
}

}  // namespace

Result<Trigger> Trigger::parse(std::string_view text) {
  const std::size_t at = text.find_first_of("<>=!");
  if (at == std::string_view::npos) return not_a_comparison("there is no comparison in \"" + std::string(text) + "\"");
  Trigger trigger;
  trigger.name = std::string(trimmed(text.substr(0, at)));
  if (trigger.name.empty()) return not_a_comparison("there is no name before the comparison");
  for (const auto& [sign, comparison] : comparison_signs) {
    if (!text.substr(at).starts_with(sign)) continue;
    trigger.comparison = comparison;
    const std::string_view right = trimmed(text.substr(at + sign.size()));
    const auto limit = numbers_of(right, 1);
    if (!limit) return not_a_comparison("\"" + std::string(right) + "\" is not a number");
    trigger.limit = limit->front();
    return trigger;
  }
  return not_a_comparison("a comparison is <, <=, >, >=, == or !=");
}

bool Trigger::holds(const std::string& of, double value) const {
  if (of != name) return false;
  switch (comparison) {
    case Comparison::less: return value < limit;
    case Comparison::at_most: return value <= limit;
    case Comparison::greater: return value > limit;
    case Comparison::at_least: return value >= limit;
    case Comparison::equal: return value == limit;
    case Comparison::different: break;
  }
  return value != limit;
}

std::string Trigger::text() const {
  std::ostringstream all;
  for (const auto& [sign, of_sign] : comparison_signs)
    if (of_sign == comparison) all << name << ' ' << sign << ' ' << limit;
  return all.str();
}

}  // namespace tl::stream
