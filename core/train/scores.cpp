// Counts pairs of true and predicted classes.
#include "core/train/scores.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

#include "core/base/macros.h"

namespace tl::train {

ConfusionMatrix::ConfusionMatrix(int64_t classes)
    : classes_(classes), counts_(static_cast<std::size_t>(classes * classes), 0) {}

void ConfusionMatrix::add(const at::Tensor& truth, const at::Tensor& found) {
  TL_CHECK(truth.numel() == found.numel(), "labels of one shape");
  const at::Tensor t = truth.to(at::kLong).contiguous(), f = found.to(at::kLong).contiguous();
  const auto *a = t.const_data_ptr<int64_t>(), *b = f.const_data_ptr<int64_t>();
  for (int64_t i = 0; i < t.numel(); ++i)
    if (a[i] >= 0) ++counts_[static_cast<std::size_t>(a[i] * classes_ + b[i])];
}

int64_t ConfusionMatrix::at(int64_t truth, int64_t found) const {
  return counts_[static_cast<std::size_t>(truth * classes_ + found)];
}

std::vector<double> ConfusionMatrix::f1() const {
  std::vector<double> scores;
  for (int64_t c = 0; c < classes_; ++c) {
    int64_t occur = 0, found = 0;
    for (int64_t k = 0; k < classes_; ++k) {
      occur += at(c, k);
      found += at(k, c);
    }
    scores.push_back(occur + found == 0 ? std::numeric_limits<double>::quiet_NaN()
                                        : 2 * static_cast<double>(at(c, c)) / static_cast<double>(occur + found));
  }
  return scores;
}

double ConfusionMatrix::macro_f1() const {
  double sum = 0;
  int64_t count = 0;
  for (const double f : f1())
    if (!std::isnan(f)) {
      sum += f;
      ++count;
    }
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

double ConfusionMatrix::accuracy() const {
  int64_t right = 0, all = 0;
  for (int64_t c = 0; c < classes_; ++c) {
    right += at(c, c);
    for (int64_t k = 0; k < classes_; ++k) all += at(c, k);
  }
  return static_cast<double>(right) / static_cast<double>(all);
}

}  // namespace tl::train
