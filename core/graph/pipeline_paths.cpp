// Makes the input files of a pipeline absolute, or relative to a folder.
#include "core/graph/pipeline_paths.h"

#include <functional>
#include <system_error>

namespace tl {
namespace fs = std::filesystem;
namespace {

void change_inputs(Graph& graph, const Registry& registry, const std::function<std::string(const fs::path&)>& change) {
  for (auto& [id, node] : graph.nodes) {
    const NodeType* type = registry.find(node.type);
    if (type == nullptr) continue;
    for (const ParamDecl& decl : type->params) {
      const auto set = node.params.find(decl.name);
      if (decl.path != PathRole::input || set == node.params.end()) continue;
      auto* text = std::get_if<std::string>(&set->second);
      if (text != nullptr && !text->empty()) *text = change(*text);
    }
  }
}

}  // namespace

void resolve_inputs(Graph& graph, const Registry& registry, const fs::path& folder) {
  change_inputs(graph, registry,
                [&](const fs::path& path) { return fs::absolute(folder / path).lexically_normal().string(); });
}

Graph with_relative_inputs(Graph graph, const Registry& registry, const fs::path& folder) {
  change_inputs(graph, registry, [&](const fs::path& path) { return relative_input(path, folder); });
  return graph;
}

std::string relative_input(const fs::path& file, const fs::path& folder) {
  const fs::path from = fs::absolute(folder.empty() ? fs::path(".") : folder).lexically_normal();
  const fs::path to = fs::absolute(file).lexically_normal();
  const fs::path below = to.lexically_relative(from.has_filename() ? from : from.parent_path());
  if (!below.empty() && *below.begin() != "..") return below.string();
  // Outside the folder, symbolic links are resolved: ".." of a linked folder is not the folder that its name
  // suggests.
  std::error_code failed;
  const fs::path relative = fs::relative(to, from, failed);
  return failed || relative.empty() ? to.string() : relative.string();
}

}  // namespace tl
