// core/nodes/output/save_model.cpp: write a trained model to a file.
#include "core/io/model/safetensors.h"
#include "core/nodes/output/output_node.h"

namespace tl::output_save_model_node {

struct Params {
  std::string file = "model.safetensors";
};

Result<void> check(const Params& p, const Infos&) { return check_file_name("output.save_model", {}, p.file); }

Result<io::OutputFile> file_of(const Params& p, const Model& model, NodeRun& r) {
  return io::uncommitted_text(p.file, io::to_safetensors(model), r.host().output_rules());
}

void describe(NodeBuilder<Params>& n) {
  declare_output(n, "output.save_model", "Save model");
  n.summary("Writes a trained model, for example of a pixel classifier, to a file for use in other pipelines.");
  n.description(
      "The file has the form of safetensors: arrays behind a header of JSON, with a checksum, and nothing in it is "
      "ever run as a program. The pipeline that trained it is in the record next to it.");
  n.synonyms({"export", "safetensors", "weights", "classifier", "forest"});
  n.input<Model>("model", "The model to write.");
  declare_file(n).output_file("a model", {".safetensors"});
  n.check(check);
  write_whole<Model, file_of>(n);
}

}  // namespace tl::output_save_model_node

TL_NODE(output_save_model)
