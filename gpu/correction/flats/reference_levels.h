// Compares flats, darks and views with each other: which frames differ from their series, and whether the series
// fit together.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace tl::ops {

// Indices of flats that were taken together (less than one view apart), by ascending position; without positions, all
// flats form one group.
std::vector<std::vector<int64_t>> groups_in_time(const std::vector<double>& positions, int64_t flats);

// The same rows and columns of all flats and darks and of some views, [n, row, col]; undefined = none.
struct ReferenceSample {
  at::Tensor flats, darks, views;
  std::vector<double> flat_positions;  // in view indices, one per flat; empty = all flats were taken together
};

struct OddFrame {
  int64_t index = 0;
  double level = 0;
};

// A flat's level is its signal (flat - dark) relative to the median one, normally 1; a dark's level is its excess over
// the others, relative to the median signal of flats, normally 0.
struct ReferenceLevels {
  std::vector<OddFrame> odd_flats, odd_darks;
  // The largest difference of levels among frames taken together, without outliers.
  double flat_spread = 0, dark_spread = 0;
  bool flats_exceed_darks = true;  // in most pixels; if not, transmissions cannot be computed
  // Low and high transmissions (rows averaged, quantiles of 5 and 95 %) of the views.
  bool has_transmissions = false;
  double low_transmission = 0, high_transmission = 0;
};

// A frame is an outlier if its level differs from the median of at least three taken together by clearly more than they
// differ from each other; so is a flat with less than a fifth of the median signal of three or more, whenever it was
// taken. If two frames disagree, neither is an outlier: only the spread shows it. Groups of flats may differ from each
// other, like the beam of a storage ring between two fillings.
ReferenceLevels compare_references(const ReferenceSample& sample);

}  // namespace tl::ops
