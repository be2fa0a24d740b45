// Pipeline templates: lists the bundled pipelines with titles and texts.
#include "widgets/window/files/pipeline_templates.h"

#include <QFile>
#include <map>

#include "core/graph/graph_json.h"
#include "core/graph/templates.h"
#include "widgets/language/translated.h"

// Links the resource of a static library, which needs a call outside of namespaces.
static void load_pictures_of_nodes() { Q_INIT_RESOURCE(guide); }

namespace tl::ui {
namespace {

// Number of template nodes of each type.
std::map<std::string, int> users_of_types() {
  std::map<std::string, int> users;
  for (const Template& t : templates())
    if (const Result<Graph> one = graph_from_json(t.text, Registry::all(), std::string(t.name)); one.ok())
      for (const auto& [id, node] : one.value().nodes) ++users[node.type];
  return users;
}

}  // namespace

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

NodePicture telling_picture(const Graph& graph, const Registry& registry) {
  load_pictures_of_nodes();
  static const std::map<std::string, int> users = users_of_types();
  const auto users_of = [](const std::string& type) {
    const auto found = users.find(type);
    return found == users.end() ? 0 : found->second;
  };
  const auto file_of = [](const std::string& type) {
    return QStringLiteral(":/docs/nodes/%1.png").arg(QString::fromStdString(type));
  };
  std::string best;
  const Result<std::vector<std::string>> order = topological_order(graph);
  for (const std::string& id : order.ok() ? order.value() : std::vector<std::string>()) {
    const std::string& type = graph.nodes.at(id).type;
    if (QFile::exists(file_of(type)) && (best.empty() || users_of(type) <= users_of(best))) best = type;
  }
  const NodeType* type = registry.find(best);
  return type == nullptr ? NodePicture{} : NodePicture{QImage(file_of(best)), translated(type->title)};
}

}  // namespace tl::ui
