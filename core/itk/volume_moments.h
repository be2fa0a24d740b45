// Mean and standard deviation of the values of a volume.
#pragma once

#include "core/itk/call.h"

namespace tl::insight {

struct Moments {
  double mean = 0, deviation = 0;
};
// Of the population, slice by slice, so that they depend on nothing but the values. NaN and infinities propagate.
Moments moments_of(const VolumeView& v);

}  // namespace tl::insight
