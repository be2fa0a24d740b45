// Trains the network that names regions, on projections of the reference with shifts, rotations and noise.
#pragma once

#include <functional>

#include "core/base/cancel.h"
#include "core/net/region_network.h"
#include "gpu/alignment/directions/reference_views.h"
#include "gpu/alignment/directions/sphere.h"

namespace tl {

struct RegionTraining {
  const ops::ReferenceViews& views;
  const ops::SphereRegions& regions;
  double reach = 0;      // of shifts along each axis [working px]
  double amplitude = 1;  // of the projections in the images (ImagePose::likeness)
  double noise = 1;      // standard deviation of the images' noise, of working pixels
  int64_t steps = 1000;  // of 64 images each
  uint64_t seed = 1;
  CancelToken cancel{};
  std::function<void(int64_t step, double loss)> progress{};  // after a step, on the calling thread
};

// Adam, with a rate that falls from 2e-3 to 0 as a cosine. Amplitude and noise vary by a fifth and a third. Each step
// is divided into parts that are computed on one thread each and added up in their order: the bits do not depend on
// the number of threads. Throws Failure: cancelled.
net::NamedTensors trained_region_network(const RegionTraining& spec);

// The probability of each region [n, region] for working images (gpu/alignment/directions/polar.h).
at::Tensor region_probabilities(const net::NamedTensors& network, const ops::PolarGrid& polar, const at::Tensor& images,
                                const CancelToken& cancel);

}  // namespace tl
