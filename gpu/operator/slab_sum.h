// Sums over the slices of large volumes, differentiable without keeping what lies between a volume and its sum.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "core/base/region.h"

namespace tl {

// What a slab of slices adds to the sum: 0-dim float64. `slabs` are parts of the volumes along their first axis: the
// slices of the slab and, for differences with the next ones, up to `overlap` that follow it. `shared` are numbers that
// all slabs need (a mean, the ends of a histogram).
struct SlabSum {
  std::vector<at::Tensor> volumes;  // [z, ...] with the same z
  std::vector<at::Tensor> shared;   // 0-dim
  int64_t overlap = 0;              // slices
  std::function<at::Tensor(const std::vector<at::Tensor>& slabs, const std::vector<at::Tensor>& shared, Range slices)>
      part;
};

// Values of a volume that are one slab: 2^24.
int64_t values_at_once();
// While it lives there are fewer (or more) values in a slab: for tests, which see many slabs of a small volume.
class OtherSlabs {
 public:
  explicit OtherSlabs(int64_t values);
  ~OtherSlabs();
  OtherSlabs(const OtherSlabs&) = delete;
  OtherSlabs& operator=(const OtherSlabs&) = delete;

 private:
  int64_t before_;
};

// The sum over all slabs. What is differentiated in reverse goes back slab by slab at once and keeps one gradient per
// volume (checkpointing: A. Griewank, A. Walther, ACM Trans. Math. Software 26, 2000); beside a tangent it is one slab,
// for its mixed derivatives. Of several slabs there are no second derivatives in reverse: asking for them throws
// Failure (unavailable).
at::Tensor slab_sum(const SlabSum& sum);

}  // namespace tl
