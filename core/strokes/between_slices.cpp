// Interpolates painted slices by signed distances to their outlines.
#include "core/strokes/between_slices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

namespace tl::strokes {
namespace {

struct Pixel {
  int64_t row = 0, col = 0;
  friend auto operator<=>(const Pixel&, const Pixel&) = default;
};
using Shape = std::vector<Pixel>;  // pixels of one slice, in ascending order

// Geometry of slices across an axis of the volume, and the edge lengths of their pixels.
struct Slicing {
  SliceAxis axis;
  double row_edge, col_edge;
  Slicing(const VolumeGrid& grid, SliceAxis across)
      : axis(across),
        row_edge(norm(across == SliceAxis::z ? grid.step_y : grid.step_z)),
        col_edge(norm(across == SliceAxis::x ? grid.step_y : grid.step_x)) {}
  [[nodiscard]] int64_t slice_of(const Voxel& v) const {
    return axis == SliceAxis::z ? v.k : axis == SliceAxis::y ? v.j : v.i;
  }
  [[nodiscard]] Pixel pixel_of(const Voxel& v) const {
    return {axis == SliceAxis::z ? v.j : v.k, axis == SliceAxis::x ? v.j : v.i};
  }
  [[nodiscard]] Voxel voxel(int64_t slice, const Pixel& p) const {
    if (axis == SliceAxis::z) return {slice, p.row, p.col};
    return axis == SliceAxis::y ? Voxel{p.row, slice, p.col} : Voxel{p.row, p.col, slice};
  }
};

struct RealBox {
  double low_row, low_col, high_row, high_col;
};
struct Point {
  double row = 0, col = 0;
};

RealBox box_of(const Shape& shape) {
  RealBox box{1e300, 1e300, -1e300, -1e300};
  for (const Pixel& p : shape) {
    const auto row = static_cast<double>(p.row), col = static_cast<double>(p.col);
    box = {std::min(box.low_row, row), std::min(box.low_col, col), std::max(box.high_row, row),
           std::max(box.high_col, col)};
  }
  return box;
}
Point centre_of(const Shape& shape) {
  Point sum;
  for (const Pixel& p : shape) {
    sum.row += static_cast<double>(p.row);
    sum.col += static_cast<double>(p.col);
  }
  const auto count = static_cast<double>(shape.size());
  return {sum.row / count, sum.col / count};
}

bool overlap(const Shape& a, const Shape& b) {
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) return true;
    *i < *j ? ++i : ++j;
  }
  return false;
}

constexpr double very_far = 1e20;

// Squared distances along a line: from f, 0 at the points meant, to the lower envelope of parabolas at the points
// `edge` apart (P. Felzenszwalb, D. Huttenlocher, Theory of Computing 8, 2012).
void lower_envelope(std::vector<double>& f, double edge, std::vector<double>& out, std::vector<std::size_t>& at,
                    std::vector<double>& from) {
  const std::size_t n = f.size();
  std::size_t last = 0;
  at[0] = 0;
  from[0] = -std::numeric_limits<double>::infinity();
  for (std::size_t q = 1; q < n; ++q) {
    const auto meet = [&](std::size_t p) {
      const double x = edge * static_cast<double>(q), y = edge * static_cast<double>(p);
      return (f[q] + x * x - f[p] - y * y) / (2 * (x - y));
    };
    double s = meet(at[last]);
    while (last > 0 && s <= from[last]) s = meet(at[--last]);
    if (s <= from[last]) {
      at[last] = q;
    } else {
      at[++last] = q;
      from[last] = s;
    }
  }
  std::size_t k = 0;
  for (std::size_t q = 0; q < n; ++q) {
    const double x = edge * static_cast<double>(q);
    while (k < last && from[k + 1] < x) ++k;
    const double d = x - edge * static_cast<double>(at[k]);
    out[q] = d * d + f[at[k]];
  }
}

// The signed distance of the pixels in a box from the outline of a shape: negative inside.
class Outline {
 public:
  Outline(const Shape& shape, const RealBox& box, const Slicing& slicing)
      : row_(static_cast<int64_t>(std::floor(box.low_row))),
        col_(static_cast<int64_t>(std::floor(box.low_col))),
        rows_(static_cast<std::size_t>(static_cast<int64_t>(std::ceil(box.high_row)) - row_ + 1)),
        cols_(static_cast<std::size_t>(static_cast<int64_t>(std::ceil(box.high_col)) - col_ + 1)) {
    std::vector<double> inside(rows_ * cols_, very_far), outside(rows_ * cols_, 0.0);
    for (const Pixel& p : shape) {
      const std::size_t at = static_cast<std::size_t>(p.row - row_) * cols_ + static_cast<std::size_t>(p.col - col_);
      inside[at] = 0;
      outside[at] = very_far;
    }
    transform(inside, slicing);
    transform(outside, slicing);
    const double half = 0.5 * std::min(slicing.row_edge, slicing.col_edge);
    distance_.resize(rows_ * cols_);
    for (std::size_t i = 0; i < distance_.size(); ++i)
      distance_[i] = static_cast<float>(inside[i] > 0 ? std::sqrt(inside[i]) - half : half - std::sqrt(outside[i]));
  }

  // Interpolated linearly between the pixels; outside the box, the value at its edge.
  [[nodiscard]] double at(double row, double col) const {
    const double r = std::clamp(row - static_cast<double>(row_), 0.0, static_cast<double>(rows_ - 1));
    const double c = std::clamp(col - static_cast<double>(col_), 0.0, static_cast<double>(cols_ - 1));
    const auto r0 = static_cast<std::size_t>(r), c0 = static_cast<std::size_t>(c);
    const std::size_t r1 = std::min(r0 + 1, rows_ - 1), c1 = std::min(c0 + 1, cols_ - 1);
    const double down = r - static_cast<double>(r0), right = c - static_cast<double>(c0);
    const auto d = [&](std::size_t i, std::size_t j) { return static_cast<double>(distance_[i * cols_ + j]); };
    return (1 - down) * ((1 - right) * d(r0, c0) + right * d(r0, c1)) +
           down * ((1 - right) * d(r1, c0) + right * d(r1, c1));
  }

 private:
  void transform(std::vector<double>& squared, const Slicing& slicing) const {
    const std::size_t most = std::max(rows_, cols_);
    std::vector<double> line, out(most), from(most + 1);
    std::vector<std::size_t> at(most + 1);
    for (std::size_t c = 0; c < cols_; ++c) {
      line.assign(rows_, 0);
      for (std::size_t r = 0; r < rows_; ++r) line[r] = squared[r * cols_ + c];
      lower_envelope(line, slicing.row_edge, out, at, from);
      for (std::size_t r = 0; r < rows_; ++r) squared[r * cols_ + c] = std::min(out[r], very_far);
    }
    for (std::size_t r = 0; r < rows_; ++r) {
      line.assign(squared.begin() + static_cast<std::ptrdiff_t>(r * cols_),
                  squared.begin() + static_cast<std::ptrdiff_t>((r + 1) * cols_));
      lower_envelope(line, slicing.col_edge, out, at, from);
      std::copy_n(out.begin(), cols_, squared.begin() + static_cast<std::ptrdiff_t>(r * cols_));
    }
  }
  int64_t row_, col_;
  std::size_t rows_, cols_;
  std::vector<float> distance_;
};

// The slices between two others.
struct Gap {
  int64_t first, last;  // slices with the shapes
  const Shape &from, &to;
};

void fill_gap(VoxelSet& set, const Gap& gap, const Slicing& slicing, LabelReader& look, const CancelToken& cancel) {
  constexpr double margin = 1;  // one pixel, so that the shape is surrounded by outside pixels
  const bool moves = !overlap(gap.from, gap.to);
  const Point a = moves ? centre_of(gap.from) : Point{}, b = moves ? centre_of(gap.to) : Point{};
  const RealBox of_a = box_of(gap.from), of_b = box_of(gap.to);
  // Around the centres.
  const RealBox box{std::min(of_a.low_row - a.row, of_b.low_row - b.row) - margin,
                    std::min(of_a.low_col - a.col, of_b.low_col - b.col) - margin,
                    std::max(of_a.high_row - a.row, of_b.high_row - b.row) + margin,
                    std::max(of_a.high_col - a.col, of_b.high_col - b.col) + margin};
  const auto box_around_centre = [&box](const Point& p) {
    return RealBox{box.low_row + p.row, box.low_col + p.col, box.high_row + p.row, box.high_col + p.col};
  };
  const Outline first(gap.from, box_around_centre(a), slicing), last(gap.to, box_around_centre(b), slicing);
  for (int64_t slice = gap.first + 1; slice < gap.last; ++slice) {
    cancel.check();
    const double t = static_cast<double>(slice - gap.first) / static_cast<double>(gap.last - gap.first);
    const Point c{a.row + t * (b.row - a.row), a.col + t * (b.col - a.col)};
    const RealBox here = box_around_centre(c);
    for (auto row = static_cast<int64_t>(std::floor(here.low_row)); static_cast<double>(row) <= here.high_row; ++row)
      for (auto col = static_cast<int64_t>(std::floor(here.low_col)); static_cast<double>(col) <= here.high_col;
           ++col) {
        const double down = static_cast<double>(row) - c.row, right = static_cast<double>(col) - c.col;
        const double d = (1 - t) * first.at(a.row + down, a.col + right) + t * last.at(b.row + down, b.col + right);
        if (d >= 0) continue;
        const Voxel v = slicing.voxel(slice, {row, col});
        if (look.at(v) == 0) set.add(v);
      }
  }
}

}  // namespace

VoxelSet between_slices(const Bricks& labels, const VolumeGrid& grid, SliceAxis axis, uint16_t number,
                        const CancelToken& cancel) {
  const Slicing slicing(grid, axis);
  std::map<int64_t, Shape> slices;
  for (const auto& [brick, content] : labels.bricks())
    for (std::size_t index = 0; index < content->numbers.size(); ++index) {
      if (content->numbers[index] != number) continue;
      const Voxel v = labels.layout().voxel(brick, index);
      slices[slicing.slice_of(v)].push_back(slicing.pixel_of(v));
    }
  for (auto& [slice, shape] : slices) std::sort(shape.begin(), shape.end());
  VoxelSet set(grid);
  LabelReader look(labels);
  for (auto next = slices.begin(), before = next; next != slices.end(); before = next++)
    if (next->first > before->first + 1)
      fill_gap(set, {before->first, next->first, before->second, next->second}, slicing, look, cancel);
  return set;
}

}  // namespace tl::strokes
