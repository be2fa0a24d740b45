// ConfusionMatrix: how often each class was taken for which, and the F1 scores that follow.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace tl::train {

class ConfusionMatrix {
 public:
  explicit ConfusionMatrix(int64_t classes);
  // Class indices of equal shape; pixels whose truth is below 0 are ignored.
  void add(const at::Tensor& truth, const at::Tensor& found);
  [[nodiscard]] int64_t at(int64_t truth, int64_t found) const;
  // 2 tp / (2 tp + fp + fn) of each class; NaN for a class that neither occurs nor was predicted.
  [[nodiscard]] std::vector<double> f1() const;
  // Mean over the classes whose score is defined.
  [[nodiscard]] double macro_f1() const;
  [[nodiscard]] double accuracy() const;

 private:
  int64_t classes_;
  std::vector<int64_t> counts_;  // [truth, found]
};

}  // namespace tl::train
