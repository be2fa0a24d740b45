// The vocabulary of declarations: "axis" in pixels, "first_row" with "last_row".
#include "widgets/inspector/special_params.h"

namespace tl::ui {
namespace {

std::string first_input(const NodeType& type, PortType wanted) {
  for (const PortDecl& port : type.inputs)
    if (port.type == wanted) return port.name;
  return {};
}

std::optional<RangeParams> range_of(const NodeType& type, const std::string& line) {
  const ParamDecl* first = type.param("first_" + line);
  const ParamDecl* last = type.param("last_" + line);
  const bool whole =
      first != nullptr && last != nullptr && first->kind == ParamKind::integer && last->kind == ParamKind::integer;
  return whole ? std::optional(RangeParams{first->name, last->name}) : std::nullopt;
}

}  // namespace

SpecialParams special_params(const NodeType& type) {
  SpecialParams special;
  special.projections = first_input(type, PortType::projections);
  if (!special.projections.empty()) {
    const ParamDecl* axis = type.param("axis");
    if (axis != nullptr && axis->kind == ParamKind::number && axis->unit == Unit::px) special.axis = axis->name;
    const PortDecl* found = type.output("axis");
    const bool measures = static_cast<bool>(type.measure);
    if (found != nullptr && found->type == PortType::scalar && measures) special.found_axis = found->name;
    special.down = range_of(type, "row");
    special.across = range_of(type, "col");
    special.boxed = special.projections;
  } else {
    special.boxed = first_input(type, PortType::volume);
    if (special.boxed.empty()) return special;
    special.down = range_of(type, "y");
    special.across = range_of(type, "x");
  }
  return special;
}

Output source_of(const Graph& graph, const std::string& node, const std::string& input) {
  const Link* link = graph.link_into(node, input);
  if (link == nullptr) return {};
  return {QString::fromStdString(link->from_node), QString::fromStdString(link->from_port)};
}

}  // namespace tl::ui
