// core/nodes/output/save_table.cpp: write a table as CSV.
#include <charconv>
#include <cmath>

#include "core/graph/output_names.h"
#include "core/io/output/output_file.h"
#include "core/io/text/csv.h"
#include "core/node/node_builder.h"
#include "core/nodes/output/output_node.h"

namespace tl {
namespace output_save_table_node {

struct Params {
  std::string file = "table.csv";
};

struct State {
  Table table;
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

Result<void> check(const Params& p, const Infos&) {
  if (p.file.empty()) return invalid("no file name is given", "file", "Give a file name");
  return check_output_name("output.save_table", {}, p.file);
}

Result<std::shared_ptr<State>> begin(const Params& p, NodeRun& r) {
  TL_TRY(check_output(p.file, io::OutputKind::file, r));
  return std::make_shared<State>();
}

Result<void> accumulate(const Params&, State& s, NodeRun& r) {
  s.table = r.in<Table>("table");
  return ok();
}

Result<Findings> finish(const Params& p, State& s, NodeRun& r) {
  TL_TRY(io::OutputFile file, io::uncommitted_text(p.file, csv_of(s.table), r.host().output_rules()));
  r.host().deliver(std::move(file));
  return Findings{};
}

void describe(NodeBuilder<Params>& n) {
  n.id("output.save_table", 1).title("Save table").category("Output").writes_files();
  n.not_differentiable("it writes a file");
  n.summary("Writes a table (objects, a histogram, thresholds) as CSV.");
  n.description(
      "The first line names the columns, with units in brackets; a number is written so that it is read back exactly, "
      "and what is not known is left empty. The pipeline is in the record next to it.");
  n.synonyms({"CSV", "spreadsheet", "export", "regions", "histogram", "curve"});
  n.input<Table>("table", "The table to write.");
  n.param("file", &Params::file)
      .title("File")
      .output_file()
      .help("Name of the file; relative names go into the output folder.");
  n.check(check).reduce<State>(begin, accumulate, finish);
}

}  // namespace output_save_table_node

TL_NODE(output_save_table)

}  // namespace tl
