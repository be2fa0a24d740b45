// Connected components of volumes larger than memory, for nodes that keep some of them: found in one pass over the
// volume, then numbered in any part of it.
#pragma once

#include "core/nodes/segment/packed_labels.h"
#include "core/nodes/segment/segment_node.h"
#include "gpu/segmentation/components.h"

namespace tl {

// Slabs have a fixed number of slices, whatever the blocks in which the volume arrives: the numbers of a part are found
// from the slabs that it overlaps.
class ComponentSlabs {
 public:
  // voxels: keeps voxels, because numbers() will be called.
  enum class Keep { sums, voxels };
  ComponentSlabs(const VolumeGrid& whole, const ops::ComponentsSpec& spec, Keep keep);

  // Pieces [z, y, x] of whole slices, upward from the first: a mask (bool) or labels (int32), and which voxels are
  // marked (bool, optional). Then finish(). Errors: those of SlabComponents.
  Result<void> add(const at::Tensor& piece, const at::Tensor& marked = {});
  Result<void> finish();

  // After finish(): of all components; element i is of number i + 1.
  [[nodiscard]] const ops::SlabComponents& components() const { return components_; }
  // For `count` slices, whole slabs from slice `first` of the volume on: the voxels as they were added, and their
  // numbers (int32). Voxels from a second computation are not used: a volume computed again, in blocks of another size,
  // differs in its last bits, and thereby in voxels at a threshold.
  struct Numbered {
    at::Tensor voxels, numbers;
  };
  [[nodiscard]] Result<Numbered> numbered(int64_t first, int64_t count, const CancelToken& cancel) const;
  // Memory that is kept.
  [[nodiscard]] int64_t bytes() const;

 private:
  Result<void> add_slab(const at::Tensor& slab, const at::Tensor& marked);
  int64_t thickness_;
  Keep keep_;
  ops::SlabComponents components_;
  std::vector<PackedLabels> kept_;      // by slab
  at::Tensor waiting_, waiting_marks_;  // less than a slab
};

// The slabs around a wanted part, a plane of any direction included: whole slices.
VolumeGrid slabs_around(const VolumeGrid& whole, const VolumeGrid& wanted);
// Memory for a search in a part, or for numbering it, besides the part: masks, runs, numbers and the result while they
// are joined.
int64_t bytes_of_search(const VolumeGrid& whole, const VolumeGrid& part);
// The first slice in the result of slabs_around().
int64_t first_slice(const VolumeGrid& whole, const VolumeGrid& slabs);

// How a node finds the components that it may keep.
struct SearchedVoxels {
  at::Tensor voxels, marked;  // as ComponentSlabs::add() takes them
};
template <class P>
struct ComponentSearch {
  const char* port;  // a volume or labels
  ops::Connectivity (*connectivity)(const P&);
  SearchedVoxels (*searched)(const P&, const NodeRun&);
  const char* count = "";  // name of the output with the number of components; empty: none
};
// `count`: the name of the finding with the number of components; empty: none.
Findings findings_of(const std::shared_ptr<ComponentSlabs>& slabs, const std::string& count);
const ComponentSlabs& slabs_in(const Findings& findings);

// The node reads all of the port to find components, and slabs of it for a part.
template <class P, const ComponentSearch<P>& search>
void describe_search(NodeBuilder<P>& n) {
  n.needs([](const P&, const Infos& in, const Region& wanted) -> Result<Regions> {
    return Regions{{search.port, slabs_around(*grid_of(in.at(search.port)), std::get<VolumeGrid>(wanted))}};
  });
  n.workspace([](const P&, const Infos& in, const Region& wanted, int64_t) -> int64_t {
    return bytes_of_search(*grid_of(in.at(search.port)), std::get<VolumeGrid>(wanted));
  });
  // Kept after the search, as part of the findings.
  struct Found {
    std::shared_ptr<ComponentSlabs> slabs;
  };
  n.template measure_in_blocks<Found>(
      [](const P&, const Infos& in) -> Result<Regions> {
        return Regions{{search.port, full_region(in.at(search.port))}};
      },
      [](const P& p, NodeRun& r) -> Result<std::shared_ptr<Found>> {
        const ops::ComponentsSpec spec{search.connectivity(p), r.cancel()};
        return std::make_shared<Found>(Found{
            std::make_shared<ComponentSlabs>(*grid_of(r.infos.at(search.port)), spec, ComponentSlabs::Keep::voxels)});
      },
      [](const P& p, Found& found, NodeRun& r) -> Result<void> {
        const SearchedVoxels searched = search.searched(p, r);
        return found.slabs->add(searched.voxels, searched.marked);
      },
      [](const P&, Found& found, NodeRun&) -> Result<Findings> {
        TL_TRY(found.slabs->finish());
        return findings_of(found.slabs, search.count);
      });
}

// For run(): the numbers of the components in the supplied slabs, as the search found
// them.
struct NumberedSlabs {
  VolumeGrid grid;
  at::Tensor voxels, numbers;  // a mask or int32; int32
};
template <class P, const ComponentSearch<P>& search>
Result<NumberedSlabs> numbered_slabs(NodeRun& r) {
  const VolumeGrid& whole = *grid_of(r.infos.at(search.port));
  const VolumeGrid given = slabs_around(whole, std::get<VolumeGrid>(r.region));
  TL_TRY(ComponentSlabs::Numbered found,
         slabs_in(*r.findings).numbered(first_slice(whole, given), given.nz, r.cancel()));
  return NumberedSlabs{given, std::move(found.voxels), std::move(found.numbers)};
}

// keep[number] as a mask (bool) over `numbers`; keep[0] applies to voxels outside all components.
at::Tensor kept_voxels(const at::Tensor& numbers, const std::vector<bool>& keep);

}  // namespace tl
