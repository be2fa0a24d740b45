// The table of curves as CSV.
#include <charconv>
#include <cmath>

#include "core/base/text.h"
#include "core/io/text/csv.h"
#include "core/tune/replay/replay.h"

namespace tl::tune {
namespace {

const io::CsvRow& columns() {
  static const io::CsvRow names = {"space",         "optimiser",   "budget",  "runs",
                                   "mean_fraction", "sd_fraction", "success", "mean_evaluations"};
  return names;
}

std::string number_text(double value) { return formatted("%.9g", value); }

Result<CurvePoint> parse_row(const io::CsvRow& row, const std::string& where) {
  if (row.size() != columns().size())
    return invalid("the row has " + std::to_string(row.size()) + " fields", where,
                   "Give the " + std::to_string(columns().size()) + " columns that `tune replay` writes");
  CurvePoint point;
  point.space = row[0];
  point.optimiser = row[1];
  double numbers[6] = {};
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string& word = row[i + 2];
    const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), numbers[i]);
    if (failed != std::errc() || end != word.data() + word.size() || !std::isfinite(numbers[i]) || numbers[i] < 0)
      return invalid("\"" + word.substr(0, 40) + "\" is not a number from 0", where + ", " + columns()[i + 2],
                     "Correct it");
  }
  constexpr double most = 1e15;
  if (numbers[0] < 1 || numbers[1] < 1 || numbers[0] > most || numbers[1] > most ||
      numbers[0] != std::floor(numbers[0]) || numbers[1] != std::floor(numbers[1]))
    return invalid("budget and runs are counts from 1", where, "Correct them");
  if (numbers[2] > 1 || numbers[4] > 1) return invalid("a fraction or success is above 1", where, "Correct it");
  point.budget = static_cast<int64_t>(numbers[0]);
  point.runs = static_cast<int64_t>(numbers[1]);
  point.mean_fraction = numbers[2];
  point.sd_fraction = numbers[3];
  point.success = numbers[4];
  point.mean_evaluations = numbers[5];
  return point;
}

}  // namespace

std::string curves_csv(const std::vector<CurvePoint>& points) {
  std::string text = io::csv_line(columns());
  for (const CurvePoint& p : points)
    text += io::csv_line({p.space, p.optimiser, std::to_string(p.budget), std::to_string(p.runs),
                          number_text(p.mean_fraction), number_text(p.sd_fraction), number_text(p.success),
                          number_text(p.mean_evaluations)});
  return text;
}

Result<std::vector<CurvePoint>> parse_curves(const std::string& text, const std::string& file) {
  TL_TRY(const std::vector<io::CsvRow> rows, io::parse_csv(text, file));
  if (rows.empty() || rows.front() != columns())
    return invalid("not a table of curves: its columns are others", file + ":1", "Give a file of `tune replay`");
  std::vector<CurvePoint> points;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    TL_TRY(CurvePoint point, parse_row(rows[i], file + ":" + std::to_string(i + 1)));
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace tl::tune
