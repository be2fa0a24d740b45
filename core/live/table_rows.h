// The rows of a table that satisfy a filter, sorted by a column.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/live/notification.h"

namespace tl::live {

struct RowCondition {
  enum class Comparison { less, at_most, equal, at_least, more, unequal };
  std::size_t column = 0;
  Comparison comparison = Comparison::equal;
  double value = 0;  // in the unit of the column
};

// All conditions have to hold, and some cell has to contain the text.
struct RowFilter {
  std::vector<RowCondition> conditions;
  std::string text;  // "" fits every row
};

// "volume > 10", "volume > 10 and x <= 2.5" (or with "&" or "," in place of "and"): columns by name, ignoring case;
// spaces and underscores are equivalent. Comparisons: < <= = == >= > != . A part without a comparison is a text to
// search for. Errors: invalid for an unknown column name, with the nearest one, and for a text that is not a number.
Result<RowFilter> parse_row_filter(std::string_view text, const std::vector<PlainColumn>& columns);

enum class RowOrder { ascending, descending };
// Indices of the rows that satisfy the filter, sorted by the numbers of a column (negative: unsorted). Rows without a
// number come last in both orders; rows with equal numbers keep their order. Columns may be of unequal length: missing
// values are not numbers, and satisfy no condition except "!=".
std::vector<int> rows_that_fit(const std::vector<PlainColumn>& columns, const RowFilter& filter, int column,
                               RowOrder order);

}  // namespace tl::live
