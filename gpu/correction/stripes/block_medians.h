// Loops of the search for stripes whose vector lanes are neighbouring columns: sums over views, medians over blocks of
// views.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tl::ops {

inline constexpr int64_t fetched_ahead = 8;  // [views] rows are far apart in memory, so nothing prefetches them
// Floats between the lines of second differences of `cols` columns: a multiple of a vector, with one more column.
inline int64_t scratch_stride(int64_t cols) { return cols / 16 * 16 + 16; }

// The views of one block in some neighbouring columns. Weights: one per view.
struct ViewBlock {
  int64_t cols = 0, views = 0;
  bool has_next = false;                // there is a next column in the sinogram, read for the step to it
  const float* const* lines = nullptr;  // lines of the views: lines[-2] to lines[views + fetched_ahead - 1]
  const std::array<float, 3>* second_weights = nullptr;
  const std::array<float, 5>* fourth_weights = nullptr;
  float of_mean = 0, of_second = 0, of_fourth = 0;  // factors of the sums
  float* scratch = nullptr;                         // [views, scratch_stride(cols)]
  float *mean = nullptr, *second = nullptr, *fourth = nullptr, *step = nullptr, *least = nullptr;
  float *highest = nullptr, *lowest = nullptr, *smallest = nullptr;
};

// Sets the means of the values, of the magnitudes of their second and fourth differences along the views and of the
// second differences of their steps to the next column (without one: meaningless), and the smallest non-zero difference
// to the previous view; and updates the highest and lowest mean and the smallest difference over several blocks.
void sum_view_block(const ViewBlock& block);

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
  // are parts, two of which form each window. A part is sorted once, for both windows.
  [[nodiscard]] StepMedians of_steps(const std::vector<float>& means, const std::vector<BlockWindow>& windows) const;
  // [window, column] standard errors of the medians of bends, for some columns. Bends are steps minus the neighbouring
  // steps: on the flank of a smooth body these are nearly equal. Their error is their spread divided by the root of the
  // number of median crossings: noise crosses at every second block, an object edge passing the columns once or twice.
  [[nodiscard]] std::vector<std::vector<float>> errors_of_bends(const std::vector<float>& means,
                                                                const std::vector<BlockWindow>& windows,
                                                                const std::vector<int64_t>& columns) const;

 private:
  int64_t blocks_, cols_;
};

}  // namespace tl::ops
