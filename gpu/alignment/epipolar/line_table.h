// Integrals along the lines that cross a view from its left to its right edge, smoothed across them: a table of a view.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/device/aligned_vector.h"

namespace tl::ops {

// The table of a detector: lines y = height + slope x, with x [columns] and y [rows, up] from the middle. Slopes are
// symmetric about 0, a step moves the ends of a line by half a pixel. Heights are half a row apart, from that of the
// lowest row on, so that cubics between them lose nothing.
struct LineGrid {
  int64_t rows = 0, cols = 0;
  int64_t slopes = 0;  // odd
  double slope_step = 0;

  // All lines that leave through the left and the right edge, and what cubic interpolation needs next to them.
  static LineGrid crossing(int64_t rows, int64_t cols);
  [[nodiscard]] int64_t heights() const { return 2 * rows; }
  [[nodiscard]] int64_t size() const { return slopes * heights(); }
  [[nodiscard]] double slope(int64_t i) const { return slope_step * (static_cast<double>(i) - 0.5 * (slopes - 1.0)); }
  // Heights of a slope whose lines leave through the left and the right edge: index of the first, and after the last.
  struct Heights {
    int64_t begin = 0, end = 0;
  };
  [[nodiscard]] Heights crossing_at(double slope) const;
};

enum class LineValue {
  integral,   // sum over the columns
  derivative  // of that with respect to the height
};

// view [row, col] -> lines [slope, height] (J. Radon's transform): the sum over columns of what a Gaussian of standard
// deviation `width` [rows] about the line, or its derivative, weighs the rows with. Rows outside of the detector count
// as 0; lines that leave through top or bottom are 0. T: float or double.
//
// In two stages, which together take a fifth of the operations of one (128^2 pixels): lines through strips of columns,
// along few slopes, by a first Gaussian; whole lines from these, by a second one of less than half a row, which is
// sampled every half row. The variances of both add up to the one asked for. A view that is the same everywhere has the
// derivative 0, and a ramp its slope, to rounding.
template <class T>
class LineTable {
 public:
  LineTable(const LineGrid& grid, LineValue value, double width);
  // What a thread works in.
  struct Memory {
    AlignedVector<T> columns, strip, row, even, odd;
  };
  void lines_of(const T* view, T* lines, Memory& memory) const;
  // The exact transpose.
  void view_of(const T* lines, T* view, Memory& memory) const;

 private:
  static constexpr int64_t taps = 8;       // of the second stage; multiples of it in the first
  static constexpr int64_t margin = taps;  // half rows above and below those of the detector that a strip has
  struct Strip {
    int64_t first, last;  // columns
    double middle;        // [columns] from the middle of the detector
  };
  struct Rows {
    int64_t begin, end;
  };
  struct FromStrip {       // a line from a strip
    int64_t first, slope;  // half row of the strip for the first height of the line; first of four slopes
    T of_slopes[4], weights[taps];
  };

  void choose_strips();
  void add_first_stage(double width);
  void add_second_stage(LineValue value, double width);
  [[nodiscard]] Rows rows_of(const Strip& strip, int64_t slope) const;
  [[nodiscard]] double strip_slope(int64_t i) const {
    return static_cast<double>(i - (strip_slopes_ - 1) / 2) / static_cast<double>(strip_width_);
  }
  [[nodiscard]] int64_t stride() const { return grid_.rows + 2 * pad_; }                // of a column
  [[nodiscard]] int64_t strip_heights() const { return grid_.heights() + 2 * margin; }  // of a slope of a strip
  [[nodiscard]] int64_t first_taps() const { return 2 * half_; }
  void prepare(Memory& memory) const;
  void fill_strip(std::size_t strip, Memory& memory) const;
  void empty_strip(std::size_t strip, Memory& memory) const;

  LineGrid grid_;
  std::vector<LineGrid::Heights> heights_;  // of every slope
  std::vector<Strip> strips_;
  int64_t strip_width_ = 0, strip_slopes_ = 0, half_ = 0, pad_ = 0;
  std::vector<int64_t> first_;     // [col, slope of a strip, half row]: of a column, for row 0
  std::vector<T> first_weights_;   // [col, slope of a strip, half row, tap]
  std::vector<FromStrip> second_;  // [strip, slope]
};

}  // namespace tl::ops
