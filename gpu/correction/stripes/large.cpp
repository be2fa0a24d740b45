// Removes large stripes: sorts the columns, finds outlying levels, and replaces values by those of equal rank in the
// nearest good columns; one sinogram at a time.
#include "gpu/correction/stripes/large.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "gpu/correction/sinograms.h"
#include "gpu/correction/stripes/column_values.h"
#include "gpu/correction/stripes/sorted_columns.h"
#include "gpu/image/mirrored_index.h"

namespace tl::ops {
namespace {

constexpr double min_stripe = 5e-3;  // relative to the level; weaker stripes are left to the sorting
constexpr double same_stripe = 0.2;  // columns above this fraction of the strongest stripe are treated in the same pass
constexpr int max_passes = 20;

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end(), nan_last);
  return *middle;
}

// The values extended by `half` at both ends: point-reflected about the median of the five outermost, so that slopes
// continue; mirrored if there are too few values.
std::vector<double> prolonged(const std::vector<double>& values, int64_t half) {
  constexpr int64_t outermost = 5;
  const auto n = static_cast<int64_t>(values.size());
  const auto pivot = [&](int64_t first) {
    std::vector<double> few(values.begin() + first, values.begin() + first + outermost);
    return median_of(few);
  };
  const bool turned = n >= outermost;
  const double left = turned ? pivot(0) : 0, right = turned ? pivot(n - outermost) : 0;
  std::vector<double> out;
  for (int64_t i = -half; i < n + half; ++i) {
    const int64_t beyond = i < 0 ? outermost - 1 - i : i < n ? i : 2 * n - outermost - 1 - i;
    const double value = values[static_cast<std::size_t>(mirrored_index(turned ? beyond : i, n))];
    out.push_back(!turned || (i >= 0 && i < n) ? value : 2 * (i < 0 ? left : right) - value);
  }
  return out;
}

// Difference of each value from the median of the means of symmetric pairs around it, in which slopes cancel. NaN stays
// NaN: such a column is a stripe.
std::vector<double> deviation_from_surroundings(const std::vector<double>& values, int64_t size) {
  const auto n = static_cast<int64_t>(values.size()), half = std::max<int64_t>(1, size / 2);
  const std::vector<double> wide = prolonged(values, half);
  const auto at = [&](int64_t i) { return wide[static_cast<std::size_t>(i + half)]; };
  std::vector<double> out, pairs;
  for (int64_t i = 0; i < n; ++i) {
    pairs.clear();
    for (int64_t k = 1; k <= half; ++k) pairs.push_back(0.5 * (at(i - k) + at(i + k)));
    out.push_back(at(i) - median_of(pairs));
  }
  return out;
}

// Unmarks runs of columns whose profile is not a box above (or below) the straight line between their surroundings;
// these belong to the object. A stripe begins and ends within two columns at more than half of its height.
void keep_boxes(std::vector<uint8_t>& marked, const std::vector<double>& level) {
  const auto n = static_cast<int64_t>(marked.size());
  const auto at = [&](int64_t i) { return level[static_cast<std::size_t>(std::clamp<int64_t>(i, 0, n - 1))]; };
  for (int64_t first = 0; first < n; ++first) {
    if (marked[static_cast<std::size_t>(first)] == 0) continue;
    int64_t last = first;
    while (last + 1 < n && marked[static_cast<std::size_t>(last + 1)] != 0) ++last;
    const double a = at(first - 2), slope = (at(last + 2) - a) / static_cast<double>(last - first + 4);
    const auto height = [&](int64_t i) { return at(i) - a - slope * static_cast<double>(i - first + 2); };
    double most = 0;
    for (int64_t i = first; i <= last; ++i)
      if (std::abs(height(i)) > std::abs(most)) most = height(i);
    const auto begins = [&](int64_t i, int64_t j) { return std::max(height(i) / most, height(j) / most) > 0.5; };
    const bool box = most != 0 && begins(first, std::min(first + 1, last)) && begins(last, std::max(last - 1, first));
    if (!box) std::fill(marked.begin() + first, marked.begin() + last + 1, uint8_t{0});
    first = last;
  }
}

std::vector<double> to_list(const at::Tensor& t) {
  const at::Tensor plain = t.detach().to(at::kDouble).contiguous();
  return {plain.const_data_ptr<double>(), plain.const_data_ptr<double>() + plain.numel()};
}

double mean_size(const std::vector<double>& values) {
  double sum = 0, count = 0;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    sum += std::abs(v);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

template <class T>
SortedColumns<T> sorted_columns(const at::Tensor& sinogram) {
  SortedColumns<T> sorted(sinogram.size(0), sinogram.size(1));
  sorted.sort(sinogram.const_data_ptr<T>(), sinogram.size(1));
  return sorted;
}

// Replaces the marked columns by values of equal rank from the nearest unmarked ones.
template <class T>
at::Tensor replaced(const at::Tensor& sinogram, const at::Tensor& others, const SortedColumns<T>& sorted,
                    const std::vector<uint8_t>& marked) {
  const std::vector<ColumnNeighbours> gaps = gaps_between(marked);
  const std::vector<int64_t> columns = gaps.empty() ? std::vector<int64_t>{} : indices_of(marked);
  if (columns.empty()) return others;
  const int64_t views = sinogram.size(0), cols = sinogram.size(1), count = static_cast<int64_t>(columns.size());
  at::Tensor left = at::empty({views, count}, at::kLong), right = at::empty({views, count}, at::kLong);
  std::vector<double> share;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t c = columns[static_cast<std::size_t>(i)];
    const ColumnNeighbours& gap = gaps[static_cast<std::size_t>(c)];
    share.push_back(gap.share);
    for (int64_t rank = 0; rank < views; ++rank) {
      const int64_t to = sorted.view_of(c, rank) * count + i;
      left.mutable_data_ptr<int64_t>()[to] = sorted.view_of(gap.left, rank) * cols + gap.left;
      right.mutable_data_ptr<int64_t>()[to] = sorted.view_of(gap.right, rank) * cols + gap.right;
    }
  }
  const at::Tensor values = others.reshape({-1});
  const auto take = [&](const at::Tensor& from) {
    return values.index_select(0, from.view({-1})).view({views, count});
  };
  const at::Tensor a = take(left), b = take(right);
  const at::Tensor filled = a + at::tensor(share, at::kDouble).to(sinogram.scalar_type()) * (b - a);
  return with_columns(others, columns, filled);
}

class LargeStripes {
 public:
  explicit LargeStripes(const LargeStripeSpec& spec) : spec_(spec) {}

  at::Tensor operator()(const at::Tensor& sinogram) {
    const at::Tensor plain = sinogram.detach().contiguous();
    return plain.scalar_type() == at::kFloat ? clean(sinogram, sorted_columns<float>(plain))
                                             : clean(sinogram, sorted_columns<double>(plain));
  }
  [[nodiscard]] int64_t columns() const { return columns_; }

 private:
  template <class T>
  at::Tensor clean(const at::Tensor& sinogram, const SortedColumns<T>& sorted) {
    const at::Tensor level = levels(sinogram, sorted);
    const std::vector<uint8_t> found = stripes_in(to_list(level));
    for (const uint8_t f : found) columns_ += f;
    const at::Tensor others = spec_.levels == ColumnLevels::level ? levelled(sinogram, level) : sinogram;
    return replaced(sinogram, others, sorted, with_neighbour_columns(found));
  }
  // The strongest stripes are treated first: next to a wide one on a slope, good columns deviate in the opposite
  // direction until it is interpolated.
  [[nodiscard]] std::vector<uint8_t> stripes_in(const std::vector<double>& level) const {
    std::vector<uint8_t> marked;
    marked.reserve(level.size());
    for (const double v : level) marked.push_back(std::isfinite(v) ? 0 : 1);
    const double scale = mean_size(level);
    std::vector<bool> objects(level.size(), false);  // deviate, but are not stripes
    for (int pass = 0; pass < max_passes; ++pass) {
      const std::vector<double> bridge = bridged(level, marked), odd = oddness(bridge, scale);
      const std::vector<uint8_t> found = detect_stripes(odd, {spec_.snr, min_of(scale)});
      double strongest = 0;
      for (std::size_t c = 0; c < odd.size(); ++c)
        if (found[c] != 0 && marked[c] == 0 && !objects[c] && std::abs(odd[c]) > std::abs(strongest))
          strongest = odd[c];
      if (strongest == 0) break;
      std::vector<uint8_t> pass_marks(odd.size(), 0);
      for (std::size_t c = 0; c < odd.size(); ++c)
        pass_marks[c] = found[c] != 0 && marked[c] == 0 && odd[c] / strongest >= same_stripe ? 1 : 0;
      const std::vector<uint8_t> candidates = pass_marks;
      keep_boxes(pass_marks, bridge);
      for (std::size_t c = 0; c < odd.size(); ++c) {
        if (pass_marks[c] != 0) marked[c] = 1;
        objects[c] = objects[c] || (candidates[c] != 0 && pass_marks[c] == 0);
      }
    }
    return marked;
  }
  [[nodiscard]] double min_of(double scale) const {
    return spec_.model == StripeModel::gain ? min_stripe : min_stripe * scale;
  }
  [[nodiscard]] std::vector<double> oddness(const std::vector<double>& level, double scale) const {
    std::vector<double> odd = deviation_from_surroundings(level, spec_.size);
    if (spec_.model == StripeModel::offset) return odd;
    for (std::size_t c = 0; c < level.size(); ++c) {
      // If the level itself is near zero, a ratio is meaningless.
      const double usual = level[c] - odd[c];
      odd[c] = std::abs(usual) > min_stripe * scale ? odd[c] / usual : 0;
    }
    return odd;
  }
  // The levels, interpolated linearly across marked columns and their neighbours.
  [[nodiscard]] static std::vector<double> bridged(const std::vector<double>& level,
                                                   const std::vector<uint8_t>& marked) {
    const std::vector<uint8_t> wide = with_neighbour_columns(marked);
    const std::vector<ColumnNeighbours> gaps = gaps_between(wide);
    std::vector<double> out = level;
    for (std::size_t c = 0; c < gaps.size(); ++c) {
      if (wide[c] == 0) continue;
      const double a = level[static_cast<std::size_t>(gaps[c].left)],
                   b = level[static_cast<std::size_t>(gaps[c].right)];
      out[c] = a + gaps[c].share * (b - a);
    }
    return out;
  }
  // Mean of the middle ranks of each column, in float64.
  template <class T>
  [[nodiscard]] at::Tensor levels(const at::Tensor& sinogram, const SortedColumns<T>& sorted) const {
    const int64_t views = sinogram.size(0), cols = sinogram.size(1);
    const auto dropped = static_cast<int64_t>(spec_.drop * static_cast<double>(views));
    at::Tensor middle = at::zeros({views, cols}, at::kBool);
    auto* m = middle.mutable_data_ptr<bool>();
    for (int64_t c = 0; c < cols; ++c)
      for (int64_t rank = dropped; rank < views - dropped; ++rank) m[sorted.view_of(c, rank) * cols + c] = true;
    return at::where(middle, sinogram.to(at::kDouble), at::zeros({}, at::kDouble)).sum(at::IntArrayRef{0}) /
           static_cast<double>(views - 2 * dropped);
  }
  // Shifts or scales every column to the median level around it.
  [[nodiscard]] at::Tensor levelled(const at::Tensor& sinogram, const at::Tensor& level) const {
    const int64_t cols = level.size(0);
    const std::vector<double> own = to_list(level);
    std::vector<int64_t> source;  // the column whose level is the median
    for (int64_t c = 0; c < cols; ++c) {
      std::vector<int64_t> window;
      for (int64_t k = c - spec_.size / 2; k <= c + spec_.size / 2; ++k) window.push_back(mirrored_index(k, cols));
      const auto middle = window.begin() + static_cast<std::ptrdiff_t>(window.size() / 2);
      std::nth_element(window.begin(), middle, window.end(), [&](int64_t a, int64_t b) {
        return nan_last(own[static_cast<std::size_t>(a)], own[static_cast<std::size_t>(b)]);
      });
      source.push_back(*middle);
    }
    const at::Tensor usual = level.index_select(0, at::tensor(source, at::kLong));
    if (spec_.model == StripeModel::offset) return sinogram + (usual - level).to(sinogram.scalar_type());
    const at::Tensor good = level.detach().mul(usual.detach()).gt(0), one = at::ones_like(level);
    return sinogram * (usual.where(good, one) / level.where(good, one)).to(sinogram.scalar_type());
  }

  const LargeStripeSpec& spec_;
  int64_t columns_ = 0;
};

}  // namespace

std::vector<ColumnNeighbours> gaps_between(const std::vector<uint8_t>& marked) {
  const auto cols = static_cast<int64_t>(marked.size());
  std::vector<ColumnNeighbours> gaps(marked.size(), {-1, -1, 0});
  int64_t last = -1;
  for (int64_t c = 0; c < cols; ++c) {
    if (marked[static_cast<std::size_t>(c)] == 0) last = c;
    gaps[static_cast<std::size_t>(c)].left = last;
  }
  last = -1;
  for (int64_t c = cols - 1; c >= 0; --c) {
    if (marked[static_cast<std::size_t>(c)] == 0) last = c;
    gaps[static_cast<std::size_t>(c)].right = last;
  }
  for (int64_t c = 0; c < cols; ++c) {
    ColumnNeighbours& g = gaps[static_cast<std::size_t>(c)];
    if (g.left < 0 && g.right < 0) return {};
    if (g.left < 0) g.left = g.right;
    if (g.right < 0) g.right = g.left;
    if (g.right > g.left) g.share = static_cast<double>(c - g.left) / static_cast<double>(g.right - g.left);
  }
  return gaps;
}

at::Tensor values_of_equal_rank(const at::Tensor& sinogram, const std::vector<uint8_t>& marked) {
  // Only marked columns and those from which their values come are sorted.
  const std::vector<uint8_t> wanted = with_neighbour_columns(marked);
  const std::vector<int64_t> columns = indices_of(wanted);
  if (columns.empty()) return sinogram;
  std::vector<uint8_t> of_wanted;
  for (const int64_t c : columns) of_wanted.push_back(marked[static_cast<std::size_t>(c)]);
  const at::Tensor some = columns_at(sinogram, columns), plain = some.detach();
  return with_columns(sinogram, columns,
                      plain.scalar_type() == at::kFloat
                          ? replaced(some, some, sorted_columns<float>(plain), of_wanted)
                          : replaced(some, some, sorted_columns<double>(plain), of_wanted));
}

Result<StripeRemovalResult> remove_large_stripes(const at::Tensor& projections, const LargeStripeSpec& spec) {
  const std::string where = "removal of large stripes";
  TL_TRY(check_projections(projections, where));
  TL_TRY(check_window(spec.size, "columns", where));
  if (!(spec.drop >= 0) || spec.drop > 0.45) return invalid("the dropped share must be 0 to 0.45", where);
  if (!(spec.snr > 0)) return invalid("the sensitivity must be positive", where);
  LargeStripes method(spec);
  StripeRemovalResult result;
  result.projections = map_sinograms(projections, spec.cancel, [&](const at::Tensor& s) { return method(s); });
  result.columns = method.columns();
  return result;
}

}  // namespace tl::ops
