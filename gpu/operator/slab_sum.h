// Sums over the slices of large volumes, differentiable without storing the intermediate tensors of the whole volume.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "core/base/region.h"

namespace tl {

// `part` returns the contribution of one slab of slices to the sum, 0-dim float64. Its `slabs` are parts of the volumes
// along their first axis: the slices of the slab, followed by up to `overlap` further ones for differences between
// slices. `shared` are scalars that all slabs need (a mean, the ends of a histogram).
struct SlabSum {
  std::vector<at::Tensor> volumes;  // [z, ...] with the same z
  std::vector<at::Tensor> shared;   // 0-dim
  int64_t overlap = 0;              // slices
  std::function<at::Tensor(const std::vector<at::Tensor>& slabs, const std::vector<at::Tensor>& shared, Range slices)>
      part;
};

// Number of values in one slab of a volume: 2^24.
int64_t values_at_once();
// Sets another number of values per slab during its lifetime; for tests, which divide a small volume into many slabs.
class ScopedSlabSize {
 public:
  explicit ScopedSlabSize(int64_t values);
  ~ScopedSlabSize();
  ScopedSlabSize(const ScopedSlabSize&) = delete;
  ScopedSlabSize& operator=(const ScopedSlabSize&) = delete;

 private:
  int64_t before_;
};

// The sum over all slabs. If it is differentiated in reverse mode, each slab is differentiated during the forward pass
// and only one gradient per volume is stored (checkpointing: A. Griewank, A. Walther, ACM Trans. Math. Software 26,
// 2000). If tangents are carried as well, the volume is one slab, so that mixed second derivatives exist. For several
// slabs second derivatives in reverse mode are not available: requesting them throws Failure (unavailable).
at::Tensor slab_sum(const SlabSum& sum);

}  // namespace tl
