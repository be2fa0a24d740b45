// Components of whole volumes and slab by slab: the components of slabs are united where runs touch across a seam, and
// numbered in the order of the slabs, which is the raster order of the whole.
#include "gpu/segmentation/components.h"

#include <ATen/ATen.h>

#include <limits>
#include <numeric>

#include "gpu/segmentation/run_labels.h"

namespace tl::ops {

Result<Components> components(const at::Tensor& voxels, const ComponentsSpec& spec) {
  TL_TRY(RunLabels runs,
         label_runs(voxels, spec.connectivity, VoxelsToLabel::not_zero, spec.cancel, "connected components"));
  std::vector<int32_t> names(runs.voxels.size());
  std::iota(names.begin(), names.end(), 1);
  at::Tensor labels = labels_of_components(runs, names, voxels);
  return Components{std::move(labels), std::move(runs.voxels)};
}

SlabComponents::SlabComponents(const ComponentsSpec& spec) : spec_(spec) {}

Result<void> SlabComponents::add(const at::Tensor& slab, const at::Tensor& marked) {
  const std::string where = "connected components, slab by slab";
  TL_CHECK(!finished_, "a slab after finish()");
  if (!slab.defined() || slab.dim() != 3) return invalid("a slab must be [z, y, x]", where);
  if (marked.defined()) {
    TL_TRY(check_mask(marked, where));
    TL_TRY(check_same_shape(slab, marked, "the mask of marked voxels", where));
  }
  TL_TRY(const RunLabels runs, label_runs(slab, spec_.connectivity, VoxelsToLabel::not_zero, spec_.cancel, where));
  const Lattice& l = runs.lattice;
  if (slices_ > 0 && (l.ny != last_.ny || l.nx != last_.nx))
    return invalid("the slabs differ in rows or columns", where);
  const auto offset = static_cast<int64_t>(parent_.size());
  offset_.push_back(offset);
  for (int64_t i = 0; i < runs.count(); ++i) parent_.push_back(offset + i);
  voxels_.insert(voxels_.end(), runs.voxels.begin(), runs.voxels.end());
  std::vector<bool> border(runs.voxels.size(), false);
  const std::vector<bool> contains = marked.defined() ? containing(runs, marked) : border;
  const auto plane_of = [&](int64_t z) {
    const at::Tensor values = slab.select(0, z).to(at::kInt).contiguous();
    const auto* value = values.const_data_ptr<int32_t>();
    Plane p{l.ny, l.nx, {0}, {}, {}, {}, {}};
    for (int64_t y = 0; y < l.ny; ++y) {
      const Range own = runs.runs(z * l.ny + y);
      for (int64_t i = own.begin; i < own.end; ++i) {
        const auto run = static_cast<std::size_t>(i);
        p.begin.push_back(runs.begin[run]);
        p.end.push_back(runs.end[run]);
        p.value.push_back(value[y * l.nx + runs.begin[run]]);
        p.number.push_back(offset + runs.label[run] - 1);
      }
      p.first.push_back(static_cast<int64_t>(p.begin.size()));
    }
    return p;
  };
  const Plane lowest = plane_of(0);
  if (slices_ > 0)
    join_seam(last_, lowest);
  else
    first_numbers_ = lowest.number;
  for (int64_t r = 0; r < l.rows(); ++r) {
    const bool all = r % l.ny == 0 || r % l.ny == l.ny - 1;
    const Range own = runs.runs(r);
    for (int64_t i = own.begin; i < own.end; ++i) {
      const auto run = static_cast<std::size_t>(i);
      if (all || runs.begin[run] == 0 || runs.end[run] == l.nx)
        border[static_cast<std::size_t>(runs.label[run]) - 1] = true;
    }
  }
  at_border_.insert(at_border_.end(), border.begin(), border.end());
  marked_.insert(marked_.end(), contains.begin(), contains.end());
  last_ = l.nz == 1 ? lowest : plane_of(l.nz - 1);
  slices_ += l.nz;
  return ok();
}

void SlabComponents::join_seam(const Plane& below, const Plane& above) {
  const Lattice two{2, above.ny, above.nx};
  for (const RowBefore& b : rows_before(two, spec_.connectivity)) {
    if (b.z == 0) continue;
    for (int64_t y = 0; y < above.ny; ++y) {
      const int64_t other = y + b.y;
      if (other < 0 || other >= below.ny) continue;
      const auto runs = [](const Plane& p, int64_t row) {
        return Range{p.first[static_cast<std::size_t>(row)], p.first[static_cast<std::size_t>(row) + 1]};
      };
      for_touching_runs(above.begin, above.end, runs(above, y), below.begin, below.end, runs(below, other), b.reach,
                        [&](int64_t i, int64_t j) {
                          const auto run = static_cast<std::size_t>(i), under = static_cast<std::size_t>(j);
                          if (above.value[run] == below.value[under])
                            unite(parent_, above.number[run], below.number[under]);
                        });
    }
  }
}

Result<void> SlabComponents::finish() {
  TL_CHECK(!finished_, "finish() twice");
  if (slices_ > 1)
    for (const auto& numbers_at_end : {first_numbers_, last_.number})
      for (const int64_t number : numbers_at_end) at_border_[static_cast<std::size_t>(number)] = true;
  std::vector<int64_t> voxels;
  std::vector<bool> border, marked;
  std::vector<int32_t> numbers(parent_.size());
  for (std::size_t i = 0; i < parent_.size(); ++i) {
    const auto root = static_cast<std::size_t>(root_of(parent_, static_cast<int64_t>(i)));
    if (root == i) {
      if (voxels.size() == static_cast<std::size_t>(std::numeric_limits<int32_t>::max()))
        return invalid("there are more than 2^31 components", "connected components, slab by slab",
                       "Remove noise first, for example with filter.median");
      voxels.push_back(0);
      border.push_back(false);
      marked.push_back(false);
      numbers[i] = static_cast<int32_t>(voxels.size());
    } else {
      numbers[i] = numbers[root];
    }
    const auto own = static_cast<std::size_t>(numbers[i]) - 1;
    voxels[own] += voxels_[i];
    border[own] = border[own] || at_border_[i];
    marked[own] = marked[own] || marked_[i];
  }
  final_ = std::move(numbers);
  voxels_ = std::move(voxels);
  at_border_ = std::move(border);
  marked_ = std::move(marked);
  parent_ = first_numbers_ = {};
  last_ = {};
  finished_ = true;
  return ok();
}

int64_t SlabComponents::bytes() const {
  constexpr std::size_t bits_of_byte = 8;
  return static_cast<int64_t>(offset_.size() * sizeof(int64_t) + voxels_.size() * sizeof(int64_t) +
                              final_.size() * sizeof(int32_t) + (at_border_.size() + marked_.size()) / bits_of_byte);
}

Result<at::Tensor> SlabComponents::labels(const at::Tensor& slab, int64_t index, const CancelToken& cancel) const {
  TL_CHECK(finished_, "labels before finish()");
  const std::string where = "connected components, slab by slab";
  if (index < 0 || index >= static_cast<int64_t>(offset_.size()))
    return invalid("there is no slab " + std::to_string(index), where);
  TL_TRY(const RunLabels runs, label_runs(slab, spec_.connectivity, VoxelsToLabel::not_zero, cancel, where));
  const auto slab_index = static_cast<std::size_t>(index);
  const auto offset = static_cast<std::size_t>(offset_[slab_index]);
  const std::size_t end =
      slab_index + 1 < offset_.size() ? static_cast<std::size_t>(offset_[slab_index + 1]) : final_.size();
  if (runs.voxels.size() != end - offset)
    return invalid("slab " + std::to_string(index) + " is not what it was when it was added", where);
  const std::vector<int32_t> names(final_.begin() + static_cast<std::ptrdiff_t>(offset),
                                   final_.begin() + static_cast<std::ptrdiff_t>(end));
  return labels_of_components(runs, names, slab);
}

}  // namespace tl::ops
