// Driving links: the link that sets a parameter now, and outputs that could.
#pragma once

#include <QString>
#include <QStringList>

#include "core/graph/graph.h"

namespace tl::ui {

// "node.port" of each scalar output that could drive a parameter of the node without closing a cycle; ordered by node
// id.
QStringList drive_sources(const Graph& graph, const Registry& registry, const std::string& node);
// Title of the link into the parameter: "Axis by Vo's method · axis"; empty if there is none.
QString driver_title(const Graph& graph, const Registry& registry, const std::string& node, const std::string& param);
// Links "node.port" to the parameter, replacing its present link; an empty source only removes that link.
void set_drive_link(Graph& graph, const std::string& node, const std::string& param, const QString& source);

}  // namespace tl::ui
