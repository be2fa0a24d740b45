// Removes small objects and fills holes by the sizes of components.
#include "gpu/segmentation/cleaning.h"

#include <ATen/ATen.h>

#include <vector>

#include "gpu/segmentation/run_labels.h"

namespace tl::ops {

Result<at::Tensor> remove_small(const at::Tensor& voxels, const RemoveSmallSpec& spec) {
  const std::string where = "remove small objects";
  if (spec.least < 0) return invalid("the least size must not be negative", where);
  TL_TRY(check_labels(voxels, where));
  if (voxels.scalar_type() != at::kBool) {
    if (voxels.min().item<int64_t>() < 0) return invalid("there are negative labels", where, "Labels are 0 and above");
    const at::Tensor plain = voxels.contiguous();
    const at::Tensor counts = at::bincount(plain.view(-1));
    at::Tensor keep = counts.ge(spec.least);
    keep[0] = false;
    return plain * keep.index_select(0, plain.view(-1)).view(plain.sizes());
  }
  TL_TRY(const RunLabels runs, label_runs(voxels, spec.connectivity, LabelledVoxels::not_zero, spec.cancel, where));
  std::vector<bool> keep(runs.voxels.size());
  for (std::size_t i = 0; i < keep.size(); ++i) keep[i] = runs.voxels[i] >= spec.least;
  return mask_of_components(runs, keep, voxels);
}

Result<at::Tensor> fill_holes(const at::Tensor& mask, const FillHolesSpec& spec) {
  const std::string where = "fill holes";
  if (spec.most < 0) return invalid("the largest size of a hole must not be negative", where);
  TL_TRY(check_mask(mask, where));
  TL_TRY(const RunLabels runs, label_runs(mask, Connectivity::faces, LabelledVoxels::zero, spec.cancel, where));
  std::vector<bool> fill = at_border(runs);
  for (std::size_t i = 0; i < fill.size(); ++i) fill[i] = !fill[i] && (spec.most == 0 || runs.voxels[i] <= spec.most);
  return mask.logical_or(mask_of_components(runs, fill, mask));
}

}  // namespace tl::ops
