// What the nodes that filter volumes share: the neighbourhood that a wanted part needs, noise, and common parameters.
#pragma once

#include "core/node/node_builder.h"
#include "gpu/ops/line_tile.h"

namespace tl {

// In each slice on its own, or in the volume.
enum class FilterSpan { volume, slices };
ops::Reach filter_reach(FilterSpan span, int64_t voxels);

// A wanted part of a volume with the voxels around it. Where the wanted points are voxels of the volume, the neighbourhood
// ends at its borders, which the filter then mirrors; an oblique or binned plane is filtered along its own axes.
struct Neighbourhood {
  VolumeGrid grid;
  Range z, y, x;  // the wanted part within `grid`
};
Neighbourhood neighbourhood(const VolumeGrid& whole, const VolumeGrid& wanted, ops::Reach reach);

// Output "volume": the wanted part of `filtered`, which is on the grid of the neighbourhood.
void put_filtered(const at::Tensor& filtered, const Neighbourhood& around, NodeRun& r);

// The middle half of the middle slice, where noise is measured.
Regions noise_region(const Infos& in);
Findings noise_found(NodeRun& r);
double noise_of(const NodeRun& r);

// Ports, span, category; P has a member `span`. needs() and workspace() follow from reach_of(params).
template <class P, ops::Reach (*reach_of)(const P&)>
void describe_filter_node(NodeBuilder<P>& n) {
  n.category("Filter");
  n.template input<Volume>("volume", "Any volume.");
  n.template output<Volume>("volume", "The filtered volume.");
  n.param("span", &P::span, {{"volume", "In the volume"}, {"slices", "In each slice"}})
      .title("Neighbours")
      .help("Whether neighbours in the slices above and below take part.");
  n.needs([](const P& p, const Infos& in, const Region& wanted) -> Result<Regions> {
    const VolumeGrid& whole = std::get<VolumeInfo>(in.at("volume")).grid;
    return Regions{{"volume", neighbourhood(whole, std::get<VolumeGrid>(wanted), reach_of(p)).grid}};
  });
  n.workspace([](const P& p, const Infos& in, const Region& wanted, int64_t element_size) {
    const VolumeGrid& whole = std::get<VolumeInfo>(in.at("volume")).grid;
    return region_bytes(neighbourhood(whole, std::get<VolumeGrid>(wanted), reach_of(p)).grid, element_size);
  });
}

}  // namespace tl
