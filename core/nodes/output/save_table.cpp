// core/nodes/output/save_table.cpp: write a table as CSV, as STAR, or shifts of images as .xf.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/text.h"
#include "core/io/text/csv.h"
#include "core/io/text/star_file.h"
#include "core/io/text/xf_file.h"
#include "core/nodes/output/output_node.h"

namespace tl::output_save_table_node {

struct Params {
  std::string file = "table.csv";
};

// The shortest text that reads back as the same number; empty for a missing number.
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

std::string ending_of(const Params& p) { return lower_case(std::filesystem::path(p.file).extension().string()); }

// Missing numbers are written as programs that read STAR expect them.
std::string star_of(const Table& table) {
  constexpr const char* gap = "-9999";
  io::StarTable star;
  std::size_t rows = 0;
  for (const Table::Column& c : table.columns) {
    std::string label = c.name;
    std::replace(label.begin(), label.end(), ' ', '_');
    star.columns.push_back(label);
    rows = std::max(rows, c.values.size());
  }
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<std::string>& row = star.rows.emplace_back();
    for (const Table::Column& c : table.columns) {
      const std::string text = i < c.values.size() ? number_text(c.values[i]) : "";
      row.push_back(text.empty() ? gap : text);
    }
  }
  return io::star_text(star);
}

// The transforms that correct the shifts of images (in columns and rows, downwards) in the table.
Result<std::string> xf_of(const Table& table) {
  const auto column = [&](const char* name) {
    return std::find_if(table.columns.begin(), table.columns.end(),
                        [&](const Table::Column& c) { return c.name == name && c.unit == Unit::px; });
  };
  const auto x = column("x"), y = column("y");
  if (x == table.columns.end() || y == table.columns.end() || x->values.size() != y->values.size())
    return invalid("the table has no shifts x and y in pixels", "table",
                   "Connect the table 'shifts' of 'Align frames', or choose a name that ends in .csv");
  std::vector<io::ImageTransform> all;
  for (std::size_t i = 0; i < x->values.size(); ++i) {
    io::ImageTransform t;
    t.dx = 0 - x->values[i];
    t.dy = y->values[i];
    all.push_back(t);
  }
  return io::xf_text(all);
}

Result<void> check(const Params& p, const Infos&) { return check_file_name("output.save_table", {}, p.file); }

Result<io::OutputFile> file_of(const Params& p, const Table& table, NodeRun& r) {
  std::string text;
  if (ending_of(p) == ".xf") {
    TL_TRY(text, xf_of(table));
  } else {
    text = ending_of(p) == ".star" ? star_of(table) : csv_of(table);
  }
  return io::uncommitted_text(p.file, text, r.host().output_rules());
}

void describe(NodeBuilder<Params>& n) {
  declare_output(n, "output.save_table", "Save table");
  n.summary("Writes a table (objects, a histogram, thresholds) as CSV; directions as STAR, shifts of frames as .xf.");
  n.description(
      "CSV: the first line names the columns, with units in brackets; a number is written so that it is read back "
      "exactly, and unknown numbers are left empty. A name that ends in .star: STAR, as RELION reads it, with -9999 "
      "for an unknown number. A name that ends in .xf: IMOD's transforms, which undo the shifts of 'Align frames'. The "
      "pipeline is in the record next to the file.");
  n.synonyms({"CSV", "STAR", "RELION", "IMOD", "xf", "spreadsheet", "export", "regions", "histogram", "curve"});
  n.input<Table>("table", "The table to write.");
  declare_file(n).output_file("a table", {".csv", ".star", ".xf"});
  n.check(check);
  write_whole<Table, file_of>(n);
}

}  // namespace tl::output_save_table_node

TL_NODE(output_save_table)
