// GaussianField: a Gaussian process over configurations of a landscape, given the scores of some of them.
#pragma once

#include <cstddef>
#include <vector>

#include "core/tune/landscape.h"

namespace tl::tune {

// Rasmussen, Williams 2006, chapter 2, with a Matern kernel of smoothness 5/2 in the coordinates of the unit cube.
// Keeps one row of the Cholesky factor's solution per evaluation, so that another evaluation costs evaluations x
// configurations. Not from several threads at a time.
class GaussianField {
 public:
  // Over these cells of the landscape; `length` is that of the kernel, `noise` a variance next to a signal of
  // variance 1.
  GaussianField(const Landscape& landscape, const std::vector<int64_t>& cells, double length, double noise);

  // Adds the configuration with this index in `cells`. It must not be there already.
  void add(std::size_t index);
  // Mean and standard deviation of all cells, for values of those that were added, in their order.
  struct Prediction {
    std::vector<double> mean, sd;
  };
  [[nodiscard]] Prediction predict(const std::vector<double>& values) const;

 private:
  [[nodiscard]] double kernel(std::size_t a, std::size_t b) const;

  std::size_t count_;
  double length_, noise_;
  std::vector<std::vector<double>> points_;  // of all cells
  std::vector<std::size_t> added_;           // indices of cells
  std::vector<std::vector<double>> rows_;    // the factor's inverse times the kernel: one row per added cell
  std::vector<double> remaining_;            // variance of each cell
  std::vector<double> pivots_;               // diagonal of the factor
};

}  // namespace tl::tune
