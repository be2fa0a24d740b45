// Pipeline templates: lists the bundled pipelines with titles and texts.
#include "widgets/window/files/pipeline_templates.h"

#include "core/graph/graph_json.h"
#include "core/graph/templates.h"
#include "widgets/language/translated.h"

namespace tl::ui {

std::vector<PipelineTemplate> pipeline_templates() {
  std::vector<PipelineTemplate> all;
  for (const Template& t : templates()) {
    const Result<Graph> graph = graph_from_json(t.text, Registry::all(), std::string(t.name));
    if (graph.ok()) all.push_back({QString::fromStdString(std::string(t.name)), translated(graph.value().title)});
  }
  return all;
}

Result<Graph> template_graph(const QString& name, const Registry& registry) {
  for (const Template& t : templates())
    if (t.name == name.toStdString()) return graph_from_json(t.text, registry, std::string(t.name));
  return invalid("there is no template \"" + name.toStdString() + "\"", "templates");
}

}  // namespace tl::ui
