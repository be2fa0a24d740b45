// core/nodes/output/save_parameters.cpp: write found and used parameters as JSON.
#include <nlohmann/json.hpp>

#include "core/io/output/output_file.h"
#include "core/node/node_builder.h"
#include "core/nodes/output/output_node.h"

namespace tl {
namespace output_save_parameters_node {

struct Params {
  std::string file = "parameters.json";
};

struct State {};

Result<void> check(const Params& p, const Infos&) {
  return p.file.empty() ? Result<void>(invalid("no file name is given", "file", "Give a file name")) : ok();
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
  TL_TRY(io::OutputFile file, io::uncommitted_text(p.file, out.dump(2) + "\n", r.host().output_rules()));
  r.host().deliver(std::move(file));
  return Findings{};
}

void describe(NodeBuilder<Params>& n) {
  n.id("output.save_parameters", 1).title("Save parameters").category("Output").writes_files();
  n.not_differentiable("it writes a file");
  n.summary("Writes measured and learned values with uncertainty and verdict, and all parameters used, as JSON.");
  n.description("Lists what the nodes before it found (an axis, a statistic) and every parameter that they used.");
  n.synonyms({"JSON", "export", "axis"});
  n.input<Scalar>("value", "A found value; everything before it is listed too.");
  n.param("file", &Params::file)
      .title("File")
      .output_file()
      .help("Name of the JSON file; relative names go into the output folder.");
  n.check(check).reduce<State>(begin, accumulate, finish);
}

}  // namespace output_save_parameters_node

TL_NODE(output_save_parameters)

}  // namespace tl
