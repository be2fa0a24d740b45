// core/nodes/input/load_table.cpp: a table on disk, such as one written by Save table.
#include <charconv>
#include <cmath>
#include <limits>

#include "core/io/text/csv.h"
#include "core/nodes/input/file_states.h"

namespace tl::input_load_table_node {

struct Params {
  std::optional<std::string> file;
};

struct Heading {
  std::string name;
  Unit unit = Unit::none;
};
// "shift_x [mm]".
Result<Heading> heading_of(const std::string& text, const std::string& where) {
  const std::size_t open = text.rfind(" [");
  if (open == std::string::npos || text.back() != ']') return Heading{text, Unit::none};
  const Result<Unit> unit = parse_unit(text.substr(open + 2, text.size() - open - 3));
  if (!unit.ok()) return invalid("the unit of column " + text + " is not known", where, "Write it as in [mm]");
  return Heading{text.substr(0, open), unit.value()};
}

// NaN for an empty cell.
Result<double> number_of(const std::string& text, const std::string& where) {
  if (text.empty()) return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size()) return value;
  return invalid("\"" + text + "\" is not a number", where, "Tables hold numbers below a line of names");
}

Result<void> run(const Params& p, NodeRun& r) {
  Table table;
  if (!p.file || p.file->empty()) return r.done("table", std::move(table));
  TL_TRY(const std::vector<io::CsvRow> rows, io::read_csv(*p.file));
  if (rows.empty()) return invalid("the table is empty", *p.file, "Its first line names the columns");
  std::vector<Unit> units;
  for (const std::string& text : rows[0]) {
    TL_TRY(const Heading heading, heading_of(text, *p.file));
    table.columns.push_back({heading.name, stored_unit(dimension(heading.unit)), {}});
    units.push_back(heading.unit);
  }
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::string where = *p.file + ", row " + std::to_string(i);
    if (rows[i].size() > table.columns.size()) return invalid("a row has more cells than there are names", where);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      TL_TRY(const double value, number_of(c < rows[i].size() ? rows[i][c] : std::string(), where));
      table.columns[c].values.push_back(to_stored(value, units[c]));
    }
  }
  return r.done("table", std::move(table));
}

void describe(NodeBuilder<Params>& n) {
  n.id("input.load_table", 1).title("Load table").category("Input").partition(Partition::whole);
  n.not_differentiable("it reads recorded numbers");
  n.summary("Reads a table of numbers from CSV, such as the motion of a registration before this one.");
  n.description(
      "The first line names the columns, with units in brackets, as Save table writes them; other units are converted "
      "to mm, rad and keV. An empty cell is an unknown number. Without a file the table has no columns: a registration "
      "then starts from its own parameters, as needed for the first volume of a series.");
  n.synonyms({"CSV", "import", "open", "spreadsheet", "parameters"});
  n.output<Table>("table", "The table.");
  n.param("file", "File", &Params::file).input_file().automatic("no table").help("The table: a CSV file.");
  n.fingerprint([](const Params& p) { return fingerprint_of_named(p.file.value_or("")); });
  n.run(run);
}

}  // namespace tl::input_load_table_node

TL_NODE(input_load_table)
