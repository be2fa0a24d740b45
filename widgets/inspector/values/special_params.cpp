// Special parameters: recognises parameters with editors of their own, by name and unit: "axis" in pixels, "first_row"
// with "last_row", "energies" in keV with "weights", a file named "program".
#include "widgets/inspector/values/special_params.h"

#include "core/io/hdf5/dataset_choice.h"

namespace tl::ui {
namespace {

std::string first_input(const NodeType& type, PortTest is) {
  const PortDecl* port = first_port(type.inputs, is);
  return port == nullptr ? std::string() : port->name;
}

std::optional<RangeParams> parse_range_params(const NodeType& type, const std::string& line) {
  const ParamDecl* first = type.param("first_" + line);
  const ParamDecl* last = type.param("last_" + line);
  const bool whole =
      first != nullptr && last != nullptr && first->kind == ParamKind::integer && last->kind == ParamKind::integer;
  return whole ? std::optional(RangeParams{first->name, last->name}) : std::nullopt;
}

bool is_list(const ParamDecl* decl, Unit unit) {
  return decl != nullptr && decl->kind == ParamKind::numbers && !decl->per_view && decl->unit == unit;
}

void find_spectrum(const NodeType& type, SpecialParams& special) {
  if (!is_list(type.param("energies"), Unit::keV) || !is_list(type.param("weights"), Unit::none)) return;
  special.energies = "energies";
  special.weights = "weights";
  for (const PortDecl& port : type.outputs) {
    if (is_spectrum(port.type)) special.spectrum = QString::fromStdString(port.name);
    if (is_number(port.type)) special.scalar = QString::fromStdString(port.name);
  }
}

void find_datasets(const NodeType& type, SpecialParams& special) {
  const ParamDecl* file = type.param("file");
  if (file == nullptr || file->kind != ParamKind::path || file->path != PathRole::input) return;
  for (const io::DatasetRole role : io::dataset_roles)
    if (const ParamDecl* named = type.param(std::string(io::parameter_of(role)));
        named == nullptr || named->kind != ParamKind::text)
      return;
  special.file_of_datasets = file->name;
}

void find_program(const NodeType& type, SpecialParams& special) {
  const ParamDecl* file = type.param("program");
  if (file != nullptr && file->kind == ParamKind::path && file->path == PathRole::input) special.program = file->name;
}

}  // namespace

SpecialParams special_params(const NodeType& type) {
  SpecialParams special;
  find_datasets(type, special);
  find_program(type, special);
  find_spectrum(type, special);
  special.projections = first_input(type, is_scan);
  if (!special.projections.empty()) {
    const ParamDecl* axis = type.param("axis");
    if (axis != nullptr && axis->kind == ParamKind::number && axis->unit == Unit::px) special.axis = axis->name;
    const PortDecl* found = type.output("axis");
    const bool measures = static_cast<bool>(type.measure);
    if (found != nullptr && is_number(found->type) && measures) special.found_axis = found->name;
    special.down = parse_range_params(type, "row");
    special.across = parse_range_params(type, "col");
    special.boxed = special.projections;
  } else {
    special.boxed = first_input(type, is_volume);
    if (special.boxed.empty()) return special;
    special.down = parse_range_params(type, "y");
    special.across = parse_range_params(type, "x");
  }
  return special;
}

Output source_of(const Graph& graph, const std::string& node, const std::string& input) {
  const Link* link = graph.link_into(node, input);
  if (link == nullptr) return {};
  return {QString::fromStdString(link->from_node), QString::fromStdString(link->from_port)};
}

}  // namespace tl::ui
