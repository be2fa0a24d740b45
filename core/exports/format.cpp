// Finds formats by the declarations of output nodes.
#include "core/exports/format.h"

#include <algorithm>

#include "core/graph/bypass.h"
#include "core/graph/output_names.h"
#include "core/graph/upstream.h"
#include "core/io/output/samples.h"
#include "core/io/volumes/format.h"

namespace tl::exports {
namespace {

const PortDecl* output_of(const Graph& graph, const Registry& registry, const Source& source) {
  const NodeType* type = find_node_type(graph, registry, source.node);
  return type == nullptr ? nullptr : type->output(source.port);
}

std::vector<std::string> number_types(const NodeType& type, const std::string& choice) {
  const ParamDecl* types = type.param("type");
  const io::VolumeFormat* volume = io::find_volume_format(choice);
  std::vector<std::string> names;
  if (types == nullptr || volume == nullptr) return names;
  for (const Choice& c : types->choices)
    if (const auto sample = io::sample_type_named(c.name); sample && volume->stores(*sample)) names.push_back(c.name);
  return names;
}

Group group_of(const NodeType& type) {
  if (type.role == NodeRole::save_picture) return Group::images;
  if (type.role == NodeRole::save_mesh) return Group::meshes;
  const bool is_image_file =
      std::any_of(type.inputs.begin(), type.inputs.end(), [](const PortDecl& port) { return has_regions(port.type); });
  return is_image_file ? Group::volume : Group::numbers;
}

// "JSON" of ".json".
std::string upper_case(std::string ending) {
  for (char& c : ending)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return ending.substr(std::min<std::size_t>(1, ending.size()));
}

std::string title_of(const NodeType& type, const OutputFormat& format) {
  if (type.role == NodeRole::save_labels) return format.title + ", labels";
  if (!format.choice.empty()) return format.title;
  std::string title = format.title;  // "an NXtomo scan", "a table"
  for (const char* article : {"an ", "a "})
    if (title.starts_with(article)) {
      title = title.substr(std::string(article).size());
      break;
    }
  if (!title.empty() && title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

void add_formats(const NodeType& type, const Source& source, std::vector<Format>& all) {
  for (const OutputFormat& known : output_formats(type)) {
    Format format;
    format.group = group_of(type);
    format.node_type = type.id;
    format.choice = known.choice;
    format.source = source;
    format.is_folder = known.is_folder;
    format.sample_types =
        type.role == NodeRole::save_volume ? number_types(type, known.choice) : std::vector<std::string>();
    format.is_grey = type.role == NodeRole::save_picture;
    format.has_region = type.role == NodeRole::save_volume || type.role == NodeRole::save_picture ||
                        type.role == NodeRole::save_labels || type.role == NodeRole::save_mesh;
    format.id = known.choice.empty() ? type.id : type.id + " " + known.choice;
    format.title = title_of(type, known);
    format.ending = known.endings.empty() ? "" : known.endings.front();
    if (type.role != NodeRole::save_parameters) {
      all.push_back(std::move(format));
      continue;
    }
    // The endings of this format are different kinds of files, not spellings of one.
    for (const std::string& ending : known.endings) {
      format.id = type.id + " " + ending.substr(1);
      format.ending = ending;
      format.title = title_of(type, known) + ", " + upper_case(ending);
      all.push_back(format);
    }
  }
}

// The output that feeds the node: the source of the first link to it; empty without a link.
Source input_of(const Graph& graph, const std::string& node) {
  for (const Link& link : graph.links)
    if (link.to_node == node) return {link.from_node, link.from_port};
  return {};
}

bool is_saved(const Registry& registry, PortType type) {
  return std::any_of(registry.types().begin(), registry.types().end(), [type](const NodeType& t) {
    return t.is_output && t.inputs.size() == 1 && t.inputs.front().type == type;
  });
}

Source last_volume(const Graph& graph, const Registry& registry) {
  const auto order = topological_order(graph);
  if (!order.ok()) return {};
  Source found, other;
  for (const std::string& id : order.value()) {
    const NodeType* type = find_node_type(graph, registry, id);
    if (type == nullptr) continue;
    if (const PortDecl* port = first_port(type->outputs, is_volume); port != nullptr) found = {id, port->name};
    for (const PortDecl& port : type->outputs)
      if (is_saved(registry, port.type)) other = {id, port.name};
  }
  return found.empty() ? other : found;
}

}  // namespace

Source related(const Graph& drawn, const Registry& registry, const Source& chosen,
               const std::function<bool(PortType)>& is_wanted) {
  const UsedGraph used = used_graph(drawn, registry);
  const Graph& graph = used.graph;
  Source at = chosen;
  if (const auto passed = used.passed.find({chosen.node, chosen.port}); passed != used.passed.end())
    at = {passed->second.first, passed->second.second};
  const PortDecl* port = output_of(graph, registry, at);
  if (port == nullptr) return {};
  if (is_wanted(port->type)) return at;
  const auto order = topological_order(graph);
  if (!order.ok()) return {};
  const Graph before = upstream_of(graph, {at.node});
  Source downstream, upstream;
  for (const std::string& id : order.value()) {
    const NodeType* type = find_node_type(graph, registry, id);
    if (type == nullptr) continue;
    for (const PortDecl& out : type->outputs) {
      if (!is_wanted(out.type)) continue;
      if (id == at.node || upstream_of(graph, {id}).nodes.contains(at.node)) downstream = {id, out.name};
      if (before.nodes.contains(id)) upstream = {id, out.name};
    }
  }
  return downstream.empty() ? upstream : downstream;
}

Source source_for(const Graph& graph, const Registry& registry, const std::string& node) {
  const NodeType* type = find_node_type(graph, registry, node);
  if (type == nullptr) return last_volume(graph, registry);
  for (const PortDecl& port : type->outputs)
    if (is_volume(port.type) || is_labels(port.type)) return {node, port.name};
  if (type->is_output)
    if (const Source written = input_of(graph, node); !written.empty()) return written;
  for (const PortDecl& port : type->outputs)
    if (is_saved(registry, port.type)) return {node, port.name};
  return last_volume(graph, registry);
}

std::vector<Format> formats_of(const Graph& graph, const Registry& registry, const Source& chosen) {
  std::vector<Format> all;
  for (const NodeType& type : registry.types()) {
    if (!type.is_output || type.inputs.size() != 1) continue;
    // These are parameters of the volume, which the statistics of the same volume determine.
    Source source = type.role == NodeRole::save_parameters ? related(graph, registry, chosen, is_volume) : Source();
    const PortType wanted = type.inputs.front().type;
    if (source.empty())
      source = related(graph, registry, chosen, [wanted](PortType type_of) { return type_of == wanted; });
    if (!source.empty()) add_formats(type, source, all);
  }
  // Formats for the chosen output come before those for related outputs.
  std::stable_sort(all.begin(), all.end(), [&](const Format& a, const Format& b) {
    if (a.group != b.group) return a.group < b.group;
    return (a.source == chosen) > (b.source == chosen);
  });
  return all;
}

const Format* find_format(const std::vector<Format>& formats, const std::string& id) {
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const Format& f) { return f.id == id; });
  return found == formats.end() ? nullptr : &*found;
}

}  // namespace tl::exports
