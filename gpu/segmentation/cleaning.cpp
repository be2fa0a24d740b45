// Removes small objects and fills holes by the sizes of components.
#include "gpu/segmentation/cleaning.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/segmentation/run_labels.h"

namespace tl::ops {
namespace {

// Calls run(begin, end, label) for the runs of equal labels in a row.
template <class T, class Run>
void for_runs_of_label(const T* row, int64_t nx, const Run& run) {
  for (int64_t begin = 0, end = 0; begin < nx; begin = end) {
    while (end < nx && row[end] == row[begin]) ++end;
    run(begin, end, row[begin]);
  }
}

// Labels are counted in a map: few labels may have numbers as large as the type allows.
template <class T>
Result<at::Tensor> without_small_labels(const at::Tensor& labels, const Lattice& l, const RemoveSmallSpec& spec,
                                        const std::string& where) {
  const T* label = labels.const_data_ptr<T>();
  std::unordered_map<T, int64_t> voxels;
  bool negative = false;
  for (int64_t r = 0; r < l.rows() && !negative; ++r) {
    spec.cancel.check();
    for_runs_of_label(label + r * l.nx, l.nx, [&](int64_t begin, int64_t end, T value) {
      negative = negative || value < T{0};
      voxels[value] += end - begin;
    });
  }
  if (negative) return invalid("there are negative labels", where, "Labels are 0 and above");
  at::Tensor out = at::empty_like(labels);
  T* to = out.mutable_data_ptr<T>();
  ops::parallel_for(0, l.rows(), grain(l.nx), [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r) {
      spec.cancel.check();
      for_runs_of_label(label + r * l.nx, l.nx, [&](int64_t begin, int64_t end, T value) {
        const bool keep = voxels.find(value)->second >= spec.least_voxels;
        std::fill(to + r * l.nx + begin, to + r * l.nx + end, keep ? value : T{0});
      });
    }
  });
  return out;
}

}  // namespace

Result<at::Tensor> remove_small(const at::Tensor& voxels, const RemoveSmallSpec& spec) {
  const std::string where = "remove small objects";
  if (spec.least_voxels < 0) return invalid("the least size must not be negative", where);
  TL_TRY(const Lattice l, check_labels(voxels, where));
  if (voxels.scalar_type() == at::kByte) return without_small_labels<uint8_t>(voxels.contiguous(), l, spec, where);
  if (voxels.scalar_type() == at::kInt) return without_small_labels<int32_t>(voxels.contiguous(), l, spec, where);
  TL_TRY(const RunLabels runs, label_runs(voxels, spec.connectivity, VoxelsToLabel::not_zero, spec.cancel, where));
  std::vector<bool> keep(runs.voxels.size());
  for (std::size_t i = 0; i < keep.size(); ++i) keep[i] = runs.voxels[i] >= spec.least_voxels;
  return mask_of_components(runs, keep, voxels);
}

Result<at::Tensor> fill_holes(const at::Tensor& mask, const FillHolesSpec& spec) {
  const std::string where = "fill holes";
  if (spec.most_voxels < 0) return invalid("the largest size of a hole must not be negative", where);
  TL_TRY(check_mask(mask, where));
  TL_TRY(const RunLabels runs, label_runs(mask, Connectivity::faces, VoxelsToLabel::zero, spec.cancel, where));
  std::vector<bool> fill = at_border(runs);
  for (std::size_t i = 0; i < fill.size(); ++i)
    fill[i] = !fill[i] && (spec.most_voxels == 0 || runs.voxels[i] <= spec.most_voxels);
  return mask.logical_or(mask_of_components(runs, fill, mask));
}

}  // namespace tl::ops
