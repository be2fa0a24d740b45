// core/nodes/output/save_parameters.cpp: write found and used parameters as JSON or as a CSV table.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/graph/output_names.h"
#include "core/io/output/output_file.h"
#include "core/io/text/csv.h"
#include "core/node/node_builder.h"
#include "core/nodes/output/output_node.h"

namespace tl {
namespace output_save_parameters_node {

struct Params {
  std::string file = "parameters.json";
};

struct State {};

bool is_csv(const std::string& file) { return lower_case(std::filesystem::path(file).extension().string()) == ".csv"; }

// One row per parameter, with the columns of the JSON list; empty where the list says null. Lists and arrays stand as
// JSON in their field.
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

Result<void> check(const Params& p, const Infos&) {
  if (p.file.empty()) return invalid("no file name is given", "file", "Give a file name");
  return check_output_name("output.save_parameters", {}, p.file);
}

Result<std::shared_ptr<State>> begin(const Params& p, NodeRun& r) {
  TL_TRY(check_output(p.file, io::OutputKind::file, r));
  return std::make_shared<State>();
}

Result<void> accumulate(const Params&, State&, NodeRun&) { return ok(); }

Result<Findings> finish(const Params& p, State&, NodeRun& r) {
  using json = nlohmann::ordered_json;
  json out = {{"format", "tomoloom-parameters"}, {"schema_version", 1}};
  out["parameters"] = json::parse(r.host().parameters_text(std::filesystem::path(p.file).parent_path()));
  const std::string text = is_csv(p.file) ? csv_of(out["parameters"]) : out.dump(2) + "\n";
  TL_TRY(io::OutputFile file, io::uncommitted_text(p.file, text, r.host().output_rules()));
  r.host().deliver(std::move(file));
  return Findings{};
}

void describe(NodeBuilder<Params>& n) {
  n.id("output.save_parameters", 1).title("Save parameters").category("Output").writes_files();
  n.not_differentiable("it writes a file");
  n.summary(
      "Writes measured and learned values with uncertainty and verdict, and all parameters used, as JSON or CSV.");
  n.description(
      "Lists what the nodes before it found (an axis, a statistic) and every parameter that they used, as a table for "
      "spreadsheets if the name ends in .csv, otherwise as JSON.");
  n.synonyms({"JSON", "CSV", "table", "spreadsheet", "export", "axis"});
  n.input<Scalar>("value", "A found value; everything before it is listed too.");
  n.param("file", &Params::file)
      .title("File")
      .output_file("parameters", {".json", ".csv"})
      .help("Name of the JSON or CSV file; relative names go into the output folder.");
  n.check(check).reduce<State>(begin, accumulate, finish);
}

}  // namespace output_save_parameters_node

TL_NODE(output_save_parameters)

}  // namespace tl
