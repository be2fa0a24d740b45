// Several steps of the dual of total-variation denoising in one pass over memory.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "gpu/image/total_variation_lines.h"

namespace tl::ops {

template <class T>
struct SweepStep {
  enum class Source { dual, inertial };
  Source source = Source::dual;
  DualStep<T> dual{};
  bool inertial = false;  // whether the extrapolation is kept for the next step
};

template <class T>
struct SweepTask {
  VoxelShape shape;
  AxisWeights<T> weights;
  const T* point;            // what is denoised
  T *dual, *inertial, *out;  // in place; inertial null where no step uses it; out is apart from all others
  T strength, low;
  const T* before;  // with `changes`
  std::vector<RowChanges>*
      changes;  // null, or one for each row [z, y]: out less the volume of the last step, and less before
  CancelToken cancel;
};

// The steps, each a plane behind the one before it, on what is still in the cache, and out = max(low, point - strength
// * transposed differences of the dual that they end at).
template <class T>
void tv_sweep(const SweepTask<T>& task, const std::vector<SweepStep<T>>& steps);

}  // namespace tl::ops
