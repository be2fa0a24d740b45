// core/nodes/output/save_model.cpp: write a trained model to a file.
#include "core/graph/output_names.h"
#include "core/io/model/safetensors.h"
#include "core/io/output/output_file.h"
#include "core/node/node_builder.h"
#include "core/nodes/output/output_node.h"

namespace tl {
namespace output_save_model_node {

struct Params {
  std::string file = "model.safetensors";
};

struct State {
  Model model;
};

Result<void> check(const Params& p, const Infos&) {
  if (p.file.empty()) return invalid("no file name is given", "file", "Give a file name");
  return check_output_name("output.save_model", {}, p.file);
}

Result<std::shared_ptr<State>> begin(const Params& p, NodeRun& r) {
  TL_TRY(check_output(p.file, io::OutputKind::file, r));
  return std::make_shared<State>();
}

Result<void> accumulate(const Params&, State& s, NodeRun& r) {
  s.model = r.in<Model>("model");
  return ok();
}

Result<Findings> finish(const Params& p, State& s, NodeRun& r) {
  TL_TRY(io::OutputFile file, io::uncommitted_text(p.file, io::to_safetensors(s.model), r.host().output_rules()));
  r.host().deliver(std::move(file));
  return Findings{};
}

void describe(NodeBuilder<Params>& n) {
  n.id("output.save_model", 1).title("Save model").category("Output").writes_files();
  n.not_differentiable("it writes a file");
  n.summary("Writes a trained model, such as that of a pixel classifier, to a file that other pipelines apply.");
  n.description(
      "The file has the form of safetensors: arrays behind a header of JSON, with a checksum, and nothing in it is "
      "ever run as a program. The pipeline that trained it is in the record next to it.");
  n.synonyms({"export", "safetensors", "weights", "classifier", "forest"});
  n.input<Model>("model", "The model to write.");
  n.param("file", &Params::file)
      .title("File")
      .output_file()
      .help("Name of the file; relative names go into the output folder.");
  n.check(check).reduce<State>(begin, accumulate, finish);
}

}  // namespace output_save_model_node

TL_NODE(output_save_model)

}  // namespace tl
