// Finds thresholds: each method is a pass over cumulative sums of the levels.
#include "gpu/segmentation/thresholds/thresholds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tl::ops {
namespace {

// Sums over the levels 0 to i: counts, and counts times values above the smallest.
struct CumulativeSums {
  explicit CumulativeSums(const GreyLevels& levels) : weight(levels.value.size()), moment(weight) {
    double w = 0, m = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) {
      const auto n = static_cast<double>(levels.count[i]);
      weight[i] = w += n;
      moment[i] = m += n * (levels.value[i] - levels.value.front());
    }
  }
  std::vector<double> weight, moment;
};

// The first level below the last with the largest score.
template <class Score>
double level_of_largest(const GreyLevels& levels, const Score& score) {
  std::size_t best = 0;
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < levels.value.size(); ++i) {
    const double s = score(i);
    if (s > largest) {
      largest = s;
      best = i;
    }
  }
  return levels.value[best];
}

double otsu(const GreyLevels& levels) {
  const CumulativeSums sums(levels);
  const double all = sums.weight.back(), moment = sums.moment.back();
  return level_of_largest(levels, [&](std::size_t i) {
    const double w1 = sums.weight[i], w2 = all - w1, d = sums.moment[i] / w1 - (moment - sums.moment[i]) / w2;
    return w1 * w2 * d * d;
  });
}

double isodata(const GreyLevels& levels) {
  if (levels.value.size() < 2) return levels.value.front();
  const CumulativeSums sums(levels);
  const double width = levels.value[1] - levels.value[0], all = sums.weight.back(), moment = sums.moment.back();
  // Midway between the means minus the level starts at 0 or above, falls by at most a level's width each, and ends
  // below a width: one level is always found.
  for (std::size_t i = 0; i + 2 < levels.value.size(); ++i) {
    const double lower = sums.moment[i] / sums.weight[i], higher = (moment - sums.moment[i]) / (all - sums.weight[i]);
    const double distance = (lower + higher) / 2 - (levels.value[i] - levels.value.front());
    if (distance >= 0 && distance < width) return levels.value[i];
  }
  return levels.value[levels.value.size() - 2];
}

double triangle(const GreyLevels& levels) {
  const auto& count = levels.count;
  const auto last = static_cast<int64_t>(count.size()) - 1;  // neither the first nor the last level is empty
  const int64_t peak = std::max_element(count.begin(), count.end()) - count.begin();
  const bool towards_high = peak < last - peak;  // the longer side
  const int64_t width = towards_high ? last - peak : peak;
  const auto height = static_cast<double>(count[static_cast<std::size_t>(peak)]), base = static_cast<double>(width);
  const double norm = std::hypot(height, base);
  int64_t best = 0;
  double largest = -std::numeric_limits<double>::infinity();
  for (int64_t x = 0; x < width; ++x) {
    const auto y = static_cast<double>(count[static_cast<std::size_t>(towards_high ? last - x : x)]);
    const double distance = height / norm * static_cast<double>(x) - base / norm * y;
    if (distance > largest) {
      largest = distance;
      best = x;
    }
  }
  return levels.value[static_cast<std::size_t>(towards_high ? last - best : best)];
}

double li(const GreyLevels& levels, bool whole) {
  constexpr int max_steps = 10000;  // each step decreases the entropy; the limit ends a cycle due to rounding
  const std::size_t all = levels.value.size();
  double tolerance = 0.5;
  if (!whole) {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < all; ++i) smallest = std::min(smallest, levels.value[i] - levels.value[i - 1]);
    tolerance = smallest / 2;
  }
  const CumulativeSums sums(levels);
  const double weight = sums.weight.back(), moment = sums.moment.back();
  double next = moment / weight, now = -2 * tolerance;
  for (int step = 0; step < max_steps && std::abs(next - now) > tolerance; ++step) {
    now = next;
    const auto split = static_cast<std::size_t>(
        std::upper_bound(levels.value.begin(), levels.value.end(), now + levels.value.front()) - levels.value.begin());
    if (split == 0 || split == all) break;
    const double background = sums.moment[split - 1] / sums.weight[split - 1];
    const double foreground = (moment - sums.moment[split - 1]) / (weight - sums.weight[split - 1]);
    if (background == 0) break;
    next = (background - foreground) / (std::log(background) - std::log(foreground));
  }
  return next + levels.value.front();
}

// Best division of the levels i to the end into a number of classes, for all i: `gain` is the largest sum of
// (moment of a class)^2 / weight, `end` the first level after the first class.
struct Divisions {
  std::vector<double> gain;
  std::vector<std::size_t> end;
};

class ClassGain {
 public:
  explicit ClassGain(const GreyLevels& levels) : weight_(levels.value.size() + 1), moment_(weight_.size()) {
    const CumulativeSums sums(levels);
    std::copy(sums.weight.begin(), sums.weight.end(), weight_.begin() + 1);
    std::copy(sums.moment.begin(), sums.moment.end(), moment_.begin() + 1);
  }
  [[nodiscard]] double operator()(std::size_t first, std::size_t last) const {
    const double m = moment_[last] - moment_[first];
    return m * m / (weight_[last] - weight_[first]);
  }

 private:
  std::vector<double> weight_, moment_;
};

// Fills best.gain and best.end for i in [first, last), whose ends lie in [least, most]: the best end grows with i, so
// that the middle one halves the search for both sides.
void divide(const ClassGain& gain, const Divisions& rest, Divisions& best, std::size_t first, std::size_t last,
            std::size_t least, std::size_t most) {
  if (first >= last) return;
  const std::size_t middle = (first + last) / 2;
  double largest = -std::numeric_limits<double>::infinity();
  std::size_t end = std::max(least, middle + 1);
  for (std::size_t e = end; e <= most; ++e) {
    const double g = gain(middle, e) + rest.gain[e];
    if (g > largest) {
      largest = g;
      end = e;
    }
  }
  best.gain[middle] = largest;
  best.end[middle] = end;
  divide(gain, rest, best, first, middle, least, end);
  divide(gain, rest, best, middle + 1, last, end, most);
}

GreyLevels without_empty(const GreyLevels& levels) {
  GreyLevels filled;
  for (std::size_t i = 0; i < levels.value.size(); ++i) {
    if (levels.count[i] == 0) continue;
    filled.value.push_back(levels.value[i]);
    filled.count.push_back(levels.count[i]);
  }
  return filled;
}

}  // namespace

double yen_threshold(const GreyLevels& levels) {
  const CumulativeSums sums(levels);
  const double all = sums.weight.back();
  const std::size_t count = levels.count.size();
  const auto square = [&](std::size_t i) {
    const double share = static_cast<double>(levels.count[i]) / all;
    return share * share;
  };
  // Squared shares of the levels up to i, and of those above it; the latter are added from the last level down, because
  // a difference of the former would lose values below 1e-16 of them.
  std::vector<double> up_to(count, 0), above(count, 0);
  for (std::size_t i = 0; i < count; ++i) up_to[i] = (i > 0 ? up_to[i - 1] : 0) + square(i);
  for (std::size_t i = count - 1; i > 0; --i) above[i - 1] = above[i] + square(i);
  return level_of_largest(levels, [&](std::size_t i) {
    const double share = sums.weight[i] / all, rest = (all - sums.weight[i]) / all;
    return std::log(share * share * rest * rest / (up_to[i] * above[i]));
  });
}

Result<double> threshold(const GreyHistogram& histogram, ThresholdMethod method) {
  const int64_t infinite = histogram.above() + histogram.below();
  if (histogram.count() + infinite + histogram.nans() == 0)
    return invalid("there are no values to find a threshold in", "threshold", "Make the mask larger");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (histogram.count() == 0 && infinite == 0) return std::numeric_limits<double>::quiet_NaN();
  if (histogram.count() == 0) return histogram.above() == 0 ? -infinity : histogram.below() == 0 ? infinity : 0.0;
  if (histogram.minimum() == histogram.maximum()) return histogram.minimum();
  switch (method) {
    case ThresholdMethod::otsu: return otsu(histogram.levels());
    case ThresholdMethod::li: return li(histogram.fine_levels(), histogram.has_only_integers());
    case ThresholdMethod::yen: return yen_threshold(histogram.levels());
    case ThresholdMethod::isodata: return isodata(histogram.levels());
    case ThresholdMethod::triangle: return triangle(histogram.levels());
  }
  return invalid("unknown method", "threshold");
}

Result<std::vector<double>> multi_otsu_thresholds(const GreyHistogram& histogram, int64_t classes) {
  const std::string where = "multi-Otsu";
  if (classes < 2 || classes > max_threshold_classes)
    return invalid("choose 2 to " + std::to_string(max_threshold_classes) + " classes", where);
  const GreyLevels levels = without_empty(histogram.levels());
  const std::size_t all = levels.value.size(), wanted = static_cast<std::size_t>(classes);
  if (all < wanted)
    return invalid(
        "there are only " + std::to_string(all) + " different values for " + std::to_string(classes) + " classes",
        where, "Choose fewer classes, or another region");
  const ClassGain gain(levels);
  std::vector<Divisions> best(wanted + 1);
  // One class: all levels from i on.
  best[1] = {std::vector<double>(all + 1, -std::numeric_limits<double>::infinity()),
             std::vector<std::size_t>(all + 1, all)};
  for (std::size_t i = 0; i < all; ++i) best[1].gain[i] = gain(i, all);
  for (std::size_t k = 2; k <= wanted; ++k) {
    best[k] = {std::vector<double>(all + 1, -std::numeric_limits<double>::infinity()),
               std::vector<std::size_t>(all + 1, all)};
    divide(gain, best[k - 1], best[k], 0, all - k + 1, 1, all - k + 1);
  }
  std::vector<double> thresholds;
  std::size_t from = 0;
  for (std::size_t k = wanted; k >= 2; --k) {
    from = best[k].end[from];
    thresholds.push_back(levels.value[from - 1]);
  }
  return thresholds;
}

}  // namespace tl::ops
