// Computes several total-variation steps in one pass. The planes of a volume pass through all steps in a pipeline: step
// g processes plane n - g while the first one processes plane n. Each thread handles a range of planes, and also
// computes a few planes beyond its ends on copies made before anything changes: threads do not wait for each other, and
// results do not depend on their number.
#include "gpu/image/total_variation/total_variation_sweep.h"

#include <algorithm>
#include <array>

#include "gpu/device/aligned_vector.h"
#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

constexpr int64_t min_planes = 8;  // per thread; in addition it computes about one plane per step
constexpr int64_t row_pad = 16;    // elements after a row of a step's volume; read, but not used

// Planes perpendicular to the longer of z and y: smaller planes, and more of them.
struct PlaneLayout {
  explicit PlaneLayout(const VoxelShape& s)
      : along_z(s.nz >= s.ny),
        planes(along_z ? s.nz : s.ny),
        lines(along_z ? s.ny : s.nz),
        nx(s.nx),
        plane_stride(along_z ? s.plane() : s.nx),
        line_stride(along_z ? s.nx : s.plane()) {}
  bool along_z;
  int64_t planes, lines, nx, plane_stride, line_stride;
  [[nodiscard]] int64_t offset(int64_t plane, int64_t line) const { return plane * plane_stride + line * line_stride; }
};

// One array as accessed by a thread: its own planes in place, neighbouring ones as copies.
template <class T>
struct PlaneView {
  T *whole = nullptr, *low = nullptr, *high = nullptr;

  [[nodiscard]] T* row(const PlaneLayout& l, int64_t begin, int64_t end, int64_t low_planes, int64_t plane,
                       int64_t line) const {
    if (plane < begin) return low + ((plane - begin + low_planes) * l.lines + line) * l.nx;
    if (plane >= end) return high + ((plane - end) * l.lines + line) * l.nx;
    return whole + l.offset(plane, line);
  }
};

// The arrays: the volume to be denoised, the three components of the dual, and those of its extrapolation.
enum ArrayIndex : std::size_t { the_point, the_dual, the_inertial = the_dual + 3, array_count = the_inertial + 3 };

template <class T>
class PlaneRun {
 public:
  PlaneRun(const SweepTask<T>& task, const std::vector<SweepStep<T>>& steps, const PlaneLayout& layout, int64_t begin,
           int64_t end)
      : t_(task),
        steps_(steps),
        l_(layout),
        begin_(begin),
        end_(end),
        count_(static_cast<int64_t>(steps.size())),
        low_planes_(std::min(begin, count_ + 1)),
        high_planes_(std::min(layout.planes - end, count_)),
        trial_row_(layout.nx + row_pad) {
    const int64_t n = task.shape.count();
    // The point is only read; const is cast away because the arrays share one type.
    arrays_[the_point].whole = const_cast<T*>(task.point);
    for (std::size_t c = 0; c < 3; ++c) {
      arrays_.at(the_dual + c).whole = task.dual + static_cast<int64_t>(c) * n;
      if (task.inertial != nullptr) arrays_.at(the_inertial + c).whole = task.inertial + static_cast<int64_t>(c) * n;
    }
  }

  // Must be called before any thread changes an array.
  void copy_neighbours() {
    const int64_t plane = l_.lines * l_.nx;
    copies_.resize(static_cast<std::size_t>((low_planes_ + high_planes_) * plane * int64_t{array_count}));
    T* to = copies_.data();
    for (PlaneView<T>& a : arrays_) {
      if (a.whole == nullptr) continue;
      a.low = to;
      for (int64_t p = begin_ - low_planes_; p < begin_; ++p) to = copy_plane(a, p, to);
      a.high = to;
      for (int64_t p = end_; p < end_ + high_planes_; ++p) to = copy_plane(a, p, to);
    }
  }

  void run() {
    trials_.resize(static_cast<std::size_t>(2 * count_ * l_.lines * trial_row_));
    // Step g computes the dual of planes [first(g), last(g)); each later step computes one plane less at either end.
    for (int64_t n = first(0); n < end_ + count_; ++n) {
      t_.cancel.check();
      for (int64_t g = 0; g < count_; ++g) {
        const int64_t plane = n - g;
        if (plane >= first(g) && plane <= last(g) && plane < l_.planes) make_trial(g, plane);
        if (plane - 1 >= first(g) && plane - 1 < last(g)) make_dual(g, plane - 1);
      }
      if (n - count_ >= begin_ && n - count_ < end_) make_out(n - count_);
    }
  }

 private:
  [[nodiscard]] int64_t first(int64_t g) const { return std::max<int64_t>(0, begin_ - count_ + g); }
  [[nodiscard]] int64_t last(int64_t g) const { return std::min(l_.planes, end_ + count_ - 1 - g); }

  T* copy_plane(const PlaneView<T>& a, int64_t plane, T* to) const {
    for (int64_t i = 0; i < l_.lines; ++i, to += l_.nx) std::copy_n(a.whole + l_.offset(plane, i), l_.nx, to);
    return to;
  }
  [[nodiscard]] T* row(std::size_t array, int64_t plane, int64_t line) const {
    return arrays_[array].row(l_, begin_, end_, low_planes_, plane, line);
  }
  [[nodiscard]] T* trial(int64_t g, int64_t plane, int64_t line) {
    return trials_.data() + ((2 * g + plane % 2) * l_.lines + line) * trial_row_;
  }

  // The transposed differences of the dual vectors that start at index `array`.
  [[nodiscard]] TransposedRow<T> transposed(std::size_t array, int64_t plane, int64_t line) const {
    const std::size_t z = array, y = array + 1;
    const AxisWeights<T>& w = t_.weights;
    const bool not_first = plane > 0, not_last = plane + 1 < l_.planes;
    const bool line_not_first = line > 0, line_not_last = line + 1 < l_.lines;
    const int64_t plane_before = not_first ? plane - 1 : plane, line_before = line_not_first ? line - 1 : line;
    const AxisTriple<const T*> here{row(z, plane, line), row(y, plane, line), row(array + 2, plane, line)};
    const T zero = 0;
    if (l_.along_z)
      return {here,
              row(z, plane_before, line),
              row(y, plane, line_before),
              {not_last ? w.z : zero, line_not_last ? w.y : zero, w.x},
              {not_first ? w.z : zero, line_not_first ? w.y : zero, w.x},
              l_.nx};
    return {here,
            row(z, plane, line_before),
            row(y, plane_before, line),
            {line_not_last ? w.z : zero, not_last ? w.y : zero, w.x},
            {line_not_first ? w.z : zero, not_first ? w.y : zero, w.x},
            l_.nx};
  }
  [[nodiscard]] std::size_t source(int64_t g) const {
    return steps_[static_cast<std::size_t>(g)].source == SweepStep<T>::Source::dual ? the_dual : the_inertial;
  }
  [[nodiscard]] AxisTriple<T*> vectors(std::size_t array, int64_t plane, int64_t line) const {
    return {row(array, plane, line), row(array + 1, plane, line), row(array + 2, plane, line)};
  }

  void make_trial(int64_t g, int64_t plane) {
    for (int64_t i = 0; i < l_.lines; ++i)
      lines_.primal(transposed(source(g), plane, i), row(the_point, plane, i), trial(g, plane, i), t_.strength, t_.low);
  }
  void make_dual(int64_t g, int64_t plane) {
    const SweepStep<T>& step = steps_[static_cast<std::size_t>(g)];
    for (int64_t i = 0; i < l_.lines; ++i) {
      const T *here = trial(g, plane, i), *next_plane = plane + 1 < l_.planes ? trial(g, plane + 1, i) : here,
              *next_line = i + 1 < l_.lines ? trial(g, plane, i + 1) : here;
      const AxisTriple<T*> from = vectors(source(g), plane, i);
      lines_.dual(
          {l_.along_z ? DifferenceRow<T>(here, next_line, next_plane) : DifferenceRow<T>(here, next_plane, next_line),
           RowEnd::readable,
           {from.z, from.y, from.x},
           vectors(the_dual, plane, i),
           step.inertial ? vectors(the_inertial, plane, i) : AxisTriple<T*>{}},
          l_.nx, step.dual);
    }
  }
  void make_out(int64_t plane) {
    for (int64_t i = 0; i < l_.lines; ++i) {
      const int64_t at = l_.offset(plane, i);
      lines_.primal(transposed(the_dual, plane, i), row(the_point, plane, i), t_.out + at, t_.strength, t_.low);
      if (t_.changes != nullptr)
        (*t_.changes)[static_cast<std::size_t>(at / l_.nx)] =
            lines_.changes(t_.out + at, trial(count_ - 1, plane, i), t_.before + at, l_.nx);
    }
  }

  const SweepTask<T>& t_;
  const std::vector<SweepStep<T>>& steps_;
  const PlaneLayout& l_;
  int64_t begin_, end_, count_, low_planes_, high_planes_, trial_row_;
  TvLines<T> lines_ = tv_lines<T>();
  std::array<PlaneView<T>, array_count> arrays_{};
  AlignedVector<T> copies_, trials_;
};

}  // namespace

template <class T>
void tv_sweep(const SweepTask<T>& task, const std::vector<SweepStep<T>>& steps) {
  const PlaneLayout layout(task.shape);
  static constinit LoopHistory history;
  const LoopThreads loop(history, static_cast<double>(layout.planes * layout.lines * layout.nx * std::ssize(steps)));
  const int64_t runs = std::clamp<int64_t>(layout.planes / min_planes, 1, ops::threads_of_loop());
  std::vector<PlaneRun<T>> all;
  all.reserve(static_cast<std::size_t>(runs));
  for (int64_t r = 0; r < runs; ++r)
    all.emplace_back(task, steps, layout, layout.planes * r / runs, layout.planes * (r + 1) / runs);
  for (PlaneRun<T>& r : all) r.copy_neighbours();
  ops::parallel_for(0, runs, 1, [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r) all[static_cast<std::size_t>(r)].run();
  });
}

template void tv_sweep(const SweepTask<float>&, const std::vector<SweepStep<float>>&);
template void tv_sweep(const SweepTask<double>&, const std::vector<SweepStep<double>>&);

}  // namespace tl::ops
