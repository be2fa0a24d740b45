// core/nodes/output/save_parameters.cpp: write found and used parameters as JSON or as a CSV table.
#include <array>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/io/text/csv.h"
#include "core/nodes/output/output_node.h"

namespace tl::output_save_parameters_node {

struct Params {
  std::string file = "parameters.json";
};

bool is_csv(const std::string& file) { return lower_case(std::filesystem::path(file).extension().string()) == ".csv"; }

// One row per parameter, with the columns of the JSON list; empty for null. Lists and arrays are written as JSON in
// their field.
std::string csv_of(const nlohmann::ordered_json& parameters) {
  constexpr std::array columns = {"node", "name", "value", "unit", "uncertainty", "verdict"};
  std::string text = io::csv_line({columns.begin(), columns.end()});
  for (const auto& parameter : parameters) {
    io::CsvRow row;
    for (const char* column : columns) {
      const auto& value = parameter.at(column);
      row.push_back(value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump());
    }
    text += io::csv_line(row);
  }
  return text;
}

Result<void> check(const Params& p, const Infos&) { return check_file_name("output.save_parameters", {}, p.file); }

Result<io::OutputFile> file_of(const Params& p, const Scalar&, NodeRun& r) {
  using json = nlohmann::ordered_json;
  json out = {{"format", "tomoloom-parameters"}, {"schema_version", 1}};
  out["parameters"] = json::parse(r.host().parameters_text(std::filesystem::path(p.file).parent_path()));
  const std::string text = is_csv(p.file) ? csv_of(out["parameters"]) : out.dump(2) + "\n";
  return io::uncommitted_text(p.file, text, r.host().output_rules());
}

void describe(NodeBuilder<Params>& n) {
  declare_output(n, "output.save_parameters", "Save parameters");
  n.role(NodeRole::save_parameters);
  n.summary(
      "Writes measured and learned values with uncertainty and verdict, and all parameters used, as JSON or CSV.");
  n.description(
      "Lists what the nodes before it found (an axis, a statistic) and every parameter that they used, as a table for "
      "spreadsheets if the name ends in .csv, otherwise as JSON.");
  n.synonyms({"JSON", "CSV", "table", "spreadsheet", "export", "axis"});
  n.input<Scalar>("value", "A found value; the parameters of all nodes before it are listed too.");
  declare_file(n, "Name of the JSON or CSV file").output_file("parameters", {".json", ".csv"});
  n.check(check);
  write_whole<Scalar, file_of>(n);
}

}  // namespace tl::output_save_parameters_node

TL_NODE(output_save_parameters)
