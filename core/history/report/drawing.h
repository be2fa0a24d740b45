// PipelineDrawing: a pipeline as the canvas shows it, in plain values, and as SVG.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/values/port_types.h"

namespace tl::history {

// Lengths are pixels of the canvas at zoom 1; y grows downwards.
struct DrawnPort {
  double x = 0, y = 0;  // from the card's corner
  PortType type{};
};
struct DrawnRow {
  std::string label, value;
  bool found = false;
};
struct DrawnCard {
  double x = 0, y = 0, width = 0, height = 0;
  double title_height = 0, picture_height = 0, row_height = 0;
  std::vector<std::string> title;  // a text per line
  std::string category, state, foot;
  std::string png;  // content of a PNG file; empty: no picture
  std::vector<DrawnRow> rows;
  std::vector<DrawnPort> ports;
  bool is_used = true;
};
struct DrawnLink {
  double from_x = 0, from_y = 0, to_x = 0, to_y = 0;
  PortType type{};
};
struct DrawnFrame {
  double x = 0, y = 0, width = 0, height = 0;
  std::string comment;
};
struct PipelineDrawing {
  std::vector<DrawnCard> cards;
  std::vector<DrawnLink> links;
  std::vector<DrawnFrame> frames;
};

// Values and pictures of a node that are not part of the graph.
struct NodeNotes {
  std::map<std::string, DrawnRow> values;  // by parameter or output; shown instead of the value in the graph
  std::string foot;                        // "12.3 s"; empty: the category of the node is shown
};

// The drawing of a graph that no canvas shows: positions and titles from its layout, else arranged in columns. Node
// types may be unknown.
PipelineDrawing drawing_of(const Graph& graph, const Registry& registry,
                           const std::map<std::string, NodeNotes>& notes = {});

// One <svg> element; empty without cards. All texts are escaped.
std::string pipeline_svg(const PipelineDrawing& drawing);

}  // namespace tl::history
