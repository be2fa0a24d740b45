// Shared by the nodes that filter volumes and views: the neighbourhood needed for a requested part, noise, and
// parameters.
#pragma once

#include <functional>

#include "core/node/node_builder.h"
#include "gpu/image/line_tile.h"

namespace tl {

// Whether each slice is filtered separately, or the volume as a whole. Views are always filtered separately.
enum class FilterSpan { volume, slices };
ops::Reach filter_reach(FilterSpan span, int64_t voxels);

// A requested part of a volume with the voxels around it. If the requested points are voxels of the volume, the
// neighbourhood ends at the volume's borders, where the filter mirrors it; an oblique or binned plane is filtered along
// its own axes.
struct Neighbourhood {
  VolumeGrid grid;
  Range z, y, x;  // the wanted part within `grid`
};
Neighbourhood neighbourhood(const VolumeGrid& whole, const VolumeGrid& wanted, ops::Reach reach);

// The part of a scan needed to filter the requested part: it includes rows and columns around it, up to the detector's
// edges.
ScanRegion neighbourhood(const ScanRegion& all, const ScanRegion& wanted, ops::Reach reach);

// Filters the input, a volume or a scan with its flats and darks, and returns the wanted part of it. `filter` maps [z,
// y, x] (or [view, row, col]) into the same shape.
using Filter = std::function<Result<at::Tensor>(const at::Tensor&)>;
// The wanted part of a filtered neighbourhood [z, y, x].
at::Tensor part_of_neighbourhood(const at::Tensor& filtered, const Neighbourhood& around);
Result<void> run_filter(ops::Reach reach, NodeRun& r, const Filter& filter);

// The middle half of the middle slice or view, where noise is measured.
Regions noise_region(const Infos& in);
Findings measure_noise(NodeRun& r);
double measured_noise(const Findings& found);

// The parameters of a filter for views.
template <class Base>
struct ForViews : Base {
  ForViews() { this->span = FilterSpan::slices; }
};

// Ports, category, span; P has a member `span`. needs() and workspace() follow from reach_of(params).
template <class P>
void describe_filter_node(NodeBuilder<P>& n) {
  n.category("Filter");
  n.template input<Volume>("volume", "Any volume.");
  n.template output<Volume>("volume", "The filtered volume.");
  n.param("span", "Neighbours", &P::span,
          {{FilterSpan::volume, "volume", "In the volume"}, {FilterSpan::slices, "slices", "In each slice"}})
      .help("Whether neighbours in the slices above and below are used.");
  n.needs([](const P& p, const Infos& in, const Region& wanted) -> Result<Regions> {
    const VolumeGrid& whole = volume_of(in).grid;
    return Regions{{"volume", neighbourhood(whole, std::get<VolumeGrid>(wanted), reach_of(p)).grid}};
  });
  n.workspace([](const P& p, const Infos& in, const Region& wanted, int64_t element_size) {
    const VolumeGrid& whole = volume_of(in).grid;
    return region_bytes(neighbourhood(whole, std::get<VolumeGrid>(wanted), reach_of(p)).grid, element_size);
  });
}

// For filters of views. Counts are filtered together with their flats and darks, so that these stay consistent.
template <class P>
void describe_view_filter(NodeBuilder<P>& n) {
  n.category("Filter").partition(Partition::custom);
  n.template input<Projections>("projections", "Any scan.");
  n.template output<Projections>("projections", "The filtered views; flats and darks are filtered too.");
  n.needs([](const P& p, const Infos& in, const Region& wanted) -> Result<Regions> {
    const ScanRegion all = scan_of(in).geometry.full();
    return Regions{{"projections", neighbourhood(all, std::get<ScanRegion>(wanted), reach_of(p))}};
  });
  n.workspace([](const P& p, const Infos& in, const Region& wanted, int64_t element_size) {
    const ScanRegion all = scan_of(in).geometry.full();
    return region_bytes(neighbourhood(all, std::get<ScanRegion>(wanted), reach_of(p)), element_size);
  });
}

}  // namespace tl
