// Pipeline templates: the bundled pipelines by name and title.
#pragma once

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
Result<Graph> template_graph(const QString& name, const Registry& registry);

}  // namespace tl::ui
