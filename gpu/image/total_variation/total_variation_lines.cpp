// Computes total-variation steps of one row: plain loops, vectorized by the compiler for the instruction set of each
// variant. Complete rows are processed, to fill vectors; the end voxels, which have fewer neighbours, are then computed
// again.
#include "gpu/image/total_variation/total_variation_lines.h"

#include "gpu/device/choose_variant.h"

namespace tl::ops {
namespace {

enum class Inertial { none, kept };

template <Inertial inertial, class T>
__attribute__((always_inline)) inline void dual_voxel(const DualLine<T>& l, int64_t i, const DualStep<T>& s,
                                                      const AxisTriple<T>& from, const AxisTriple<T>& before,
                                                      T next_x) {
  const T here = l.x.at[i], gz = (l.x.next_z[i] - here) * s.weights.z, gy = (l.x.next_y[i] - here) * s.weights.y,
          gx = (next_x - here) * s.weights.x;
  const AxisTriple<T> v = clamp_length<T>({from.z + s.step * gz, from.y + s.step * gy, from.x + s.step * gx}, s.radius);
  if constexpr (inertial == Inertial::kept) {
    l.inertial.z[i] = v.z + s.momentum * (v.z - before.z);
    l.inertial.y[i] = v.y + s.momentum * (v.y - before.y);
    l.inertial.x[i] = v.x + s.momentum * (v.x - before.x);
  }
  l.out.z[i] = v.z;
  l.out.y[i] = v.y;
  l.out.x[i] = v.x;
}

template <Inertial inertial, class T>
__attribute__((always_inline)) inline void dual_row(const DualLine<T>& given, int64_t nx, const DualStep<T>& step) {
  const DualLine<T> l = given;
  const DualStep<T> s = step;
  const int64_t last = nx - 1, count = l.end == RowEnd::readable ? nx : last;
  const AxisTriple<T> from{l.from.z[last], l.from.y[last], l.from.x[last]};
  const AxisTriple<T> before{l.out.z[last], l.out.y[last], l.out.x[last]};
#pragma GCC ivdep
  for (int64_t i = 0; i < count; ++i)
    dual_voxel<inertial, T>(l, i, s, {l.from.z[i], l.from.y[i], l.from.x[i]}, {l.out.z[i], l.out.y[i], l.out.x[i]},
                            l.x.at[i + 1]);
  dual_voxel<inertial, T>(l, last, s, from, before, l.x.at[last]);
}

template <class T>
__attribute__((always_inline)) inline void dual_line(const DualLine<T>& l, int64_t nx, const DualStep<T>& s) {
  if (l.inertial.z == nullptr)
    dual_row<Inertial::none>(l, nx, s);
  else
    dual_row<Inertial::kept>(l, nx, s);
}

template <class T>
__attribute__((always_inline)) inline void primal_line(const TransposedRow<T>& line, const T* from, T* out, T step,
                                                       T low) {
  const TransposedRow<T> r = line;
  const T first = primal_step_value(from[0], step, r.at(0), low),
          last = primal_step_value(from[r.nx - 1], step, r.at(r.nx - 1), low);
  const T* before_x = r.px - 1;
#pragma GCC ivdep
  for (int64_t i = 0; i < r.nx; ++i)
    out[i] = primal_step_value(from[i], step, r.across(i) + r.x * (before_x[i] - r.px[i]), low);
  out[r.nx - 1] = last;
  out[0] = first;
}

template <class T>
__attribute__((always_inline)) inline RowChanges changes_of_row(const T* now, const T* last, const T* before,
                                                                int64_t nx) {
  constexpr int64_t lanes = 16;
  double a[lanes] = {}, b[lanes] = {};
  int64_t i = 0;
  for (; i + lanes <= nx; i += lanes)
    for (int64_t l = 0; l < lanes; ++l) {
      const auto to_last = static_cast<double>(now[i + l] - last[i + l]),
                 to_before = static_cast<double>(now[i + l] - before[i + l]);
      a[l] += to_last * to_last;
      b[l] += to_before * to_before;
    }
  for (int64_t l = 0; i < nx; ++i, ++l) {
    const auto to_last = static_cast<double>(now[i] - last[i]), to_before = static_cast<double>(now[i] - before[i]);
    a[l] += to_last * to_last;
    b[l] += to_before * to_before;
  }
  RowChanges sum;
  for (int64_t l = 0; l < lanes; ++l) {
    sum.last += a[l];
    sum.before += b[l];
  }
  return sum;
}

}  // namespace

template <class T>
TvLines<T> tv_lines() {
  const CpuVariant best = best_cpu_variant();
  return {LoopVariants<dual_line<T>>::of(best), LoopVariants<primal_line<T>>::of(best),
          LoopVariants<changes_of_row<T>>::of(best)};
}

template TvLines<float> tv_lines();
template TvLines<double> tv_lines();

}  // namespace tl::ops
