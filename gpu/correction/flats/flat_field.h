// Flat-field correction: converts detector counts to transmission (or absorption) with flats and darks.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "gpu/correction/minus_log.h"
#include "gpu/correction/unusable_values.h"

namespace tl::ops {

enum class FrameAverage { mean, median };

// constant: all flats form one group. interpolate: flats taken together (positions fewer than one view apart) form a
// group, and the flat of a view is interpolated linearly between the groups before and after it; outside, the nearest
// group is used. before: the last group before each view, so that a view does not depend on later flats; if there is
// none, the first group.
enum class FlatChange { constant, interpolate, before };

// Averaged flats and darks, and pixels to repair; computed once for many parts of a scan on the same rows and
// columns.
class FlatReferences;

// overwrite: the result may reuse the memory of the data if the data has the result's type, or is counts within the
// memory of floats (counts.h), and no gradient is needed.
enum class InputUse { keep, overwrite };

// fill: impossible values and dead views are replaced as in fill_unusable_values() (including those in the empty beam).
enum class Unusable { keep, fill };

struct FlatFieldSpec {
  at::Tensor flats;                    // [n, row, col], required
  at::Tensor darks;                    // [n, row, col]; undefined = no dark signal
  std::vector<double> flat_positions;  // in view indices of the scan, one per flat; may be empty for `constant`
  std::vector<double> view_positions;  // index in the scan of each view in the data; empty = 0, 1, 2...
  FrameAverage flat_average = FrameAverage::mean;
  FrameAverage dark_average = FrameAverage::mean;
  FlatChange change = FlatChange::constant;
  std::optional<double> minimum;                   // lower transmission values are set to this value
  std::optional<MinusLogSpec> logarithm;           // also computes absorption, in the same pass over memory
  CancelToken cancel;                              // checked between views
  std::shared_ptr<const FlatReferences> prepared;  // from prepare_flats() with the same frames; avoids averaging again
  InputUse input = InputUse::keep;
  Unusable unusable = Unusable::keep;
  const ScanGeometry* geometry = nullptr;  // geometry of the views in the data: determines how dead views are filled
};

struct FlatFieldResult {
  at::Tensor transmission;  // [view, row, col]; undefined if the logarithm was requested
  MinusLog logarithm;       // the absorption and its statistics, if requested
  int64_t repaired = 0;     // number of detector pixels without a usable flat, filled from their row
  int64_t dead_rows = 0;    // number of detector rows without any usable pixel: their transmission is set to 1
  UnusableValues unusable;  // the filled values, if requested
  int64_t dark_views = 0;   // number of views in which at least half of the pixels were set to the logarithm's floor
  int64_t first_dark = -1;
};

// (data - dark) / (flat - dark); averages over frames are computed in double, over values that are finite and within
// largest_value. A pixel whose flat - dark is not positive in some group has no usable flat: in each view it becomes
// the linear interpolation between the nearest usable pixels left and right in its row (at an edge, the value of the
// nearest one). NaN in `data` stays NaN unless unusable values are filled; if a gradient is needed, unusable values
// become NaN instead of being filled. `data` is [view, row, col], float32 or float64 (flats and darks are converted to
// its type), or uint16 counts: the result is bit-identical to that for the same counts as float32. Differentiable with
// respect to `data`. Errors: invalid for missing flats, shapes and positions that do not match; unavailable for devices
// without kernels. For data on a GPU, averages are still computed on the CPU: there are few frames, and all frames of a
// pixel are needed.
Result<FlatFieldResult> flat_field(const at::Tensor& data, const FlatFieldSpec& spec);

// Memory [bytes] of the averages, for each group of flats and the darks; 0 if prepare_flats() would refuse them.
int64_t flat_references_bytes(const FlatFieldSpec& spec);
// Averages the flats and darks of `spec`. Errors: invalid as above.
Result<std::shared_ptr<FlatReferences>> prepare_flats(const FlatFieldSpec& spec);

// The mean or the median of frames [n, row, col] per pixel, in float64, over values that are finite and within
// largest_value; NaN if there are none. The median of an even number is the mean of the middle two.
at::Tensor average_frames(const at::Tensor& frames, FrameAverage average);

}  // namespace tl::ops
