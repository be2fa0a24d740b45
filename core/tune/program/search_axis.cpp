// Axes from text, as landscapes, and their values as the program is given them.
#include "core/tune/program/search_axis.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "core/base/printable.h"

namespace tl::tune {
namespace {

constexpr std::size_t most_items = 10'000, most_axes = 20;
constexpr int most_bits = 62, real_bits = 20;
constexpr double most_integer = 1e15;  // all below are exact as double

std::optional<double> number_in(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 60 && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return c < 128 && (std::isalnum(c) != 0 || c == '_'); });
}

constexpr const char* forms = "Write x=-5:5 (numbers), n=1..8 (integers) or mode=a,b,c (a list)";

Error bad(const std::string& what, std::string_view text) {
  return invalid(what, printable(std::string(text.substr(0, 100))), forms);
}

Result<SearchAxis> parse_range(SearchAxis axis, std::string_view low, std::string_view high, std::string_view text) {
  const std::optional<double> first = number_in(low), last = number_in(high);
  if (!first || !last) return bad("an end of the range is not a finite number", text);
  if (!(*first < *last)) return bad("the range does not rise", text);
  if (!std::isfinite(*last - *first)) return bad("the range is too wide", text);
  axis.low = *first;
  axis.high = *last;
  if (axis.kind != SearchAxis::Kind::integer) return axis;
  if (axis.low != std::floor(axis.low) || axis.high != std::floor(axis.high))
    return bad("the ends of a range of integers are not integers", text);
  if (std::max(std::abs(axis.low), std::abs(axis.high)) > most_integer) return bad("the integers are too large", text);
  return axis;
}

Result<SearchAxis> parse_list(SearchAxis axis, std::string_view values, std::string_view text) {
  std::set<std::string> seen;
  std::optional<double> before;
  for (std::size_t from = 0; from <= values.size();) {
    const std::size_t end = std::min(values.find(',', from), values.size());
    std::string item(values.substr(from, end - from));
    from = end + 1;
    if (item.empty()) return bad("an item of the list is empty", text);
    if (!seen.insert(item).second) return bad("an item of the list occurs twice", text);
    if (seen.size() > most_items) return bad("the list has more than " + std::to_string(most_items) + " items", text);
    const std::optional<double> number = number_in(item);
    axis.is_ordered = axis.is_ordered && number && (!before || *before < *number);
    before = number;
    axis.items.push_back(std::move(item));
  }
  if (axis.items.size() < 2) return bad("there is one value alone, nothing to choose from", text);
  return axis;
}

// The power of ten not above a millionth of the range.
int decimals_of(double range) { return static_cast<int>(std::floor(std::log10(range * 1e-6))); }

double rounded(double value, double range) {
  // Through text: the nearest decimal number, as the program and the record have it.
  char text[400];
  const int decimals = -decimals_of(range);
  double result = value;
  if (decimals > 0 && decimals < 300) {
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals).ptr;
    std::from_chars(text, end, result);
  }
  return result == 0 ? 0 : result;  // no negative zero
}

int64_t size_of(const SearchAxis& axis, int64_t reals) {
  return axis.kind == SearchAxis::Kind::real ? reals : axis.count();
}

}  // namespace

Result<SearchAxis> SearchAxis::parse(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return bad("there is no = between a name and its values", text);
  SearchAxis axis;
  axis.name = std::string(text.substr(0, equals));
  const std::string_view values = text.substr(equals + 1);
  if (!is_name(axis.name)) return bad("the name is not one of letters, digits and underscores", text);
  if (const std::size_t dots = values.find(".."); dots != std::string_view::npos) {
    axis.kind = Kind::integer;
    return parse_range(std::move(axis), values.substr(0, dots), values.substr(dots + 2), text);
  }
  if (values.find(',') == std::string_view::npos) {
    const std::size_t colon = values.find(':');
    if (colon == std::string_view::npos) return bad("there is one value alone, nothing to choose from", text);
    return parse_range(std::move(axis), values.substr(0, colon), values.substr(colon + 1), text);
  }
  axis.kind = Kind::list;
  return parse_list(std::move(axis), values, text);
}

int64_t SearchAxis::count() const {
  return kind == Kind::list ? static_cast<int64_t>(items.size()) : static_cast<int64_t>(high - low) + 1;
}

double SearchAxis::range() const { return kind == Kind::list ? static_cast<double>(items.size()) - 1 : high - low; }

std::string SearchAxis::text_of(double coordinate) const {
  if (kind == Kind::list) return items[static_cast<std::size_t>(coordinate)];
  if (kind == Kind::integer) return std::to_string(static_cast<int64_t>(coordinate));
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, coordinate).ptr};
}

double SearchAxis::unit_of(double coordinate) const {
  if (kind == Kind::real) return (coordinate - low) / (high - low);
  const double index = kind == Kind::list ? coordinate : coordinate - low;
  return (index + 0.5) / static_cast<double>(count());
}

Result<void> check_axes(const std::vector<SearchAxis>& axes) {
  if (axes.empty()) return invalid("there is nothing to vary", "", forms);
  if (axes.size() > most_axes)
    return invalid("more than " + std::to_string(most_axes) + " values are varied", "", "Leave the less important out");
  std::set<std::string> names;
  double combinations = 1;
  for (const SearchAxis& axis : axes) {
    if (!names.insert(axis.name).second) return invalid("the name occurs twice", axis.name, "Name each value once");
    combinations *= axis.kind == SearchAxis::Kind::real ? 8 : static_cast<double>(axis.count());
  }
  if (!(combinations < std::ldexp(1.0, most_bits)))
    return invalid("there are too many combinations", "", "Give smaller ranges of integers, or numbers in their place");
  return ok();
}

bool has_reals(const std::vector<SearchAxis>& axes) {
  return std::any_of(axes.begin(), axes.end(), [](const SearchAxis& a) { return a.kind == SearchAxis::Kind::real; });
}

Landscape landscape_of(const std::vector<SearchAxis>& axes) {
  double others = 1;
  int reals = 0;
  for (const SearchAxis& axis : axes) {
    if (axis.kind == SearchAxis::Kind::real) {
      ++reals;
    } else {
      others *= static_cast<double>(axis.count());
    }
  }
  const int bits = reals > 0 ? std::clamp(static_cast<int>((most_bits - std::log2(others)) / reals), 3, real_bits) : 0;
  std::vector<int64_t> sizes;
  std::vector<bool> unordered;
  for (const SearchAxis& axis : axes) {
    sizes.push_back(size_of(axis, int64_t{1} << bits));
    unordered.push_back(!axis.is_ordered);
  }
  constexpr double step = 1.0 / 16;  // of the range: what a program's score usually shows above its noise
  return Landscape::unmeasured(std::move(sizes), std::move(unordered), reals > 0 ? step : 0);
}

AxisPoint point_of(const std::vector<SearchAxis>& axes, const Landscape& landscape, int64_t cell) {
  AxisPoint point;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const SearchAxis& axis = axes[i];
    const auto index = static_cast<double>(landscape.coordinate(cell, i));
    switch (axis.kind) {
      case SearchAxis::Kind::list: point.push_back(index); break;
      case SearchAxis::Kind::integer: point.push_back(axis.low + index); break;
      case SearchAxis::Kind::real: {
        // The first cell is the lower end, the last one the upper end.
        const double share = index / static_cast<double>(landscape.sizes()[i] - 1);
        point.push_back(
            std::clamp(rounded(axis.low + share * (axis.high - axis.low), axis.high - axis.low), axis.low, axis.high));
        break;
      }
    }
  }
  return point;
}

}  // namespace tl::tune
