// Loops of the search for stripes whose lanes are neighbouring columns: sums over views, medians over blocks of views.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tl::ops {

// One view of a block. x: the view with two before and two after it.
struct ViewLine {
  int64_t cols;
  float* second;  // scratch, cols + 1: second differences of this view, and 0
  float *mean, *second_sum, *fourth_sum, *step_sum, *least;
  const float* ahead;  // a later view, which is fetched from memory meanwhile
  std::array<const float*, 5> x{};
  std::array<float, 3> second_weights{};
  std::array<float, 5> fourth_weights{};
};

// Adds the values, the magnitudes of their differences along the views and of the second differences of their steps
// between columns, of which the last one is meaningless; and takes the smallest difference to the view before that is
// not 0.
void add_view(const ViewLine& line);
void scale(float* values, int64_t count, float factor);

struct BlockWindow {
  int64_t begin, end;  // blocks
  [[nodiscard]] int64_t size() const { return end - begin; }
};

struct StepMedians {
  std::vector<std::vector<float>> step;  // per window: median over its blocks of the step to the next column
  std::vector<float> spread;             // median of |step - its median| over all blocks
};

// Medians over the blocks of [block, col]: the element in the middle, the upper one of two. The last column has no step
// to a next one: 0.
class BlockMedians {
 public:
  BlockMedians(int64_t blocks, int64_t cols) : blocks_(blocks), cols_(cols) {}

  [[nodiscard]] std::vector<float> of(const float* values) const;
  // The first window is all blocks. The others, if there are any, overlap by half: between neighbouring begins and ends
  // lie parts of which each window has two. A part is sorted once, for both.
  [[nodiscard]] StepMedians of_steps(const std::vector<float>& means, const std::vector<BlockWindow>& windows) const;
  // Standard errors of the medians of bends, of some columns. Bends are steps minus the neighbouring steps: the flank
  // of a smooth body has much the same step there. Their error is their spread over the root of the number of median
  // crossings: noise crosses at every second block, an object edge passing the columns once or twice.
  [[nodiscard]] std::vector<float> errors_of_bends(const std::vector<float>& means, const BlockWindow& window,
                                                   const std::vector<int64_t>& columns) const;

 private:
  int64_t blocks_, cols_;
};

}  // namespace tl::ops
