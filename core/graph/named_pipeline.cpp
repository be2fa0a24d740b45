// Looks for a file first, then for a bundled pipeline.
#include "core/graph/named_pipeline.h"

#include <filesystem>

#include "core/graph/graph_json.h"
#include "core/graph/templates.h"
#include "core/node/nearest.h"

namespace tl {

Result<Graph> pipeline_or_template(const std::string& name, const Registry& registry) {
  std::error_code ignored;
  if (std::filesystem::exists(name, ignored)) return load_pipeline(name, registry);
  std::vector<std::string> names;
  for (const Template& t : templates()) {
    if (t.name == name) return graph_from_json(t.text, registry, name, Completeness::draft);
    names.emplace_back(t.name);
  }
  return io_error("there is no such file or template", name, suggest(name, names));
}

}  // namespace tl
