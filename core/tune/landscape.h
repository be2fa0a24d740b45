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

  [[nodiscard]] std::size_t dims() const { return sizes_.size(); }
  [[nodiscard]] const std::vector<int64_t>& sizes() const { return sizes_; }
  [[nodiscard]] int64_t cells() const { return static_cast<int64_t>(scores_.size()); }
  // Of all parameters together.
  [[nodiscard]] int64_t value_count() const;
  [[nodiscard]] bool has(int64_t cell) const;
  // NaN for what the space does not have.
  [[nodiscard]] double score(int64_t cell) const { return scores_[static_cast<std::size_t>(cell)]; }
  // Single timings; empty where there are none.
  [[nodiscard]] const std::vector<double>& timings(int64_t cell) const;
  [[nodiscard]] bool has_timings() const { return !timings_.empty(); }
  // The configurations of the space, failed ones too, in order.
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
  std::vector<int64_t> sizes_, strides_;
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
