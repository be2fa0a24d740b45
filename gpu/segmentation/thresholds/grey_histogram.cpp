// Counts grey levels: fine bins of gpu/image/histogram, from which integers or 256 equal bins are made.
#include "gpu/segmentation/thresholds/grey_histogram.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/base/error.h"
#include "gpu/device/grain.h"
#include "gpu/device/parallel_for.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

constexpr int64_t all_bins = int64_t{1} << 20;  // more than a histogram has
constexpr std::size_t equal_bins = 256;

struct SpecialValues {
  int64_t nans = 0, above = 0, below = 0;
  bool whole = true;  // all finite values
};

template <class T>
SpecialValues special_values(const T* x, int64_t count) {
  SpecialValues all;
  std::mutex join;
  ops::parallel_for(0, count, serial_updates, [&](int64_t first, int64_t last) {
    SpecialValues own;
    for (int64_t i = first; i < last; ++i) {
      const T v = x[i];
      if (std::isfinite(v)) {
        own.whole = own.whole && v == std::floor(v);
      } else {
        own.nans += std::isnan(v) ? 1 : 0;
        own.above += v > 0 ? 1 : 0;
        own.below += v < 0 ? 1 : 0;
      }
    }
    const std::lock_guard lock(join);
    all.nans += own.nans;
    all.above += own.above;
    all.below += own.below;
    all.whole = all.whole && own.whole;
  });
  return all;
}

at::Tensor as_floats(const at::Tensor& values, const std::string& where) {
  if (!values.defined()) throw Failure(invalid("there are no values", where));
  require_cpu(values, where);
  const at::ScalarType type = values.scalar_type();
  if (type == at::kFloat || type == at::kDouble) return values;
  if (type == at::kInt || type == at::kUInt32) return values.to(at::kDouble);
  if (type == at::kByte || type == at::kChar || type == at::kShort || type == at::kUInt16) return values.to(at::kFloat);
  throw Failure(invalid(std::string("numbers of type ") + at::toString(type) + " cannot be counted", where,
                        "Convert to float32"));
}

}  // namespace

void GreyHistogram::add(const at::Tensor& values, const at::Tensor& inside) {
  const std::string where = "histogram of grey levels";
  at::Tensor counted = as_floats(values, where);
  if (inside.defined()) {
    if (inside.scalar_type() != at::kBool || inside.sizes() != values.sizes() || !inside.device().is_cpu())
      throw Failure(invalid("the mask must be bool and of the shape of the values", where));
    counted = counted.masked_select(inside);
  }
  counted = counted.detach().contiguous();
  const SpecialValues special = counted.scalar_type() == at::kFloat
                                    ? special_values(counted.const_data_ptr<float>(), counted.numel())
                                    : special_values(counted.const_data_ptr<double>(), counted.numel());
  nans_ += special.nans;
  above_ += special.above;
  below_ += special.below;
  whole_ = whole_ && special.whole;
  fine_.add(counted);
}

bool GreyHistogram::has_only_integers() const { return count() > 0 && whole_ && fine_.bin_width() <= 1; }

GreyLevels GreyHistogram::fine_levels() const {
  const Histogram::Curve curve = fine_.curve(all_bins);
  const bool whole = has_only_integers();
  GreyLevels levels;
  for (std::size_t i = 0; i < curve.count.size(); ++i) {
    if (curve.count[i] == 0) continue;
    // The lower end of a bin at most 1 wide that contains an integer is that integer.
    levels.value.push_back(whole ? curve.value[i] - curve.width / 2 : curve.value[i]);
    levels.count.push_back(curve.count[i]);
  }
  if (levels.value.empty()) return levels;
  levels.value.front() = minimum();
  if (levels.value.size() > 1) levels.value.back() = maximum();
  return levels;
}

GreyLevels GreyHistogram::levels() const {
  GreyLevels fine = fine_levels();
  if (fine.value.size() < 2) return fine;
  const bool whole = has_only_integers();
  const double low = minimum(), range = maximum() - low;
  const std::size_t bins = whole ? static_cast<std::size_t>(range) + 1 : equal_bins;
  const double width = whole ? 1 : range / static_cast<double>(bins);
  GreyLevels levels;
  levels.count.assign(bins, 0);
  for (std::size_t i = 0; i < fine.value.size(); ++i) {
    const double bin = std::floor((fine.value[i] - low) / width);
    levels.count[std::min(static_cast<std::size_t>(std::max(bin, 0.0)), bins - 1)] += fine.count[i];
  }
  for (std::size_t i = 0; i < bins; ++i)
    levels.value.push_back(low + (static_cast<double>(i) + (whole ? 0 : 0.5)) * width);
  return levels;
}

}  // namespace tl::ops
