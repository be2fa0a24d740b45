// Names of hints, and whether a graph follows them.
#include "core/run/hints/hint.h"

#include <algorithm>

#include "core/graph/edit.h"

namespace tl {
namespace {

bool starts_with(const std::string& text, std::string_view start) { return text.rfind(start, 0) == 0; }

bool sets(const GraphNode& node, const char* param) { return node.params.count(param) != 0; }

// Whether a node does what hints of a kind propose, perhaps by another method.
bool does(HintKind kind, const GraphNode& node) {
  const std::string& type = node.type;
  switch (kind) {
    case HintKind::angle_unit:
    case HintKind::pixel_values:
    case HintKind::references:
      return false;  // the scan itself, or how it is loaded, has to change
    case HintKind::angular_range:
      return type == "geometry.set" && sets(node, "angular_range");
    case HintKind::axis:
      return starts_with(type, "axis.") || type == "correct.stitch_half_turn" ||
             (type == "geometry.set" && sets(node, "axis"));
    case HintKind::missing_angles:
      return type == "recon.sirt" || type == "recon.fista_tv" || type == "recon.tv" || type == "recon.cgls" ||
             type == "recon.em" || type == "recon.sart" || type == "filter.network";
    case HintKind::rings:
      return starts_with(type, "correct.stripe") || type == "correct.ring_removal" || type == "correct.pixel_offsets" ||
             type == "correct.double_flat";
    case HintKind::saturation:
      return type == "correct.bad_pixels" && sets(node, "saturation");
    case HintKind::truncation:
      return type == "filter.circular_mask";
    case HintKind::zingers:
      return type == "correct.zingers" || type == "filter.view_median";
  }
  return false;
}

}  // namespace

std::string_view to_string(HintKind kind) {
  switch (kind) {
    case HintKind::angle_unit:
      return "angle_unit";
    case HintKind::angular_range:
      return "angular_range";
    case HintKind::axis:
      return "axis";
    case HintKind::missing_angles:
      return "missing_angles";
    case HintKind::pixel_values:
      return "pixel_values";
    case HintKind::references:
      return "references";
    case HintKind::rings:
      return "rings";
    case HintKind::saturation:
      return "saturation";
    case HintKind::truncation:
      return "truncation";
    case HintKind::zingers:
      return "zingers";
  }
  return "";
}

bool is_followed(const Graph& graph, const Hint& hint) {
  const edit::Ids after = edit::downstream(graph, hint.source);
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
    return after.count(node.first) != 0 && node.second.use == NodeUse::active && does(hint.kind, node.second);
  });
}

std::vector<Hint> open_hints(const Graph& graph, const std::vector<Hint>& hints) {
  std::vector<Hint> open;
  for (const Hint& h : hints)
    if (graph.nodes.count(h.source) != 0 && !is_followed(graph, h)) open.push_back(h);
  return open;
}

}  // namespace tl
