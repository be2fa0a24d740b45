// core/nodes/output/save_table.cpp: write a table as CSV.
#include <charconv>
#include <cmath>

#include "core/io/text/csv.h"
#include "core/nodes/output/output_node.h"

namespace tl::output_save_table_node {

struct Params {
  std::string file = "table.csv";
};

// The shortest text that is read back as the same number; empty where there is none.
std::string number_text(double value) {
  if (std::isnan(value)) return {};
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string csv_of(const Table& table) {
  io::CsvRow names;
  std::size_t rows = 0;
  for (const Table::Column& c : table.columns) {
    names.push_back(c.unit == Unit::none ? c.name : c.name + " [" + std::string(symbol(c.unit)) + "]");
    rows = std::max(rows, c.values.size());
  }
  std::string text = io::csv_line(names);
  for (std::size_t i = 0; i < rows; ++i) {
    io::CsvRow row;
    for (const Table::Column& c : table.columns) row.push_back(i < c.values.size() ? number_text(c.values[i]) : "");
    text += io::csv_line(row);
  }
  return text;
}

Result<void> check(const Params& p, const Infos&) { return check_file_name("output.save_table", {}, p.file); }

Result<io::OutputFile> file_of(const Params& p, const Table& table, NodeRun& r) {
  return io::uncommitted_text(p.file, csv_of(table), r.host().output_rules());
}

void describe(NodeBuilder<Params>& n) {
  declare_output(n, "output.save_table", "Save table");
  n.summary("Writes a table (objects, a histogram, thresholds) as CSV.");
  n.description(
      "The first line names the columns, with units in brackets; a number is written so that it is read back exactly, "
      "and what is not known is left empty. The pipeline is in the record next to it.");
  n.synonyms({"CSV", "spreadsheet", "export", "regions", "histogram", "curve"});
  n.input<Table>("table", "The table to write.");
  declare_file(n).output_file("a table", {".csv"});
  n.check(check);
  write_whole<Table, file_of>(n);
}

}  // namespace tl::output_save_table_node

TL_NODE(output_save_table)
