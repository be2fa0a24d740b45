// Finds unusable values and dead views by a vectorized check of all pixels, and fills them by a slower loop if there
// are any.
#include "gpu/correction/unusable_values.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "core/base/angle_order.h"
#include "core/base/units.h"
#include "gpu/device/cpu_variant.h"
#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

constexpr int64_t min_pixels = 8;  // smallest number of pixels of a view that may count as dead
constexpr double clearly_dark = 0.05;

// Magnitudes are ordered like their bits; infinities and NaN come last.
__attribute__((always_inline)) inline bool none_beyond(const float* values, int64_t count) {
  constexpr auto limit = static_cast<int32_t>(std::bit_cast<uint32_t>(static_cast<float>(largest_value)));
  int32_t beyond = 0;
  for (int64_t i = 0; i < count; ++i) beyond |= (std::bit_cast<int32_t>(values[i]) & 0x7fffffff) > limit ? 1 : 0;
  return beyond == 0;
}
TL_TARGET("avx2") bool none_beyond_avx2(const float* values, int64_t count) { return none_beyond(values, count); }

bool is_usable(double value) { return std::abs(value) <= largest_value; }

// Interpolates the flagged entries of a line linearly between the nearest usable ones.
template <class T>
bool fill_line(T* line, const uint8_t* flags, int64_t count) {
  int64_t before = -1;
  bool any = false;
  for (int64_t i = 0; i < count; ++i) any = any || flags[i] == 0;
  if (!any) return false;
  for (int64_t i = 0; i < count; ++i) {
    if (flags[i] == 0) {
      before = i;
      continue;
    }
    int64_t after = i;
    while (after < count && flags[after] != 0) ++after;
    for (int64_t k = i; k < after; ++k) {
      const double share = before < 0       ? 1
                           : after == count ? 0
                                            : static_cast<double>(k - before) / static_cast<double>(after - before);
      const double left = before < 0 ? 0 : static_cast<double>(line[before]);
      const double right = after == count ? 0 : static_cast<double>(line[after]);
      line[k] = static_cast<T>((before < 0 ? 0 : (1 - share) * left) + (after == count ? 0 : share * right));
    }
    i = after - 1;
  }
  return true;
}

AngleOrder order_of(int64_t views, const ScanGeometry* geometry) {
  return geometry != nullptr ? angle_order(*geometry) : angle_order(equidistant_angles(views, pi));
}

// Replacement for a part of a view: from two views, with this share of the second; before < 0: no view has it.
struct Substitutes {
  int64_t before = -1, after = -1;
  double share = 0;
};

// has: whether a view has the part.
Substitutes substitutes(const AngleOrder& order, int64_t view, const std::function<bool(int64_t)>& has) {
  const auto groups = static_cast<int64_t>(order.groups.size()), own = order.group_of[static_cast<std::size_t>(view)];
  // The nearest view in time within the group `away` groups further; -1 if none has that part.
  const auto at = [&](int64_t away) {
    const int64_t group = own + away;
    if (!order.closed && (group < 0 || group >= groups)) return int64_t{-1};
    int64_t best = -1;
    for (const int64_t v : order.groups[static_cast<std::size_t>((group % groups + groups) % groups)].views)
      if (has(v) && (best < 0 || std::abs(v - view) < std::abs(best - view))) best = v;
    return best;
  };
  const auto angle = [&](int64_t away) {
    const int64_t group = own + away, turns = group < 0 ? -1 : group >= groups ? 1 : 0;
    return order.groups[static_cast<std::size_t>(group - turns * groups)].angle + 2 * pi * static_cast<double>(turns);
  };
  Substitutes s;
  s.before = s.after = at(0);
  if (s.before >= 0) return s;
  int64_t back = 0, forth = 0;
  while (s.before < 0 && -back + 1 < groups) s.before = at(--back);
  while (s.after < 0 && forth + 1 < groups) s.after = at(++forth);
  if (s.before >= 0 && s.after >= 0) s.share = (angle(0) - angle(back)) / (angle(forth) - angle(back));
  if (s.before < 0) s.before = s.after;
  if (s.after < 0) s.after = s.before;
  return s;
}

template <class T>
UsableViews made_usable(const at::Tensor& data, double empty, const ScanGeometry* geometry) {
  const int64_t views = data.size(0), rows = data.size(1), cols = data.size(2), pixels = rows * cols;
  const T* from = data.const_data_ptr<T>();
  DeadLines dead{std::vector<uint8_t>(static_cast<std::size_t>(views * rows)),
                 constant_views(from, views, pixels, pixels)};
  std::vector<uint8_t> wrong(static_cast<std::size_t>(views));
  ops::parallel_for(0, views, 1, [&](int64_t first, int64_t last) {
    for (int64_t v = first; v < last; ++v)
      wrong[static_cast<std::size_t>(v)] = all_usable(from + v * pixels, pixels) ? 0 : 1;
  });
  const auto some = [](const std::vector<uint8_t>& flags) {
    return std::any_of(flags.begin(), flags.end(), [](uint8_t f) { return f != 0; });
  };
  UsableViews result{data, {}};
  if (!some(wrong) && !some(dead.constant_views)) return result;
  result.data = data.clone();
  T* to = result.data.template mutable_data_ptr<T>();
  for (int64_t v = 0; v < views; ++v) {
    if (wrong[static_cast<std::size_t>(v)] == 0) continue;
    const FillRowsResult filled =
        fill_rows(to + v * pixels, unusable_flags(from + v * pixels, pixels), cols, dead.rows.data() + v * rows);
    if (result.found.values == 0) {
      result.found.view = v;
      result.found.row = filled.first / cols;
      result.found.col = filled.first % cols;
    }
    result.found.values += filled.values;
  }
  fill_lines(to, rows, cols, dead, empty, geometry, result.found);
  if (!result.found.any()) result.data = data;
  return result;
}

}  // namespace

template <>
bool all_usable(const float* values, int64_t count) {
  // Works in pieces, to stop early while the loop over a piece stays simple.
  constexpr int64_t piece = 1 << 12;
  const bool wide = best_cpu_variant() != CpuVariant::plain;
  for (int64_t first = 0; first < count; first += piece) {
    const int64_t n = std::min(piece, count - first);
    if (!(wide ? none_beyond_avx2(values + first, n) : none_beyond(values + first, n))) return false;
  }
  return true;
}
template <>
bool all_usable(const double* values, int64_t count) {
  return std::all_of(values, values + count, is_usable);
}
template <>
bool all_usable(const uint16_t*, int64_t) {
  return true;
}

template <class T>
std::vector<uint8_t> constant_views(const T* data, int64_t views, int64_t stride, int64_t pixels) {
  std::vector<uint8_t> constant(static_cast<std::size_t>(views), 0);
  for (int64_t v = 0; v < views && pixels >= min_pixels; ++v) {
    const T* view = data + v * stride;
    constant[static_cast<std::size_t>(v)] =
        std::adjacent_find(view, view + pixels, std::not_equal_to<>()) == view + pixels;
  }
  return constant;
}

template <class T>
std::vector<uint8_t> unusable_flags(const T* values, int64_t count) {
  std::vector<uint8_t> flags;
  if (all_usable(values, count)) return flags;
  flags.resize(static_cast<std::size_t>(count));
  std::transform(values, values + count, flags.begin(),
                 [](T v) -> uint8_t { return is_usable(static_cast<double>(v)) ? 0 : 1; });
  return flags;
}

template <class T>
FillRowsResult fill_rows(T* values, const std::vector<uint8_t>& flags, int64_t cols, uint8_t* dead_rows) {
  FillRowsResult filled;
  const auto count = static_cast<int64_t>(flags.size());
  filled.values = std::count_if(flags.begin(), flags.end(), [](uint8_t f) { return f != 0; });
  filled.first = std::find_if(flags.begin(), flags.end(), [](uint8_t f) { return f != 0; }) - flags.begin();
  for (int64_t row = 0; row * cols < count; ++row)
    if (!fill_line(values + row * cols, flags.data() + row * cols, cols)) dead_rows[row] = 1;
  return filled;
}

template <class T>
void fill_lines(T* data, int64_t rows, int64_t cols, DeadLines& dead, double empty, const ScanGeometry* geometry,
                UnusableValues& found) {
  const auto views = static_cast<int64_t>(dead.constant_views.size());
  const int64_t pixels = rows * cols;
  const auto constant = std::count(dead.constant_views.begin(), dead.constant_views.end(), uint8_t{1});
  for (int64_t v = 0; v < views && constant > 0 && constant < views; ++v) {
    const T* view = data + v * pixels;
    const auto dark = [&](T value) { return !(std::abs(static_cast<double>(value) - empty) <= clearly_dark); };
    if (dead.constant_views[static_cast<std::size_t>(v)] == 0 || !std::any_of(view, view + pixels, dark)) continue;
    // A view filled with one unusable value has already been counted.
    if (std::count(dead.rows.begin() + v * rows, dead.rows.begin() + (v + 1) * rows, uint8_t{1}) == rows) continue;
    if (found.dead_views++ == 0) found.first_dead = v;
    std::fill_n(dead.rows.begin() + v * rows, rows, uint8_t{1});
  }
  if (std::count(dead.rows.begin(), dead.rows.end(), uint8_t{1}) == 0) return;
  const AngleOrder order = order_of(views, geometry);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t v = 0; v < views; ++v) {
      const auto has_row = [&](int64_t view) { return dead.rows[static_cast<std::size_t>(view * rows + row)] == 0; };
      if (has_row(v)) continue;
      ++found.lines;
      T* out = data + v * pixels + row * cols;
      const Substitutes from = substitutes(order, v, has_row);
      if (from.before < 0) {
        ++found.unfilled;
        std::fill_n(out, cols, static_cast<T>(empty));
        continue;
      }
      const T *a = data + from.before * pixels + row * cols, *b = data + from.after * pixels + row * cols;
      for (int64_t c = 0; c < cols; ++c)
        out[c] = static_cast<T>((1 - from.share) * static_cast<double>(a[c]) + from.share * static_cast<double>(b[c]));
    }
}

template std::vector<uint8_t> constant_views(const float*, int64_t, int64_t, int64_t);
template std::vector<uint8_t> constant_views(const double*, int64_t, int64_t, int64_t);
template std::vector<uint8_t> constant_views(const uint16_t*, int64_t, int64_t, int64_t);
template std::vector<uint8_t> unusable_flags(const float*, int64_t);
template std::vector<uint8_t> unusable_flags(const double*, int64_t);
template std::vector<uint8_t> unusable_flags(const uint16_t*, int64_t);
template FillRowsResult fill_rows(float*, const std::vector<uint8_t>&, int64_t, uint8_t*);
template FillRowsResult fill_rows(double*, const std::vector<uint8_t>&, int64_t, uint8_t*);
template void fill_lines(float*, int64_t, int64_t, DeadLines&, double, const ScanGeometry*, UnusableValues&);
template void fill_lines(double*, int64_t, int64_t, DeadLines&, double, const ScanGeometry*, UnusableValues&);

UsableViews fill_unusable_values(const at::Tensor& data, double empty, const ScanGeometry* geometry) {
  TL_CHECK(data.dim() == 3 && data.is_floating_point(), "views are [view, row, col]");
  TL_CHECK(geometry == nullptr || geometry->views() == data.size(0), "the geometry of these views");
  const at::Tensor plain = data.detach();
  if (!plain.is_cpu()) {
    // Unusable pixels are rare, so that the CPU fills them.
    if (plain.abs().le(largest_value).all().item<bool>()) return {data, {}};
    UsableViews there = fill_unusable_values(plain.cpu(), empty, geometry);
    return {there.data.to(data.device()), there.found};
  }
  const at::Tensor whole = plain.contiguous();
  UsableViews done = whole.scalar_type() == at::kFloat ? made_usable<float>(whole, empty, geometry)
                                                       : made_usable<double>(whole, empty, geometry);
  if (!done.found.any()) done.data = data;
  return done;
}

bool has_constant_view(const at::Tensor& data) {
  if (data.numel() == 0) return false;
  const at::Tensor x = data.detach();
  if (!x.is_cpu()) return x.amax({1, 2}).eq(x.amin({1, 2})).any().item<bool>();
  const at::Tensor plain = x.contiguous();
  const int64_t views = plain.size(0), pixels = plain.size(1) * plain.size(2);
  const std::vector<uint8_t> constant = plain.scalar_type() == at::kFloat
                                            ? constant_views(plain.const_data_ptr<float>(), views, pixels, pixels)
                                            : constant_views(plain.const_data_ptr<double>(), views, pixels, pixels);
  return std::find(constant.begin(), constant.end(), uint8_t{1}) != constant.end();
}

}  // namespace tl::ops
