// Pipeline templates: the bundled pipelines by name and title.
#pragma once

#include <QImage>
#include <QString>
#include <vector>

#include "core/graph/graph.h"

namespace tl::ui {

inline const QString example_template = QStringLiteral("example");
inline const QString learning_example_template = QStringLiteral("example-learning");

struct PipelineTemplate {
  QString name, title;
};
std::vector<PipelineTemplate> pipeline_templates();
// What the most special node of a pipeline does, before and after: of the nodes with a picture in the reference, one
// that the fewest templates have. Null if no node has one.
struct NodePicture {
  QImage image;
  QString title;  // of the node
};
NodePicture telling_picture(const Graph& graph, const Registry& registry);
Result<Graph> template_graph(const QString& name, const Registry& registry);

}  // namespace tl::ui
