// Connected components of masks and labels, of whole volumes or slab by slab.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/segmentation/lattice.h"

namespace tl::ops {

struct ComponentsSpec {
  Connectivity connectivity = Connectivity::faces;
  CancelToken cancel;  // checked between rows
};

struct Components {
  at::Tensor labels;            // int32: 0 outside, components from 1 on in the order of their first voxels (z, y, x)
  std::vector<int64_t> voxels;  // voxels[i] of component i + 1
  [[nodiscard]] int64_t count() const { return static_cast<int64_t>(voxels.size()); }
};

// Components of a mask (bool), or of labels (uint8, int32), where neighbours with the same number are connected and 0
// is outside. By union-find over runs (L. He, Y. Chao and K. Suzuki, IEEE Trans. Image Process. 17, 749 (2008)). The
// numbers are independent of threads. Errors: invalid for shapes, types, and more than 2^31 - 1 runs.
Result<Components> components(const at::Tensor& voxels, const ComponentsSpec& spec);

// Labels volumes larger than memory, with the same numbers. Slabs [z, y, x] are passed twice, from z = 0 upward: first
// to add(), then, after finish(), to labels(). In between only a plane of runs and a few numbers per component of every
// slab are kept.
class SlabComponents {
 public:
  explicit SlabComponents(const ComponentsSpec& spec);

  // `marked` (bool, optional, of the slab's shape): see marked(). Errors: those of components(); invalid if rows and
  // columns differ from the previous slab.
  Result<void> add(const at::Tensor& slab, const at::Tensor& marked = {});
  // After the last slab. Errors: invalid for more than 2^31 - 1 components.
  Result<void> finish();
  // After finish(): final labels of slab `index` (in the order of add()), which must be the same slab as then. Errors:
  // invalid for another index, and if the number of the slab's components differs; nothing else is compared. Has its
  // own `cancel`: components may outlive the run that found them.
  [[nodiscard]] Result<at::Tensor> labels(const at::Tensor& slab, int64_t index, const CancelToken& cancel = {}) const;
  // Memory that is in use after finish().
  [[nodiscard]] int64_t bytes() const;

  // Valid after finish(); element i is of component i + 1.
  [[nodiscard]] int64_t count() const { return static_cast<int64_t>(voxels_.size()); }
  [[nodiscard]] const std::vector<int64_t>& voxels() const { return voxels_; }
  [[nodiscard]] const std::vector<bool>& at_border() const { return at_border_; }  // of the whole volume
  [[nodiscard]] const std::vector<bool>& marked() const { return marked_; }        // some voxel was marked

 private:
  // The runs of a slab's last plane, with the numbers of their components before slabs are joined.
  struct Plane {
    int64_t ny = 0, nx = 0;
    std::vector<int64_t> first, number;
    std::vector<int32_t> begin, end, value;
  };
  void join_seam(const Plane& below, const Plane& above);

  ComponentsSpec spec_;
  Plane last_;
  std::vector<int64_t> first_numbers_;  // numbers of the components in the first plane
  int64_t slices_ = 0;
  std::vector<int64_t> offset_;  // for each slab: number of components before it
  std::vector<int64_t> parent_;  // parent of every component of every slab
  std::vector<int64_t> voxels_;
  std::vector<bool> at_border_, marked_;
  std::vector<int32_t> final_;
  bool finished_ = false;
};

}  // namespace tl::ops
