// Shared by the segmentation nodes: masks of labels, relative voxel sizes, choices.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/node/node_builder.h"
#include "gpu/segmentation/lattice.h"

namespace tl {

inline const LabelsInfo& labels_of(const Infos& in, const char* port = "labels") {
  return std::get<LabelsInfo>(in.at(port));
}

// bool: voxels with any number but 0.
at::Tensor mask_of(const Labels& labels);
// Labels that are 1 where a mask (bool) is true, else 0.
Labels labels_of_mask(const at::Tensor& mask, const VolumeGrid& grid);

// Voxel edges of `part`, in units of the edge of `whole` along x, so that lengths in voxels have the same meaning on
// coarser grids.
ops::VoxelSize voxel_size_in(const VolumeGrid& whole, const VolumeGrid& part);

// The numbers (int32) of voxels on `from` at the points of `wanted`: the voxel itself or the nearest one, 0 outside.
at::Tensor labels_at(const at::Tensor& numbers, const VolumeGrid& from, const VolumeGrid& wanted);

// Values at the nearest voxels.
at::Tensor values_at(const at::Tensor& values, const VolumeGrid& from, const VolumeGrid& wanted);

// For nodes whose output labels have another meaning than their input labels.
inline Infos without_table(const Infos& in) { return {{"labels", LabelsInfo{labels_of(in).grid}}}; }

// The parameter of nodes that make classes: names and colours of their numbers, in the notation of
// label_table_from_text().
template <class P, class Base>
void declare_classes(NodeBuilder<P>& n, std::string Base::*classes, const std::string& name = "classes") {
  n.advanced_param(name, "Names of classes", classes)
      .names_only()
      .help("Numbers, names and colours of the labels, such as: 1 enamel #e69f00; 2 dentine #56b4e9.");
}
// The info of labels with these class names, or if there are none, those in `fallback`. Invalid if the text is not a
// table.
Result<Infos> info_of_classes(const VolumeGrid& grid, const std::string& classes, const LabelTable& fallback = {});

// For operators that need the whole volume: the result of `make`, computed once for all parts of a run or of live
// views; it is cached with a size of `bytes`.
at::Tensor of_whole(NodeRun& r, int64_t bytes, const std::function<Result<at::Tensor>()>& make);
// Sets the output "labels": the requested part of the numbers (int32) that `make` computes for all of `whole`.
Result<void> put_labels_of_whole(NodeRun& r, const VolumeGrid& whole, const std::function<Result<at::Tensor>()>& make);
// All inputs on one grid.
Regions inputs_on(const VolumeGrid& grid, const Infos& in);
// Bytes that run() needs for an operator with `per_voxel` bytes per voxel of the whole, and for its result.
int64_t bytes_of_whole(const VolumeGrid& whole, int64_t per_voxel);

Choices<ops::Connectivity> neighbour_choices();

}  // namespace tl
