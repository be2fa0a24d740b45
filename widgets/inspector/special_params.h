// What some parameters of a node mean together, read from its declaration alone: a rotation axis, a box on a picture, a
// spectrum.
// Editors of their own are chosen by this, never by the node.
#pragma once

#include <optional>
#include <string>

#include "core/graph/graph.h"
#include "widgets/views/picture_source.h"

namespace tl::ui {

// Indices of the first and the last line that are kept.
struct RangeParams {
  std::string first, last;
};
struct SpecialParams {
  // Projections flow in, and a position of the rotation axis is set ("axis", in pixels) or found from them.
  std::string axis;         // the parameter, "" = none
  std::string found_axis;   // the output, "" = none
  std::string projections;  // the input
  // A box: rows and columns of projections, or y and x of a volume.
  std::optional<RangeParams> down, across;
  std::string boxed;  // the input that the box lies on
  // A spectrum: a list of energies and one of weights, and the outputs that tell what the node makes of them.
  std::string energies, weights;  // the parameters, "" = none
  QString spectrum, scalar;       // the outputs, "" = none

  [[nodiscard]] bool has_axis() const { return !axis.empty() || !found_axis.empty(); }
  [[nodiscard]] bool has_box() const { return down.has_value() && across.has_value(); }
  [[nodiscard]] bool has_spectrum() const { return !energies.empty() && !weights.empty(); }
};
SpecialParams special_params(const NodeType& type);

// The output that an input of a node gets; empty when it has no link.
Output source_of(const Graph& graph, const std::string& node, const std::string& input);

}  // namespace tl::ui
