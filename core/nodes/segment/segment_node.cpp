// Shared by the nodes of segmentation.
#include "core/nodes/segment/segment_node.h"

#include <ATen/ATen.h>

#include "core/base/grid_box.h"
#include "core/nodes/input/sample_volume.h"
#include "core/values/label_table_text.h"

namespace tl {

at::Tensor mask_of(const Labels& labels) { return labels.data.ne(0); }

Labels labels_of_mask(const at::Tensor& mask, const VolumeGrid& grid) { return {mask.to(at::kInt), grid}; }

Result<Infos> info_of_classes(const VolumeGrid& grid, const std::string& classes, const LabelTable& fallback) {
  TL_TRY(LabelTable table, label_table_from_text(classes));
  if (table.classes.empty()) return Infos{{"labels", LabelsInfo{grid, fallback}}};
  table.not_labelled = fallback.not_labelled;  // names change no results
  return Infos{{"labels", LabelsInfo{grid, std::move(table)}}};
}

ops::VoxelSize voxel_size_in(const VolumeGrid& whole, const VolumeGrid& part) {
  const double edge = norm(whole.step_x);
  return {norm(part.step_z) / edge, norm(part.step_y) / edge, norm(part.step_x) / edge};
}

namespace {

// Copies: a view of some slices would keep the whole tensor in the cache.
at::Tensor copied_box(const at::Tensor& whole, const GridBox& box) {
  const at::Tensor part = whole.narrow(0, box.z.begin, box.z.size())
                              .narrow(1, box.y.begin, box.y.size())
                              .narrow(2, box.x.begin, box.x.size());
  return part.numel() == whole.numel() ? whole : part.clone(at::MemoryFormat::Contiguous);
}

}  // namespace

at::Tensor labels_at(const at::Tensor& numbers, const VolumeGrid& from, const VolumeGrid& wanted) {
  const auto box = box_in(from, wanted);
  return box ? copied_box(numbers, *box) : nearest_labels(numbers, from, wanted);
}
at::Tensor values_at(const at::Tensor& values, const VolumeGrid& from, const VolumeGrid& wanted) {
  const auto box = box_in(from, wanted);
  return box ? copied_box(values, *box) : nearest_voxels(values, from, wanted);
}

at::Tensor of_whole(NodeRun& r, int64_t bytes, const std::function<Result<at::Tensor>()>& make) {
  return *r.memo<at::Tensor>("whole", bytes, [&] { return std::make_shared<at::Tensor>(make().or_throw()); });
}
Result<void> put_labels_of_whole(NodeRun& r, const VolumeGrid& whole, const std::function<Result<at::Tensor>()>& make) {
  const at::Tensor numbers = of_whole(r, 4 * whole.count(), make);
  const auto& wanted = std::get<VolumeGrid>(r.region);
  return r.done("labels", Labels{labels_at(numbers, whole, wanted), wanted});
}
Regions inputs_on(const VolumeGrid& grid, const Infos& in) {
  Regions all;
  for (const auto& [port, info] : in) all[port] = grid;
  return all;
}
int64_t bytes_of_whole(const VolumeGrid& whole, int64_t per_voxel) { return per_voxel * whole.count(); }

Choices<ops::Connectivity> neighbour_choices() {
  return {{ops::Connectivity::faces, "faces", "Faces (6)"},
          {ops::Connectivity::edges, "edges", "Faces and edges (18)"},
          {ops::Connectivity::corners, "corners", "Also corners (26)"}};
}

}  // namespace tl
