// Appends the writing nodes to the exported part of a pipeline.
#include "core/exports/plan.h"

#include <algorithm>

#include "core/graph/bypass.h"
#include "core/graph/output_names.h"
#include "core/graph/upstream.h"
#include "core/run/automatic/batch.h"

namespace tl::exports {
namespace {

constexpr int64_t most_counted = int64_t{1} << 23;  // voxels: a second of sorting

std::string without_ending(const std::string& file, const std::string& ending) {
  return ending.empty() || !file.ends_with(ending) ? file : file.substr(0, file.size() - ending.size());
}

class Builder {
 public:
  Builder(const Graph& drawn, const Registry& registry, const Settings& settings)
      : registry_(registry), settings_(settings), used_(used_graph(drawn, registry).graph) {
    plan_.graph.title = drawn.title;
  }

  void write(const NodeType& type, const std::string& choice, const Source& source, const std::string& file) {
    const std::string id = add(type, cropped(source));
    auto& params = plan_.graph.nodes.at(id).params;
    params["file"] = file;
    if (!choice.empty()) params["format"] = choice;
    plan_.outputs.push_back(id);
    plan_.files.emplace_back(file);
  }
  // Of the node added last.
  void set(const std::string& name, ParamValue value) {
    plan_.graph.nodes.at(plan_.outputs.back()).params[name] = std::move(value);
  }

  // Writes values found by a statistic of the volume; everything upstream of it is included.
  void write_parameters(const Source& source, const std::string& file) {
    const NodeType& save = *registry_.with_role(NodeRole::save_parameters);
    const NodeType* const from = find_node_type(used_, registry_, source.node);
    const PortDecl* const port = from == nullptr ? nullptr : from->output(source.port);
    if (port != nullptr && is_volume(port->type)) {
      const NodeType& statistics = *registry_.with_role(NodeRole::statistics);
      const std::string found = add(statistics, cropped(source));
      write(save, {}, {found, statistics.outputs.front().name}, file);
    } else {
      write(save, {}, source, file);
    }
  }

  Plan take() { return std::move(plan_); }

 private:
  void copy_upstream(const std::string& node) {
    if (plan_.graph.nodes.contains(node)) return;
    const Graph part = upstream_of(used_, {node});
    for (const auto& [id, copied] : part.nodes) plan_.graph.nodes.insert({id, copied});
    for (const Link& link : part.links)
      if (std::find(plan_.graph.links.begin(), plan_.graph.links.end(), link) == plan_.graph.links.end())
        plan_.graph.links.push_back(link);
  }

  std::string add(const NodeType& type, const Source& source) {
    copy_upstream(source.node);
    std::string id = plan_.graph.free_id(type.id);
    // Not the name of a node that this plan leaves out: the cache has results under that name.
    while (used_.nodes.contains(id) || plan_.graph.nodes.contains(id)) id = "export_" + id;
    plan_.graph.nodes[id] = {type.id, type.version, {}};
    plan_.graph.links.push_back({source.node, source.port, id, type.inputs.front().name});
    return id;
  }

  // The output after cropping and binning; the same nodes serve all files written from it.
  Source cropped(const Source& source) {
    if (!settings_.box && settings_.bin <= 1) return source;
    const NodeType* const from = find_node_type(used_, registry_, source.node);
    const PortDecl* const port = from == nullptr ? nullptr : from->output(source.port);
    if (port == nullptr || (!is_volume(port->type) && !is_labels(port->type))) return source;
    for (const auto& [whole, part] : cropped_)
      if (whole == source) return part;
    const NodeType& type = *registry_.with_role(is_volume(port->type) ? NodeRole::crop_volume : NodeRole::crop_labels);
    const std::string id = add(type, source);
    auto& params = plan_.graph.nodes.at(id).params;
    if (settings_.box) {
      params["first_x"] = settings_.box->x.begin;
      params["last_x"] = settings_.box->x.end - 1;
      params["first_y"] = settings_.box->y.begin;
      params["last_y"] = settings_.box->y.end - 1;
      params["first_z"] = settings_.box->z.begin;
      params["last_z"] = settings_.box->z.end - 1;
    }
    params["bin"] = settings_.bin;
    cropped_.push_back({source, {id, type.outputs.front().name}});
    return cropped_.back().second;
  }

  const Registry& registry_;
  const Settings& settings_;
  const Graph used_;
  Plan plan_;
  std::vector<std::pair<Source, Source>> cropped_;
};

Result<void> check(const Format& format, const Settings& s) {
  if (s.file.empty() || !std::filesystem::path(s.file).has_filename())
    return invalid("the file has no name", "file", "Give it a name");
  TL_TRY(check_output_name(format.node_type, format.choice, s.file));
  if (!format.sample_types.empty() &&
      std::find(format.sample_types.begin(), format.sample_types.end(), s.type) == format.sample_types.end())
    return invalid(format.title + " has no numbers of type \"" + s.type + "\"", "type",
                   "Choose " + format.sample_types.front());
  if (format.has_range(s.type) && !(s.low < s.high))
    return invalid("the lower value must be smaller than the upper one", "range", "Choose other values, or Full");
  return ok();
}

}  // namespace

Result<VolumeGrid> kept_grid(const VolumeGrid& whole, const Settings& settings) {
  if (!settings.box) return whole;
  const GridBox& box = *settings.box;
  const auto fits = [](Range r, int64_t n) { return r.begin >= 0 && r.begin < r.end && r.end <= n; };
  if (!fits(box.x, whole.nx) || !fits(box.y, whole.ny) || !fits(box.z, whole.nz))
    return invalid("the region is empty, or reaches beyond the volume", "region",
                   "Give voxels from 0 to " + std::to_string(whole.nx - 1) + " along x, " +
                       std::to_string(whole.ny - 1) + " along y and " + std::to_string(whole.nz - 1) + " along z");
  return whole.sub(box.z, box.y, box.x);
}

int64_t bytes_of(const VolumeGrid& whole, const Settings& settings, const std::string& type) {
  const auto kept = kept_grid(whole, settings);
  if (!kept.ok()) return 0;
  const int64_t each = type == "uint8" ? 1 : type == "uint16" ? 2 : 4;
  return each * kept.value().binned(settings.bin).count();
}

Result<Sample> sample_of(const VolumeGrid& whole, const Settings& settings) {
  TL_TRY(const VolumeGrid kept, kept_grid(whole, settings));
  if (kept.count() <= most_counted) return Sample{kept, true};
  const int64_t middle = kept.nz / 2;
  return Sample{kept.slab({middle, middle + 1}), false};
}

std::string named_for(const Format& format, const std::vector<Format>& all, const std::string& file) {
  std::string longest;
  for (const Format& f : all)
    if (f.ending.size() > longest.size() && file.size() > f.ending.size() && file.ends_with(f.ending))
      longest = f.ending;
  return without_ending(file, longest) + format.ending;
}

Result<Plan> plan(const Graph& graph, const Registry& registry, const Source& chosen, const Settings& settings) {
  const std::vector<Format> formats = formats_of(graph, registry, chosen);
  const Format* const format = find_format(formats, settings.format);
  if (format == nullptr) return invalid("no format is chosen", "format", "Choose one of the list");
  TL_TRY(check(*format, settings));
  const NodeType& type = *registry.find(format->node_type);
  Builder builder(graph, registry, settings);
  const std::string stem = without_ending(settings.file, format->ending);
  if (type.role == NodeRole::save_parameters) {
    builder.write_parameters(format->source, settings.file);
  } else {
    builder.write(type, format->choice, format->source, settings.file);
  }
  if (!format->sample_types.empty()) builder.set("type", settings.type);
  if (format->has_range(settings.type)) {
    builder.set("low", Number{settings.low, Unit::none});
    builder.set("high", Number{settings.high, Unit::none});
  }
  if (type.role != NodeRole::save_volume) return builder.take();
  const Source labels = related(graph, registry, chosen, is_labels);
  if (settings.labels && !labels.empty())
    builder.write(*registry.with_role(NodeRole::save_labels), format->choice, labels,
                  stem + "_labels" + format->ending);
  if (settings.mesh && !labels.empty())
    builder.write(*registry.with_role(NodeRole::save_mesh), {}, labels, stem + ".stl");
  if (settings.parameters) builder.write_parameters(format->source, stem + "_parameters.csv");
  return builder.take();
}

Result<void> check_files(const Plan& plan, const io::OutputRules& rules) {
  std::vector<std::filesystem::path> all;
  for (const auto& file : plan.files) {
    all.push_back(file);
    all.emplace_back(file.string() + ".json");
  }
  return check_writable(all, rules);
}

std::vector<std::filesystem::path> existing_files(const Plan& plan) {
  std::vector<std::filesystem::path> found;
  std::error_code failed;
  for (const auto& file : plan.files)
    if (std::filesystem::exists(file, failed)) found.push_back(file);
  return found;
}

}  // namespace tl::exports
