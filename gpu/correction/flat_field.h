// Flat-field correction: detector counts, flats and darks to transmission.
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

// constant: all flats are one group. interpolate: flats taken together (positions at most one view apart) form a group,
// and the flat of a view is the linear interpolation between the groups before and after it; outside, the nearest
// group.
enum class FlatChange { constant, interpolate };

// Averaged flats and darks and what is repaired, made once for many parts of a scan on the same rows and columns.
class FlatReferences;

// overwrite: the result may take the place of the data, where that has the right type, or is counts that lie in the
// memory of floats (counts.h), and nobody asks for a gradient.
enum class InputUse { keep, overwrite };

// fill: values that no detector gives and dead views become what usable_views() makes of them (empty beam included).
enum class Unusable { keep, fill };

struct FlatFieldSpec {
  at::Tensor flats;                    // [n, row, col], needed
  at::Tensor darks;                    // [n, row, col]; undefined = no dark signal
  std::vector<double> flat_positions;  // in view indices of the scan, one per flat; may be empty with `constant`
  std::vector<double> view_positions;  // index in the scan of each view of the data; empty = 0, 1, 2...
  FrameAverage flat_average = FrameAverage::mean;
  FrameAverage dark_average = FrameAverage::mean;
  FlatChange change = FlatChange::constant;
  std::optional<double> minimum;                   // transmission below it is raised to it
  std::optional<MinusLogSpec> logarithm;           // go on to absorption in the same pass over memory
  CancelToken cancel;                              // looked at between views
  std::shared_ptr<const FlatReferences> prepared;  // by prepare_flats(), from the same flats and darks: saves averaging
  InputUse input = InputUse::keep;
  Unusable unusable = Unusable::keep;
};

struct FlatFielded {
  at::Tensor transmission;  // [view, row, col]; undefined if the logarithm was asked for
  MinusLog logarithm;       // the absorption and what was raised for it, if it was asked for
  int64_t repaired = 0;     // detector pixels without a usable flat, filled from their row
  int64_t dead_rows = 0;    // detector rows without any usable pixel: their transmission is set to 1
  UnusableValues unusable;  // what was filled, if that was asked for
  int64_t dark_views = 0;   // at least half of whose pixels were raised to the logarithm's floor
  int64_t first_dark = -1;
};

// (data - dark) / (flat - dark), averages taken in double over the frames whose value is finite and not beyond
// largest_value. A pixel whose flat - dark is not a positive number in any group has no usable flat: in each view it
// becomes the linear interpolation between the nearest usable pixels left and right in its row (the nearest alone at an
// edge). NaN in `data` stays NaN, unless unusable values are filled; where a gradient is wanted they are NaN. `data` is
// [view, row, col], float32 or float64; flats and darks are converted to its type. It may also be uint16 counts: the
// result is that of the same counts as float32, to the last bit. Differentiable with respect to `data`. Errors: invalid
// for missing flats, shapes and positions that do not match; unavailable for devices without kernels. On a card the
// averages are still taken on the processor: they are few, and need all frames of a pixel.
Result<FlatFielded> flat_field(const at::Tensor& data, const FlatFieldSpec& spec);

// Bytes that the references of so many pixels take, at most two groups of flats.
int64_t flat_references_bytes(int64_t rows, int64_t cols);
// Errors: invalid as above.
Result<std::shared_ptr<FlatReferences>> prepare_flats(const FlatFieldSpec& spec);

// The mean or the median of frames [n, row, col] per pixel, in float64, over the finite values; NaN where there is
// none; values beyond largest_value count as none. The median of an even number is the mean of the middle two.
at::Tensor average_frames(const at::Tensor& frames, FrameAverage average);

}  // namespace tl::ops
