// Filters and sorts rows of numbers.
#include "core/live/table_rows.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/base/text.h"
#include "core/node/nearest.h"

namespace tl::live {
namespace {

using Comparison = RowCondition::Comparison;

constexpr std::array<std::pair<std::string_view, Comparison>, 7> comparisons{{{"<=", Comparison::at_most},
                                                                              {">=", Comparison::at_least},
                                                                              {"!=", Comparison::unequal},
                                                                              {"==", Comparison::equal},
                                                                              {"<", Comparison::less},
                                                                              {">", Comparison::more},
                                                                              {"=", Comparison::equal}}};

std::string column_key(std::string_view name) {
  std::string key = lower_case(trimmed(name));
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

// Between "and", "&" and ",".
std::vector<std::string_view> parts_of_filter(std::string_view text) {
  std::vector<std::string_view> clauses;
  const std::string lower = lower_case(text);
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    if (const std::string_view part = trimmed(text.substr(begin, end - begin)); !part.empty()) clauses.push_back(part);
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = text[at] == ',' ? 1 : text[at] == '&' ? 1 : lower.compare(at, 5, " and ") == 0 ? 5 : 0;
    if (length > 0) {
      add(at);
      begin = at + length;
    }
    at += std::max<std::size_t>(length, 1);
  }
  add(text.size());
  return clauses;
}

Result<RowCondition> parse_condition(std::string_view name, Comparison comparison, std::string_view number,
                                     const std::vector<PlainColumn>& columns) {
  std::vector<std::string> names;
  for (const PlainColumn& column : columns) names.push_back(column.name);
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const PlainColumn& column) {
    return column_key(column.name) == column_key(name);
  });
  if (found == columns.end())
    return invalid("there is no column \"" + std::string(trimmed(name)) + "\"", {}, suggest(column_key(name), names));
  const auto value = numbers_of(number, 1);
  if (!value)
    return invalid("\"" + std::string(trimmed(number)) + "\" is not a number", {}, "A condition is like volume > 10");
  return RowCondition{static_cast<std::size_t>(found - columns.begin()), comparison, value->front()};
}

double cell(const PlainColumn& column, int row) {
  const auto at = static_cast<std::size_t>(row);
  return at < column.values.size() ? column.values[at] : std::numeric_limits<double>::quiet_NaN();
}

bool holds(const RowCondition& condition, double value) {
  switch (condition.comparison) {
    case Comparison::less: return value < condition.value;
    case Comparison::at_most: return value <= condition.value;
    case Comparison::equal: return value == condition.value;
    case Comparison::at_least: return value >= condition.value;
    case Comparison::more: return value > condition.value;
    case Comparison::unequal: return value != condition.value;
  }
  return false;
}

// Compares numbers as shown in the table: with at most seven digits.
bool contains(double value, std::string_view text) {
  std::array<char, 32> words{};
  if (std::isnan(value)) return false;
  const auto end = std::to_chars(words.data(), words.data() + words.size(), value, std::chars_format::general, 7);
  return std::string_view(words.data(), static_cast<std::size_t>(end.ptr - words.data())).find(text) !=
         std::string_view::npos;
}

}  // namespace

Result<RowFilter> parse_row_filter(std::string_view text, const std::vector<PlainColumn>& columns) {
  RowFilter filter;
  for (const std::string_view part : parts_of_filter(text)) {
    std::size_t first = std::string_view::npos, length = 0;
    Comparison comparison = Comparison::equal;
    for (const auto& [sign, meaning] : comparisons)  // operators of two characters come first
      if (const std::size_t at = part.find(sign); at < first) {
        first = at;
        length = sign.size();
        comparison = meaning;
      }
    if (first == std::string_view::npos) {
      filter.text = part;
      continue;
    }
    TL_TRY(RowCondition condition,
           parse_condition(part.substr(0, first), comparison, part.substr(first + length), columns));
    filter.conditions.push_back(condition);
  }
  return filter;
}

std::vector<int> rows_that_fit(const std::vector<PlainColumn>& columns, const RowFilter& filter, int column,
                               RowOrder order) {
  std::size_t count = 0;
  for (const PlainColumn& c : columns) count = std::max(count, c.values.size());
  std::vector<int> rows;
  for (int row = 0; row < static_cast<int>(count); ++row) {
    const bool fits = std::all_of(filter.conditions.begin(), filter.conditions.end(), [&](const RowCondition& c) {
      return c.column < columns.size() && holds(c, cell(columns[c.column], row));
    });
    if (fits && (filter.text.empty() || std::any_of(columns.begin(), columns.end(), [&](const PlainColumn& c) {
                   return contains(cell(c, row), filter.text);
                 })))
      rows.push_back(row);
  }
  if (column < 0 || static_cast<std::size_t>(column) >= columns.size()) return rows;
  const PlainColumn& by = columns[static_cast<std::size_t>(column)];
  const auto numbers_end =
      std::stable_partition(rows.begin(), rows.end(), [&](int row) { return !std::isnan(cell(by, row)); });
  std::stable_sort(rows.begin(), numbers_end, [&](int a, int b) {
    return order == RowOrder::ascending ? cell(by, a) < cell(by, b) : cell(by, a) > cell(by, b);
  });
  return rows;
}

}  // namespace tl::live
