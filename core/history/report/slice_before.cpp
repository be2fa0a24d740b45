// Computes one slice of a pipeline without the correction steps, for comparison.
#include "core/history/report/slice_before.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>

#include "core/graph/bypass.h"
#include "core/run/executor.h"

namespace tl::history {
namespace {

bool improves(const NodeType& type) {
  constexpr std::array<std::string_view, 4> categories = {"Correction", "Alignment", "Phase retrieval", "Filter"};
  return type.role != NodeRole::flat_field &&
         std::find(categories.begin(), categories.end(), type.category) != categories.end();
}

// The graph without correction nodes, and without links to values that they find.
Graph bare_graph(const Graph& graph, const Registry& registry) {
  Graph bare = graph;
  for (auto& [id, node] : bare.nodes) {
    const NodeType* const type = registry.find(node.type);
    if (type == nullptr || node.use != NodeUse::active) continue;
    if (type->is_output) node.use = NodeUse::muted;
    if (!improves(*type) || !may_bypass(bare, registry, id).ok()) continue;
    node.use = NodeUse::bypassed;
  }
  std::erase_if(bare.links, [&](const Link& link) {
    const NodeType* const to = find_node_type(bare, registry, link.to_node);
    const auto from = bare.nodes.find(link.from_node);
    return from != bare.nodes.end() && from->second.use == NodeUse::bypassed && to != nullptr &&
           to->input(link.to_port) == nullptr;
  });
  return bare;
}

}  // namespace

Result<picture::Image> slice_before(const Graph& graph, const Registry& registry, const CancelToken& cancel) {
  const Graph bare = bare_graph(graph, registry);
  TL_TRY(const std::vector<std::string> order, topological_order(bare));
  for (const std::string& id : order) {
    const NodeType* const type = find_node_type(bare, registry, id);
    if (type == nullptr || type->category != "Reconstruction" || bare.nodes.at(id).use != NodeUse::active) continue;
    const PortDecl* const port = first_port(type->outputs, is_volume);
    if (port == nullptr) continue;
    RunOptions options;
    options.cancel = cancel;
    Executor executor(registry, options);
    TL_TRY(const Infos infos, executor.infos(bare, id));
    const auto* const info = std::get_if<VolumeInfo>(&infos.at(port->name));
    if (info == nullptr) continue;
    const int64_t middle = info->grid.nz / 2;
    TL_TRY(const tl::Value value, executor.pull(bare, id, port->name, Region(info->grid.slab({middle, middle + 1}))));
    const at::Tensor slice = std::get<Volume>(value).data.to(at::kCPU, at::kFloat).flip(1).contiguous();
    const auto* const pixels = slice.const_data_ptr<float>();
    return picture::Image{slice.size(1), slice.size(2), {pixels, pixels + slice.numel()}};
  }
  return unavailable("the pipeline reconstructs nothing");
}

}  // namespace tl::history
