// Implements components by slabs.
#include "core/nodes/segment/component_slabs.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/values/index_bounds.h"

namespace tl {
namespace {

// Thin enough that an image of one slice reads little, thick enough that the data kept per slab are negligible.
int64_t thickness_of(const VolumeGrid& whole) {
  constexpr int64_t most_voxels = int64_t{1} << 24, max_slices = 32;
  return std::clamp<int64_t>(most_voxels / std::max<int64_t>(whole.ny * whole.nx, 1), 1, max_slices);
}

at::Tensor joined(const at::Tensor& before, const at::Tensor& more) {
  return before.defined() && before.size(0) > 0 ? at::cat({before, more}) : more;
}

}  // namespace

ComponentSlabs::ComponentSlabs(const VolumeGrid& whole, const ops::ComponentsSpec& spec, Keep keep)
    : thickness_(thickness_of(whole)), keep_(keep), components_(spec) {}

Result<void> ComponentSlabs::add_slab(const at::Tensor& slab, const at::Tensor& marked) {
  TL_TRY(components_.add(slab, marked));
  if (keep_ == Keep::voxels) kept_.emplace_back(slab);
  return ok();
}

Result<void> ComponentSlabs::add(const at::Tensor& piece, const at::Tensor& marked) {
  waiting_ = joined(waiting_, piece);
  if (marked.defined()) waiting_marks_ = joined(waiting_marks_, marked);
  int64_t done = 0;
  for (; waiting_.size(0) - done >= thickness_; done += thickness_)
    TL_TRY(add_slab(waiting_.narrow(0, done, thickness_).contiguous(),
                    marked.defined() ? waiting_marks_.narrow(0, done, thickness_).contiguous() : at::Tensor()));
  waiting_ = waiting_.narrow(0, done, waiting_.size(0) - done).clone();
  if (marked.defined()) waiting_marks_ = waiting_marks_.narrow(0, done, waiting_marks_.size(0) - done).clone();
  return ok();
}

Result<void> ComponentSlabs::finish() {
  if (waiting_.defined() && waiting_.size(0) > 0) {
    TL_TRY(add_slab(waiting_, waiting_marks_));
  }
  waiting_ = waiting_marks_ = at::Tensor();
  return components_.finish();
}

Result<ComponentSlabs::Numbered> ComponentSlabs::numbered(int64_t first, int64_t count,
                                                          const CancelToken& cancel) const {
  TL_CHECK(first % thickness_ == 0, "components are numbered by whole slabs");
  std::vector<at::Tensor> voxels, numbers;
  for (int64_t z = first; z < first + count; z += thickness_) {
    voxels.push_back(kept_.at(static_cast<std::size_t>(z / thickness_)).unpacked());
    TL_TRY(at::Tensor slab, components_.labels(voxels.back(), z / thickness_, cancel));
    numbers.push_back(std::move(slab));
  }
  if (voxels.size() == 1) return Numbered{voxels.front(), numbers.front()};
  return Numbered{at::cat(voxels), at::cat(numbers)};
}

int64_t ComponentSlabs::bytes() const {
  int64_t all = components_.bytes();
  for (const PackedLabels& slab : kept_) all += slab.bytes();
  return all;
}

VolumeGrid slabs_around(const VolumeGrid& whole, const VolumeGrid& wanted) {
  const int64_t thickness = thickness_of(whole);
  const Range slices = slices_around(whole, wanted);
  const int64_t last = (slices.end - 1) / thickness;
  return whole.slab({slices.begin / thickness * thickness, std::min((last + 1) * thickness, whole.nz)});
}

int64_t bytes_of_search(const VolumeGrid& whole, const VolumeGrid& part) {
  constexpr int64_t of_voxel = 24;
  return of_voxel * slabs_around(whole, part).count();
}

int64_t first_slice(const VolumeGrid& whole, const VolumeGrid& slabs) {
  return std::llround(fractional_index(whole, slabs.position(0, 0, 0)).k);
}

Findings findings_of(const std::shared_ptr<ComponentSlabs>& slabs, const std::string& count) {
  Findings f;
  if (!count.empty())
    f.values[count] = Scalar{at::scalar_tensor(static_cast<double>(slabs->components().count()), at::kDouble)};
  f.kept = slabs;
  f.kept_bytes = slabs->bytes();
  return f;
}
const ComponentSlabs& slabs_in(const Findings& findings) {
  TL_CHECK(findings.kept != nullptr, "components are found before they are numbered");
  return *static_cast<const ComponentSlabs*>(findings.kept.get());
}

at::Tensor kept_voxels(const at::Tensor& numbers, const std::vector<bool>& keep) {
  at::Tensor mask = at::empty(numbers.sizes(), at::kBool);
  const auto* const number = numbers.const_data_ptr<int32_t>();
  auto* const kept = mask.data_ptr<bool>();
  for (int64_t i = 0; i < numbers.numel(); ++i) kept[i] = keep[static_cast<std::size_t>(number[i])];
  return mask;
}

}  // namespace tl
