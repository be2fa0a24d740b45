// Shifts of frames that differ over the image: patches are aligned like whole frames, and a spline goes through them.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>

#include "core/base/error.h"
#include "gpu/alignment/frames/frame_shifts.h"
#include "gpu/alignment/frames/frame_spline.h"

namespace tl::ops {

struct LocalShiftsSpec {
  FramePairsSpec pairs;  // frames, resolution, cancel; its reach is not used
  FrameShifts global;    // of the same frames
  int64_t patch = 500;   // [px] edge of a patch; so many that they cover the image
  int64_t averaged = 3;  // successive frames that are averaged, an odd number
};

struct LocalShifts {
  FrameSpline spline;         // beyond the global shifts; empty: no patch shows its shifts
  double rms = 0, sigma = 0;  // [px] of the spline at the patches
  int64_t patches = 0, known = 0;
};

// Number of patches along an axis: each is at most `patch` wide.
int64_t patches_along(int64_t size, int64_t patch);

// D. Strelak et al., Electronics 9, 1040 (2020), section 2.2: 6 x 6 control points over the image, 5 in time, or 4
// where there are fewer patches or frames. Patches whose frames do not agree with each other are left out. Repeated
// with what was found taken out, until little is added: edges of a patch, which do not move, pull large shifts towards
// 0. Errors: as pair_shifts().
Result<LocalShifts> local_shifts(const LocalShiftsSpec& spec);

// Where each pixel of an aligned frame lies in the frame as measured: float64 [1, 2, row, col], within the image.
at::Tensor positions_in_frame(const FrameShifts& global, const FrameSpline& local, int64_t frame,
                              std::array<int64_t, 2> size);

}  // namespace tl::ops
