// Format: a kind of file that can be written of the results of a pipeline, with the settings that it takes. Found in
// the registry, so that a new format or output node appears by itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace tl::exports {

// An output of a node; empty: none.
struct Source {
  std::string node, port;
  [[nodiscard]] bool empty() const { return node.empty(); }
  friend bool operator==(const Source&, const Source&) = default;
};

enum class Group { volume, images, meshes, numbers };

struct Format {
  std::string id;     // of the node that writes it, and which of its formats: "output.save_volume nrrd"
  std::string title;  // "NRRD"
  Group group = Group::volume;
  std::string ending;  // of new names: ".nrrd"; empty: none
  bool is_folder = false;
  std::string node_type, choice;          // the node, and its parameter "format"; choice empty: it has one format
  Source source;                          // what is written
  std::vector<std::string> sample_types;  // "float32", "uint16", "uint8"; empty: no choice
  bool is_grey = false;                   // 8-bit grey between two values
  bool has_region = false;                // a box of voxels, and binning
  // Whether low and high matter for numbers of this type.
  [[nodiscard]] bool has_range(const std::string& type) const {
    return is_grey || (!sample_types.empty() && type != "float32");
  }
};

// Of the output `chosen`, and of what belongs to it: its labels, tables, parameters, projections. By group.
std::vector<Format> formats_of(const Graph& graph, const Registry& registry, const Source& chosen);
const Format* find_format(const std::vector<Format>& formats, const std::string& id);  // nullptr if there is none

// The output to export for a node that the user has selected: its volume or labels, else what it writes, else its first
// other output that some format takes; for an empty or unknown name the last volume of the pipeline. Empty if nothing
// can be exported.
Source source_for(const Graph& graph, const Registry& registry, const std::string& node);

// The output of a wanted type which belongs to `chosen`: itself, else the last downstream of it, else the last
// upstream. Of nodes that are computed. Empty: none.
Source related(const Graph& graph, const Registry& registry, const Source& chosen,
               const std::function<bool(PortType)>& is_wanted);

}  // namespace tl::exports
