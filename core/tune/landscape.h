// Landscape: the scores of all configurations of a space, by number: what optimisers search and graphs are made of.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "core/tune/space.h"

namespace tl::tune {

// A configuration is a cell: the mixed-radix number of its values' indices, the last parameter fastest.
class Landscape {
 public:
  // `scores` [product of sizes]: NaN for combinations that the space does not have, failed_score for those that failed.
  // `timings`: single timings of each cell, or nothing.
  Landscape(std::vector<int64_t> sizes, std::vector<double> scores, std::vector<std::vector<double>> timings = {});
  // Invalid if nothing was measured, or nothing that did not fail.
  static Result<Landscape> of(const Space& space);
  // A space that is measured while it is searched: every combination belongs to it, and there are no scores. Nothing is
  // allocated by the number of combinations (below 2^63) unless there are at most most_listed of them. `unordered`: by
  // parameter, whether its values have no order. `step`: the first step of methods for real variables, in units of the
  // range; 0: that of the parameter with most values.
  static constexpr int64_t most_listed = 1'000'000;
  static Landscape unmeasured(std::vector<int64_t> sizes, std::vector<bool> unordered, double step);

  [[nodiscard]] std::size_t dims() const { return sizes_.size(); }
  [[nodiscard]] const std::vector<int64_t>& sizes() const { return sizes_; }
  [[nodiscard]] int64_t cells() const { return cells_; }
  // Of all parameters together.
  [[nodiscard]] int64_t value_count() const;
  [[nodiscard]] bool has(int64_t cell) const;
  [[nodiscard]] bool is_unordered(std::size_t dim) const { return dim < unordered_.size() && unordered_[dim]; }
  [[nodiscard]] double step() const { return step_; }
  // NaN for what the space does not have. Not of an unmeasured one.
  [[nodiscard]] double score(int64_t cell) const { return scores_[static_cast<std::size_t>(cell)]; }
  // Single timings; empty where there are none.
  [[nodiscard]] const std::vector<double>& timings(int64_t cell) const;
  [[nodiscard]] bool has_timings() const { return !timings_.empty(); }
  // The configurations of the space, failed ones too, in order. Empty if there are more than most_listed unmeasured
  // ones.
  [[nodiscard]] const std::vector<int64_t>& members() const { return members_; }
  // The least score; failed_score if all failed.
  [[nodiscard]] double best() const { return best_; }

  [[nodiscard]] int64_t coordinate(int64_t cell, std::size_t dim) const { return cell / strides_[dim] % sizes_[dim]; }
  [[nodiscard]] int64_t with(int64_t cell, std::size_t dim, int64_t value) const {
    return cell + (value - coordinate(cell, dim)) * strides_[dim];
  }
  [[nodiscard]] std::vector<int64_t> coordinates(int64_t cell) const;
  [[nodiscard]] int64_t cell_of(const std::vector<int64_t>& coordinates) const;

 private:
  Landscape() = default;
  void set_sizes(std::vector<int64_t> sizes);

  std::vector<int64_t> sizes_, strides_;
  int64_t cells_ = 1;
  bool is_measured_ = true;
  std::vector<bool> unordered_;
  double step_ = 0;
  std::vector<double> scores_;
  std::vector<std::vector<double>> timings_;
  std::vector<int64_t> members_;
  double best_ = failed_score;
};

enum class Neighbourhood {
  bounded,   // one step in the list of values of one parameter
  circular,  // the same, where the last value and the first are neighbours too
  hamming,   // any other value of one parameter
};

// Replaces `found` by the neighbours that the space has: by parameter, lower values first.
void neighbours_of(const Landscape& landscape, int64_t cell, Neighbourhood kind, std::vector<int64_t>& found);

}  // namespace tl::tune
