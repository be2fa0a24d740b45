// Cases of bench_alignment besides the alignment of views: bursts of frames, and views from any directions.
#pragma once

#include "tests/bench/bench.h"

namespace tl::bench {

// Frames that drift and dome: error of the displacement, correlation with the sum of unmoved frames, time.
//   frames=50 size=256 drift=8 dome=2 noise=25 (percent of a blob's height) patch=64 seed=1
void run_frames_case(Arguments& arguments);
// Insertion of views of random directions next to the padded transforms of the views alone; shell correlation with the
// truth.
//   views=1000 size=64 symmetry=C1
void run_fourier_case(Arguments& arguments);
// Directions of images of 12 balls, by network and matching: share of right or neighbouring regions, errors, time.
//   images=2000 size=64 snr=50 (percent: variances of signal and noise) shift=3 widest=5 (sigma of the widest ball,
//   percent of the size) phantom=7 regions=42 steps=1000 seed=1 reach=4 edge=32 parts=8
void run_regions_case(Arguments& arguments);

}  // namespace tl::bench
