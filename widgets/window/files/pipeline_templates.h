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
// Images before and after the most specific node of a pipeline: of the nodes with an image in the reference, one that
// the fewest templates contain. Null if no node has one.
struct NodePicture {
  QImage image;
  QString title;  // of the node
};
NodePicture telling_picture(const Graph& graph, const Registry& registry);
Result<Graph> template_graph(const QString& name, const Registry& registry);

}  // namespace tl::ui
