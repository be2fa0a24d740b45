// Links that drive a parameter: what drives it now, and what could.
#pragma once

#include <QString>
#include <QStringList>

#include "core/graph/graph.h"

namespace tl::ui {

// "node.port" of every Scalar output that may drive the parameter without closing a circle; in the order of node ids.
QStringList drive_sources(const Graph& graph, const Registry& registry, const std::string& node);
// "Axis by Vo's method · axis" for the link that ends at the parameter; empty when there is none.
QString driver_title(const Graph& graph, const Registry& registry, const std::string& node, const std::string& param);
// Links "node.port" to the parameter, in place of what drove it; an empty source takes the link away.
void drive(Graph& graph, const std::string& node, const std::string& param, const QString& source);

}  // namespace tl::ui
