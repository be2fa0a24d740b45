// Names of hints, and whether a graph follows them.
#include "core/run/hints/hint.h"

#include <algorithm>

#include "core/graph/edit.h"
#include "core/node/registry.h"
#include "core/values/enum_rows.h"

namespace tl {
namespace {

constexpr NamedValue<HintKind> hint_names[] = {
    {HintKind::angle_unit, "angle_unit"},
    {HintKind::angular_range, "angular_range"},
    {HintKind::axis, "axis"},
    {HintKind::missing_angles, "missing_angles"},
    {HintKind::pixel_values, "pixel_values"},
    {HintKind::references, "references"},
    {HintKind::rings, "rings"},
    {HintKind::saturation, "saturation"},
    {HintKind::truncation, "truncation"},
    {HintKind::zingers, "zingers"},
};

// Whether a node corrects the problem of a hint, possibly by another method.
bool removes(HintKind kind, const GraphNode& node) {
  const NodeType* type = Registry::all().find(node.type);
  return type != nullptr && std::any_of(type->remedies.begin(), type->remedies.end(), [&](const Remedy& remedy) {
           return remedy.problem == to_string(kind) &&
                  (remedy.only_with.empty() || node.params.count(remedy.only_with) != 0);
         });
}

}  // namespace

std::string_view to_string(HintKind kind) { return enum_row(hint_names, kind).name; }

bool is_followed(const Graph& graph, const Hint& hint) {
  const edit::Ids after = edit::downstream(graph, hint.source);
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
    return after.count(node.first) != 0 && node.second.use == NodeUse::active && removes(hint.kind, node.second);
  });
}

std::vector<Hint> open_hints(const Graph& graph, const std::vector<Hint>& hints) {
  std::vector<Hint> open;
  for (const Hint& h : hints)
    if (graph.nodes.count(h.source) != 0 && !is_followed(graph, h)) open.push_back(h);
  return open;
}

}  // namespace tl
