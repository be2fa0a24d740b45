// Arithmetic of the flat-field correction per pixel, shared by the processor and CUDA.
#pragma once

#include <cstdint>

#include "core/base/macros.h"

namespace tl::ops {

// flat - dark between two groups; `share` belongs to `after`, 0 ... 1.
template <class T>
TL_HD inline T flat_between(T before, T after, T share) {
  return before + share * (after - before);
}

// Multiplies by 1 / (flat - dark), the flat interpolated between two groups. One call per pixel of one view.
template <class T>
struct FlatGain {
  const T* x;       // dark already subtracted
  const T* before;  // flat - dark of the two groups
  const T* after;
  T share;
  T* out;

  TL_HD void operator()(int64_t i) const { out[i] = x[i] / flat_between(before[i], after[i], share); }
};

// A pixel that is filled from its row: index of the pixel, of its usable neighbours, and the share of the right one.
struct FilledPixel {
  int64_t pixel, left, right;
  double share;
};

// Between which groups a view lies, and the share of the one after it.
struct FlatPlace {
  int64_t before, after;
  double share;
};

// What becomes of a pixel: `kept`, `dead` (0), or the index of its FilledPixel.
inline constexpr int32_t kept_pixel = -1, dead_pixel = -2;

// A whole scan on a card, one call per index of [view, pixel].
template <class T>
struct FlatFieldPixel {
  const T* signals;  // [group, pixel]
  const FlatPlace* places;
  const int32_t* fates;  // [pixel]
  const FilledPixel* filled;
  int64_t pixels;
  const T* x;  // dark already subtracted
  T* out;

  TL_HD T gain(const FlatPlace& place, int64_t pixel) const {
    return flat_between(signals[place.before * pixels + pixel], signals[place.after * pixels + pixel],
                        static_cast<T>(place.share));
  }
  TL_HD void operator()(int64_t index) const {
    const int64_t pixel = index % pixels, view = index / pixels;
    const FlatPlace& place = places[view];
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

// What the transpose adds to a pixel: `weight` of the pixel `from`, which was filled from it.
struct FillShare {
  int64_t from;
  double weight;
};

// The transpose: shares [begins[p], begins[p + 1]) belong to pixel p.
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
