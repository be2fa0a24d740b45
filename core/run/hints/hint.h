// Hint: one problem of a scan detected in its pixels: the evidence in a line, and the node that corrects it. No array
// type.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace tl {

enum class HintKind {
  angle_unit,
  angular_range,
  axis,
  missing_angles,
  pixel_values,
  references,
  rings,
  saturation,
  truncation,
  zingers
};
// "angular_range", ...: the name in files.
std::string_view to_string(HintKind kind);

struct Hint {
  HintKind kind = HintKind::rings;
  std::string source;    // the node that outputs the scan
  std::string evidence;  // the finding and its position: "Rings: stripes in 3.2 of 640 columns (mean of 4 rows)"
  std::string advice;    // the recommended action, in a sentence
  std::string node;      // type of the node for it; "" = there is none
  std::map<std::string, ParamValue> params;  // its settings
  friend bool operator==(const Hint&, const Hint&) = default;
};

// Whether the graph already has the recommended node, active and downstream of the hint's source.
bool is_followed(const Graph& graph, const Hint& hint);

// The hints, most harmful first, that the graph does not follow yet.
std::vector<Hint> open_hints(const Graph& graph, const std::vector<Hint>& hints);

// Adds the hint's node at its position in the chain: corrections of counts directly after the scan, those of absorption
// after the other corrections, the axis before the reconstruction, filters of volumes after it. Returns the node's id.
// Errors: invalid if the hint has no node, or the graph has no such position.
Result<std::string> add_hint_node(Graph& graph, const Registry& registry, const Hint& hint);

}  // namespace tl
