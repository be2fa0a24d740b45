// Several dual steps of total-variation denoising in one pass over memory.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/cancel.h"
#include "gpu/image/total_variation/total_variation_lines.h"

namespace tl::ops {

template <class T>
struct SweepStep {
  enum class Source { dual, inertial };
  Source source = Source::dual;
  DualStep<T> dual{};
  bool inertial = false;  // whether the next step needs the extrapolation
};

template <class T>
struct SweepTask {
  VoxelShape shape;
  AxisWeights<T> weights;
  const T* point;            // the volume to be denoised
  T *dual, *inertial, *out;  // in place; inertial: null if no step uses it; out: disjoint from all others
  T strength, low;
  const T* before;  // used with `changes`
  std::vector<RowChanges>*
      changes;  // null, or one entry per row [z, y]: changes of out relative to the last step, and to `before`
  CancelToken cancel;
};

// Runs the steps, each one plane behind the previous step, on planes that are still in the cache; then out = max(low,
// point - strength * transposed differences of the final dual).
template <class T>
void tv_sweep(const SweepTask<T>& task, const std::vector<SweepStep<T>>& steps);

}  // namespace tl::ops
