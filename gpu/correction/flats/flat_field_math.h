// Arithmetic of the flat-field correction per pixel, shared by CPU and CUDA.
#pragma once

#include <cstdint>

#include "core/base/macros.h"

namespace tl::ops {

// flat - dark interpolated between two groups; `share` is the weight of `after`, 0 ... 1.
template <class T>
TL_HD inline T flat_between(T before, T after, T share) {
  return before + share * (after - before);
}

// Divides by flat - dark, interpolated between two groups. One call per pixel of one view.
template <class T>
struct FlatGain {
  const T* x;       // dark already subtracted
  const T* before;  // flat - dark of both groups
  const T* after;
  T share;
  T* out;

  TL_HD void operator()(int64_t i) const { out[i] = x[i] / flat_between(before[i], after[i], share); }
};

// A pixel filled from its row: index of the pixel, indices of its usable neighbours, and the weight of the right one.
struct FilledPixel {
  int64_t pixel, left, right;
  double share;
};

// The groups of flats before and after a view, and the weight of the second.
struct FlatInterpolation {
  int64_t before, after;
  double share;
};

// Per pixel: `kept_pixel`, `dead_pixel` (becomes 0), or the index of its FilledPixel.
inline constexpr int32_t kept_pixel = -1, dead_pixel = -2;

// Corrects a whole scan on a device, one call per index of [view, pixel].
template <class T>
struct FlatFieldPixel {
  const T* signals;  // [group, pixel]
  const FlatInterpolation* places;
  const int32_t* fates;  // [pixel]
  const FilledPixel* filled;
  int64_t pixels;
  const T* x;  // dark already subtracted
  T* out;

  TL_HD T gain(const FlatInterpolation& place, int64_t pixel) const {
    return flat_between(signals[place.before * pixels + pixel], signals[place.after * pixels + pixel],
                        static_cast<T>(place.share));
  }
  TL_HD void operator()(int64_t index) const {
    const int64_t pixel = index % pixels, view = index / pixels;
    const FlatInterpolation& place = places[view];
    const T* data = x + view * pixels;
    const int32_t fate = fates[pixel];
    if (fate == kept_pixel) {
      out[index] = data[pixel] / gain(place, pixel);
    } else if (fate == dead_pixel) {
      out[index] = T(0);
    } else {
      const FilledPixel& f = filled[fate];
      const T left = data[f.left] / gain(place, f.left), right = data[f.right] / gain(place, f.right);
      out[index] = left + static_cast<T>(f.share) * (right - left);
    }
  }
};

// A contribution of the transpose to a pixel: `weight` times the filled pixel `from`, whose value was computed from it.
struct FillShare {
  int64_t from;
  double weight;
};

// The transpose; shares [begins[p], begins[p + 1]) belong to pixel p.
template <class T>
struct FlatFieldTransposed {
  FlatFieldPixel<T> forward;
  const int64_t* begins;
  const FillShare* shares;

  TL_HD void operator()(int64_t index) const {
    const int64_t pixel = index % forward.pixels, view = index / forward.pixels;
    const T* data = forward.x + view * forward.pixels;
    T sum = forward.fates[pixel] == kept_pixel ? data[pixel] : T(0);
    for (int64_t n = begins[pixel]; n < begins[pixel + 1]; ++n)
      sum += static_cast<T>(shares[n].weight) * data[shares[n].from];
    forward.out[index] = sum / forward.gain(forward.places[view], pixel);
  }
};

}  // namespace tl::ops
