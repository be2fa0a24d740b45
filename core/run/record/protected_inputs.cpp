// Collects the files that a pipeline reads, so that no output can replace one.
#include "core/run/record/protected_inputs.h"

#include "core/graph/pipeline_paths.h"
#include "core/io/reader/scan_info.h"
#include "core/node/registry.h"

namespace tl {
namespace fs = std::filesystem;
namespace {

// The parameters of an input node; null if one is invalid, which the run itself will report.
std::shared_ptr<void> params_of(const GraphNode& node, const NodeType& type) {
  auto params = type.make_params();
  for (const ParamDecl& decl : type.params) {
    const auto set = node.params.find(decl.name);
    const ParamValue& value = set == node.params.end() ? decl.initial : set->second;
    if (!decl.validate(value).ok()) return nullptr;
    decl.assign(params.get(), to_stored(value));
  }
  return params;
}

void add_files(const GraphNode& node, const NodeType& type, io::ProtectedFiles& inputs) {
  bool reads = false;
  for (const ParamDecl& decl : type.params) {
    const auto set = node.params.find(decl.name);
    if (decl.path != PathRole::input || set == node.params.end()) continue;
    const auto* text = std::get_if<std::string>(&set->second);
    if (text == nullptr || text->empty()) continue;
    const fs::path path = *text;
    inputs.add(path, (path.has_filename() ? path : path.parent_path()).filename().string());
    reads = true;
  }
  if (!reads || !type.files) return;
  const auto params = params_of(node, type);
  if (params == nullptr) return;
  const Result<ScanFiles> files = type.files(params.get());
  if (!files.ok()) return;
  inputs.add_scan(files.value().named, files.value().all);
  if (!type.scan_info) inputs.add_volume(files.value().named, files.value().all);
}

}  // namespace

io::ProtectedFiles inputs_of(const Graph& drawn, const Registry& registry, const fs::path& input_dir) {
  Graph graph = drawn;
  resolve_inputs(graph, registry, input_dir);
  io::ProtectedFiles inputs;
  for (const auto& [id, node] : graph.nodes)
    if (const NodeType* type = registry.find(node.type)) add_files(node, *type, inputs);
  return inputs;
}

io::ProtectedFiles inputs_with_pipeline(const Graph& graph, const Registry& registry, const fs::path& pipeline_file) {
  io::ProtectedFiles inputs = inputs_of(graph, registry);
  inputs.add(pipeline_file, "the pipeline " + pipeline_file.filename().string());
  return inputs;
}

}  // namespace tl
