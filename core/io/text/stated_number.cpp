// Reads numbers as scanners write them, in any country.
#include "core/io/text/stated_number.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/printable.h"
#include "core/base/text.h"

namespace tl::io {
namespace {

// Some of a text, for messages.
std::string excerpt(std::string_view text) {
  constexpr std::size_t most = 40;
  return "\"" + printable(text.substr(0, most)) + (text.size() > most ? "..." : "") + "\"";
}

}  // namespace

Result<double> stated_number(std::string_view text, const std::string& key, const std::string& where, Bounds bounds,
                             DecimalSign decimals) {
  std::string digits(trimmed(text));
  if (decimals == DecimalSign::point_or_comma && digits.find('.') == std::string::npos &&
      std::count(digits.begin(), digits.end(), ',') == 1)
    digits[digits.find(',')] = '.';
  const char* begin = digits.data() + (digits.starts_with('+') ? 1 : 0);
  const char* end = digits.data() + digits.size();
  double value = 0;
  const auto [after, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || after != end || !std::isfinite(value))
    return invalid(key + " is not a number: " + excerpt(text), where, "Correct the line; decimals follow a point");
  if (value < bounds.low || value > bounds.high)
    return invalid(key + " is " + formatted("%g, not between %g and %g", value, bounds.low, bounds.high), where,
                   "Correct the line, or copy the file from the scanner again");
  return value;
}

Result<int64_t> stated_integer(double value, const std::string& key, const std::string& where) {
  constexpr double largest = 9e15;  // whose neighbours are integers, too
  if (value == std::floor(value) && std::abs(value) <= largest) return static_cast<int64_t>(value);
  return invalid(key + " is " + formatted("%g", value) + ", not an integer", where, "Correct the line");
}

}  // namespace tl::io
