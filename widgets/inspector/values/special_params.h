// Special parameters: recognises parameters that form a rotation axis, a box on an image, a spectrum, the
// datasets of a scan, or a program.
// Uses only the declaration, never the node's id; the inspector offers the matching editors.
#pragma once

#include <optional>
#include <string>

#include "core/graph/graph.h"
#include "widgets/views/pictures/picture_source.h"

namespace tl::ui {

// Names of the parameters with the first and last index to keep.
struct RangeParams {
  std::string first, last;
};
struct SpecialParams {
  // A node with input projections whose rotation axis ("axis", in pixels) is set by a parameter or found.
  std::string axis;         // the parameter, "" = none
  std::string found_axis;   // the output, "" = none
  std::string projections;  // the input
  // A box: rows and columns of projections, or y and x of a volume.
  std::optional<RangeParams> down, across;
  std::string boxed;  // the input to which the box refers
  // A spectrum: a list of energies, a list of weights, and outputs computed from them.
  std::string energies, weights;  // the parameters, "" = none
  QString spectrum, scalar;       // the outputs, "" = none

  // The parameter with the file of a scan whose datasets can be named; the dataset parameters are those of
  // io::DatasetRole.
  std::string file_of_datasets;  // the parameter, "" = none

  // A file that is a program, which has to be trusted.
  std::string program;  // the parameter, "" = none

  [[nodiscard]] bool has_axis() const { return !axis.empty() || !found_axis.empty(); }
  [[nodiscard]] bool has_box() const { return down.has_value() && across.has_value(); }
  [[nodiscard]] bool has_spectrum() const { return !energies.empty() && !weights.empty(); }
};
SpecialParams special_params(const NodeType& type);

// The output linked to an input of a node; empty if there is none.
Output source_of(const Graph& graph, const std::string& node, const std::string& input);

}  // namespace tl::ui
