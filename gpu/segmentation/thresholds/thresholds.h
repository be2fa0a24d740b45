// Thresholds from the histogram of a volume: Otsu, Li, Yen, isodata, triangle, and several thresholds by Otsu.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "gpu/segmentation/thresholds/grey_histogram.h"

namespace tl::ops {

enum class ThresholdMethod {
  otsu,  // largest variance between the classes: N. Otsu, IEEE Trans. Syst. Man Cybern. 9, 62 (1979)
  li,    // least cross entropy, by iteration from the mean: C. H. Li and P. K. S. Tam, Pattern Recognit. Lett. 18, 771
  yen,   // largest correlation: J.-C. Yen, F.-J. Chang and S. Chang, IEEE Trans. Image Process. 4, 370 (1995)
  isodata,  // midway between the means of the classes: T. W. Ridler and S. Calvard, IEEE Trans. SMC 8, 630 (1978)
  triangle  // farthest below the line from the peak to the far end: G. W. Zack et al., J. Histochem. Cytochem. 25, 741
};

// The threshold t; the class of bright voxels is v > t. It is a level of `levels()`, except Li's, which is computed
// from `fine_levels()` until it changes by less than 0.5 (integers) or half the smallest difference between values.
// Conventions and results are scikit-image's. Infinities are ignored if there are finite values. Values without two
// classes give a recognisable number: a constant gives that constant; only NaN give NaN; only one infinity (and NaN)
// gives that infinity, both give 0. Errors: invalid if nothing was counted.
Result<double> threshold(const GreyHistogram& histogram, ThresholdMethod method);

// ThresholdMethod::yen for given counts: at least one level, and neither the first nor the last is empty.
double yen_threshold(const GreyLevels& levels);

inline constexpr int64_t max_threshold_classes = 16;

// The classes - 1 thresholds, ascending, with the largest variance between `classes` (2 to 16) classes: P.-S. Liao,
// T.-S. Chen and P.-C. Chung, J. Inf. Sci. Eng. 17, 713 (2001). Exact, the first of equal ones; in n log n steps.
// Errors: invalid for the number of classes, and if there are fewer different levels than classes.
Result<std::vector<double>> multi_otsu_thresholds(const GreyHistogram& histogram, int64_t classes);

}  // namespace tl::ops
