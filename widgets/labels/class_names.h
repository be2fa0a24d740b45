// Names and colours of classes as a parameter of the node that produces the labels.
#pragma once

#include <optional>
#include <string>

#include "core/graph/graph.h"
#include "core/node/registry.h"
#include "core/values/label_table.h"

namespace tl::ui {

// The parameter with a table of classes as text: "classes", or "class_names" if "classes" means something else.
struct ClassesParam {
  std::string node, name;
};

// The parameter that names the classes of a node's labels, in the node itself or in the nearest one upstream through
// nodes that pass tables on. nullopt if numbers are objects, or the names come from a file.
std::optional<ClassesParam> classes_param(const Graph& graph, const Registry& registry, const std::string& node);
void set_classes(Graph& graph, const ClassesParam& param, const LabelTable& table);

// Return changed tables; classes stay in ascending order.
LabelTable with_class(LabelTable table, const LabelClass& changed);  // replaces the class of this number, or adds it
LabelTable without_class(LabelTable table, int64_t number);
int64_t next_free_number(const LabelTable& table);  // 1 or more

}  // namespace tl::ui
