// Format: a kind of file into which results of a pipeline can be written, with its settings. Formats are found in the
// registry, so that a new format or output node appears without further code.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace tl::exports {

// An output of a node; no output if it is empty.
struct Source {
  std::string node, port;
  [[nodiscard]] bool empty() const { return node.empty(); }
  friend bool operator==(const Source&, const Source&) = default;
};

enum class Group { volume, images, meshes, numbers };

struct Format {
  std::string id;     // the node that writes it and its format: "output.save_volume nrrd"
  std::string title;  // "NRRD"
  Group group = Group::volume;
  std::string ending;  // ending of new file names: ".nrrd"; empty: none
  bool is_folder = false;
  std::string node_type, choice;          // node type, and value of its parameter "format"; empty: it has one format
  Source source;                          // what is written
  std::vector<std::string> sample_types;  // "float32", "uint16", "uint8"; empty: no choice
  bool is_grey = false;                   // 8-bit grey between two values
  bool has_region = false;                // a box of voxels, and binning
  // Whether low and high are used for numbers of this type.
  [[nodiscard]] bool has_range(const std::string& type) const {
    return is_grey || (!sample_types.empty() && type != "float32");
  }
};

// Formats for the output `chosen` and for related outputs: labels, tables, parameters, projections. Sorted by group.
std::vector<Format> formats_of(const Graph& graph, const Registry& registry, const Source& chosen);
const Format* find_format(const std::vector<Format>& formats, const std::string& id);  // nullptr if there is none

// The output to export for a node that the user selected: its volume or labels; else the output that it writes; else
// its first other output with a format. For an empty or unknown name the last volume of the pipeline. Empty if nothing
// can be exported.
Source source_for(const Graph& graph, const Registry& registry, const std::string& node);

// The output of a given type that is related to `chosen`: itself, else the last one downstream of it, else the last one
// upstream. Only nodes that are computed count. Empty if there is none.
Source related(const Graph& graph, const Registry& registry, const Source& chosen,
               const std::function<bool(PortType)>& is_wanted);

}  // namespace tl::exports
