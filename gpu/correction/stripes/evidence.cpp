// Finds the stripes of a sinogram, their kinds and strengths, from medians over the views of differences between
// neighbouring columns.
#include "gpu/correction/stripes/evidence.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpu/correction/stripes/column_numbers.h"
#include "gpu/correction/stripes/column_values.h"
#include "gpu/correction/stripes/detection.h"
#include "gpu/correction/stripes/quantiles.h"
#include "gpu/correction/stripes/stripe_edge_pairs.h"

namespace tl::ops {
namespace {

constexpr int64_t fewest = 16;           // least number of views and of columns
constexpr int64_t fewest_of_third = 40;  // [views] in shorter thirds, the turning point of an edge looks like a stripe
constexpr int64_t trend_reach = 6;       // [columns] on either side for the trend of the object
constexpr int64_t usual_reach = 24;      // columns on either side for the usual size
constexpr int64_t near_reach = 8;        // [columns] for variations, which follow the object's shadow
constexpr double median_noise = 1.2533;  // standard error of a median relative to that of a mean
constexpr double partial_limit = 2;      // factor on the limit in windows of part of the views
constexpr double min_partial = 3e-3;     // smallest height of a partial stripe, relative to the largest value
constexpr int64_t partial_width = 8;     // largest width of a partial stripe [columns]
constexpr double min_usual = 2e-6;       // of logarithms of variations
constexpr double passing = 0.5;  // assumed fraction of the variation along the views that remains in a median over them
// Rounded counts: without noise, the error of a step can be the same in all views. Standard deviation of the difference
// of two rounded numbers, and the roughness that rounding adds to a smooth signal, in units of the rounding.
constexpr double rounded_step = 0.41, rounded_roughness = 2;

class Evidence {
 public:
  Evidence(const ColumnNumbers& numbers, const StripeSearch& search)
      : search_(search), n_(numbers), cols_(numbers.cols) {}

  std::vector<Stripe> stripes() {
    measure();
    for (std::size_t w = 0; w < n_.windows.size(); ++w)
      if (w == 0 || n_.views(n_.windows[w]) >= fewest_of_third) add_steps(w);
    add_unsteady();
    add_unrelated();
    add_broken();
    std::vector<Stripe> all = joined();
    for (Stripe& s : all)
      if (s.kind == StripeKind::partial && !follows_neighbours(s)) s.kind = StripeKind::unrelated;
    return all;
  }

 private:
  // Lists with the same window are processed together: their running medians take hardly longer than those of one list.
  void measure() {
    const auto of_steps = [&](const std::vector<double>& x) { return std::vector<double>(x.begin(), x.end() - 1); };
    for (const std::vector<double>& step : n_.step) steps_.push_back(of_steps(step));
    steps_ = less_median(std::move(steps_), trend_reach);
    for (std::size_t c = 0; c < n_.roughness.size(); ++c) {
      rough_.push_back(std::log(n_.roughness[c] + n_.tiny + rounded_roughness * n_.quantum[c]));
      // Noise of counted photons grows with the absorption: the roughness without that effect.
      counted_.push_back(rough_.back() - 0.5 * n_.middle[c]);
    }
    for (std::size_t c = 0; c + 1 < n_.roughness.size(); ++c)
      spread_.push_back(std::log(n_.step_spread[c] + n_.tiny + n_.quantum[c]));
    Lists around =
        median_filtered(Lists{of_steps(n_.step_noise), n_.whiteness, rough_, counted_, spread_}, 2 * near_reach + 1);
    white_around_ = std::move(around[1]);
    subtract(rough_, around[2]);
    subtract(counted_, around[3]);
    subtract(spread_, around[4]);
    usual_ = steps_;
    usual_.insert(usual_.end(), {rough_, spread_});
    usual_ = usual_size(std::move(usual_), usual_reach);
    usual_spread_ = std::move(usual_.back());
    usual_.pop_back();
    usual_rough_ = std::move(usual_.back());
    usual_.pop_back();
    const std::vector<double>& quiet = around[0];
    for (std::size_t w = 0; w < usual_.size(); ++w) {
      const auto views = static_cast<double>(n_.views(n_.windows[w]));
      std::vector<double>& usual = usual_[w];
      for (std::size_t i = 0; i < usual.size(); ++i) {
        const double noise = median_noise * quiet[i] / std::sqrt(views);
        usual[i] = std::max({usual[i], noise, rounded_step * n_.quantum[i]}) + n_.tiny;
      }
    }
    allow_for_changes();
  }

  [[nodiscard]] double limit_of(std::size_t window) const { return search_.limit * (window == 0 ? 1 : partial_limit); }

  // Changes along the views that remain in a median increase the usual size of steps. Computing that takes longer than
  // all other numbers: only for steps that would be edges of stripes without it, and for all windows of edges in the
  // first window and their neighbours, whose heights are compared (is_constant()).
  void allow_for_changes() {
    const auto count = static_cast<int64_t>(usual_[0].size());
    std::vector<uint8_t> compared(usual_[0].size(), 0);
    for (const int64_t i : StripeEdgePairs::edges(steps_[0], usual_[0], limit_of(0)))
      for (int64_t k = std::max<int64_t>(0, i - 1); k < std::min(count, i + 2); ++k)
        compared[static_cast<std::size_t>(k)] = 1;
    std::vector<uint8_t> any = compared;
    std::vector<std::vector<uint8_t>> wanted(usual_.size(), compared);
    for (std::size_t w = 0; w < usual_.size(); ++w)
      for (const int64_t i : StripeEdgePairs::edges(steps_[w], usual_[w], limit_of(w)))
        any[static_cast<std::size_t>(i)] = wanted[w][static_cast<std::size_t>(i)] = 1;
    const std::vector<int64_t> columns = indices_of(any);
    const Lists errors = step_errors(n_, columns);
    for (std::size_t w = 0; w < usual_.size(); ++w)
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto at = static_cast<std::size_t>(columns[i]);
        if (wanted[w][at] != 0) usual_[w][at] = std::max(usual_[w][at], passing * errors[w][i] + n_.tiny);
      }
  }

  void add_steps(std::size_t window) {
    constexpr double full_ratio = 0.45, partial_ratio = 0.6;    // smallest ratio of the smaller step to the larger
    constexpr double full_change = 0.8, partial_change = 0.35;  // variation along the views, relative to the height
    const bool all = window == 0;
    const StripeEdgePairs pairs(steps_[window], usual_[window], limit_of(window),
                                all ? search_.widest : std::min(search_.widest, partial_width),
                                all ? full_ratio : partial_ratio);
    for (Stripe s : pairs.stripes()) {
      if (!all && is_known(s)) continue;
      const Heights heights = heights_of(s, n_.windows[window]);
      if (!stays(s, heights, all ? full_change : partial_change)) continue;
      s.kind = all && (is_constant(s) || is_there_in_all_parts(heights)) ? StripeKind::level : StripeKind::partial;
      if (s.kind == StripeKind::partial && n_.views(n_.windows.back()) < fewest_of_third) continue;
      if (s.kind == StripeKind::partial && is_like_neighbouring_edges(s, n_.windows[window])) continue;
      found_.push_back(s);
    }
  }

  // Whether exactly these columns already are a level stripe at least as strong: joined() then gives the same without
  // s, whose tests take longer than those of all other steps.
  [[nodiscard]] bool is_known(const Stripe& s) const {
    bool same = false;
    for (const Stripe& f : found_) {
      if (!(f.kind == StripeKind::level && f.first < s.first + s.count && s.first < f.first + f.count)) continue;
      if (f.first != s.first || f.count != s.count || f.strength < s.strength) return false;
      same = true;
    }
    return same;
  }

  [[nodiscard]] double value(int64_t block, int64_t c) const {
    return n_.means[static_cast<std::size_t>(block * cols_ + std::clamp<int64_t>(c, 0, cols_ - 1))];
  }
  // The step from column c to the next minus the neighbouring steps.
  [[nodiscard]] double bend(int64_t block, int64_t c) const {
    return 1.5 * (value(block, c + 1) - value(block, c)) - 0.5 * (value(block, c + 2) - value(block, c - 1));
  }
  [[nodiscard]] std::vector<double> bends_of(int64_t c, const BlockWindow& window) const {
    std::vector<double> bends;
    for (int64_t b = window.begin; b < window.end; ++b) bends.push_back(bend(b, c));
    return bends;
  }

  // The mean of both steps of a stripe, minus the neighbouring steps, in each block of views.
  struct Heights {
    std::vector<double> of_block;
    double median, noise;  // noise: standard deviation, from second differences
  };
  [[nodiscard]] Heights heights_of(const Stripe& s, const BlockWindow& window) const {
    const int64_t low = s.first - 1, high = s.first + s.count - 1;
    std::vector<double> height, second;
    for (int64_t b = window.begin; b < window.end; ++b) {
      const double begins = bend(b, low), ends = bend(b, high);
      height.push_back(low < 0 ? -ends : high + 1 >= cols_ ? begins : 0.5 * (begins - ends));
    }
    for (std::size_t i = 2; i < height.size(); ++i)
      second.push_back(std::abs(height[i] - 2 * height[i - 1] + height[i - 2]));
    const double median = median_of_list(height);
    return {std::move(height), median, sigma_of_deviation * middle_of(second) / std::sqrt(6.0)};
  }

  // Whether object edges next to the stripe exceed twice its height in a tenth of the views: at its turning point an
  // edge stays in one column for part of the views.
  [[nodiscard]] bool is_like_neighbouring_edges(const Stripe& s, const BlockWindow& window) const {
    constexpr double share = 0.5, views = 0.9;
    const double height = std::max(std::abs(s.begin), std::abs(s.end));
    if (height < min_partial * n_.largest) return true;
    for (const int64_t c : {s.first - 4, s.first + s.count + 1})
      if (c >= 0 && c + 1 < cols_ && share * quantile_of_sizes(bends_of(c, window), views) > height) return true;
    return false;
  }

  // Whether the height of both steps, minus the neighbouring steps, is nearly constant over most of these views; for a
  // passing edge it varies. Its value must also agree with the height of the stripe: medians of steps that are large in
  // one half of the views and small in the other can be anywhere in between. Second differences determine the tolerance
  // for noise.
  [[nodiscard]] bool stays(const Stripe& s, const Heights& heights, double change) const {
    constexpr double most = 0.8, max_change = 0.6;  // fraction of the views of a third; fraction of the height
    constexpr double min_share = 0.4;               // a step blurred over two columns retains 0.6 of its height
    const int64_t low = s.first - 1, high = s.first + s.count - 1;
    const auto& [height, median, noise] = heights;
    const double size = std::abs(median);
    const double stated = low < 0 ? s.end : high + 1 >= cols_ ? s.begin : 0.5 * (s.begin + s.end);
    if (median * stated < min_share * stated * stated) return false;
    std::vector<double> off = height;
    for (double& h : off) h = std::abs(h - median);
    if (!(sigma_of_deviation * middle_of(off) < change * size + 1.3 * noise)) return false;
    if (std::ssize(height) == n_.blocks) return true;
    return quantile_of_sizes(std::move(off), most) < max_change * size + 2 * noise;
  }

  // Whether both steps have the same height in all windows of views.
  [[nodiscard]] bool is_constant(const Stripe& s) const {
    constexpr double changed = 0.2, sure = 4;  // relative to the height; in usual sizes
    for (std::size_t w = 1; w < n_.windows.size(); ++w)
      for (const auto& [at, height] : {std::pair{s.first - 1, s.begin}, std::pair{s.first + s.count - 1, -s.end}}) {
        if (at < 0 || at + 1 >= cols_) continue;
        const auto i = static_cast<std::size_t>(at);
        // At a blurred edge, part of the step is one column further out.
        if (std::abs(steps_[w][i] - steps_[0][i]) > std::max(changed * std::abs(height), sure * usual_[w][i]))
          return false;
      }
    return true;
  }

  // Whether a stripe far above the noise has a constant height in most of the views, and in many of every window. Edges
  // that pass the columns change the medians of steps there, but their height varies; a stripe that affects only part
  // of the views has another height in the rest.
  [[nodiscard]] bool is_there_in_all_parts(const Heights& heights) const {
    constexpr double clear = 5, near = 3;  // in units of the noise of a block
    constexpr double same = 0.1;           // of the height
    constexpr double most = 0.5, many = 0.35;
    const std::vector<double>& height = heights.of_block;
    const double median = heights.median;
    if (std::abs(median) < clear * heights.noise) return false;
    const double tolerance = std::max(same * std::abs(median), near * heights.noise);
    return std::all_of(n_.windows.begin(), n_.windows.end(), [&](const BlockWindow& w) {
      const auto there = std::count_if(height.begin() + w.begin, height.begin() + w.end,
                                       [&](double h) { return std::abs(h - median) <= tolerance; });
      return static_cast<double>(there) >= (w.size() == n_.blocks ? most : many) * static_cast<double>(w.size());
    });
  }

  // Finds columns whose roughness along the views differs from that of their surroundings.
  void add_unsteady() {
    constexpr double least = 0.47;  // ln 1.6
    constexpr double noisy = 2.5;
    const std::vector<double>& white = n_.whiteness;
    for (int64_t c = 0; c < cols_; ++c) {
      const auto i = static_cast<std::size_t>(c);
      // The object is smooth along the views, so only noise is evidence for the detector.
      if ((rough_[i] > 0 ? white[i] : white_around_[i]) < noisy || rough_[i] * counted_[i] <= 0) continue;
      const double size_off = std::min(std::abs(rough_[i]), std::abs(counted_[i]));
      if (size_off > std::max(search_.limit * usual_rough_[i], least))
        found_.push_back({c, 1, StripeKind::unsteady, 0, 0, size_off / std::max(usual_rough_[i], min_usual)});
    }
  }

  // Finds columns whose steps to both neighbours vary far more than other steps nearby.
  void add_unrelated() {
    constexpr double least = 0.92;  // ln 2.5
    constexpr int64_t farthest = 4;
    int64_t last = -1;
    double last_strength = 0;
    for (int64_t c = 0; c + 1 < cols_; ++c) {
      const auto i = static_cast<std::size_t>(c);
      if (!(spread_[i] > std::max(0.7 * search_.limit * usual_spread_[i], least))) continue;
      const double strength = spread_[i] / std::max(usual_spread_[i], min_usual);
      // At the rim of a body steps vary as much, but so do the neighbouring steps.
      const Stripe between{last + 1, c - last, StripeKind::unrelated, 0, 0, std::min(strength, last_strength)};
      if (last >= 0 && c - last <= farthest && !follows_neighbours(between) && is_bridged(between))
        found_.push_back(between);
      last = c;
      last_strength = strength;
    }
  }

  // Whether the columns on both sides are closer to each other than to the columns in between; at the rim of a body
  // they are not.
  [[nodiscard]] bool is_bridged(const Stripe& s) const {
    constexpr double closer = 0.7;
    const int64_t before = s.first - 1, after = s.first + s.count;
    if (before < 0 || after >= cols_) return false;
    std::vector<double> across_gap;
    for (int64_t b = 0; b < n_.blocks; ++b) across_gap.push_back(value(b, after) - value(b, before));
    const double across = spread_of(across_gap);
    const double in = n_.step_spread[static_cast<std::size_t>(before)],
                 out = n_.step_spread[static_cast<std::size_t>(after - 1)];
    return across < closer * std::min(in, out);
  }

  void add_broken() {
    for (int64_t c = 0; c < cols_; ++c)
      if (n_.broken[static_cast<std::size_t>(c)] != 0)
        found_.push_back({c, 1, StripeKind::unrelated, 0, 0, std::numeric_limits<double>::infinity()});
  }

  // Whether a narrow stripe is correlated along the views with the columns on both sides. If not, it contains no signal
  // of the object; outside the object, treating it as a stripe has no effect.
  [[nodiscard]] bool follows_neighbours(const Stripe& s) const {
    constexpr double least = 0.5;
    if (s.count > partial_width || s.first == 0 || s.first + s.count >= cols_) return true;
    std::vector<double> around, own;
    double around_mean = 0, own_mean = 0;
    for (int64_t b = 0; b < n_.blocks; ++b) {
      around.push_back(value(b, s.first - 1) + value(b, s.first + s.count));
      double sum = 0;
      for (int64_t i = 0; i < s.count; ++i) sum += value(b, s.first + i);
      own.push_back(sum / static_cast<double>(s.count));
      around_mean += around.back() / static_cast<double>(n_.blocks);
      own_mean += own.back() / static_cast<double>(n_.blocks);
    }
    double both = 0, a2 = 0, b2 = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      both += (around[i] - around_mean) * (own[i] - own_mean);
      a2 += (around[i] - around_mean) * (around[i] - around_mean);
      b2 += (own[i] - own_mean) * (own[i] - own_mean);
    }
    return a2 * b2 > 0 && both > least * std::sqrt(a2 * b2);
  }

  // Merges overlapping stripes into one of the most severe kind.
  [[nodiscard]] std::vector<Stripe> joined() const {
    std::vector<Stripe> sorted = found_, out;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Stripe& a, const Stripe& b) { return a.first < b.first; });
    for (const Stripe& s : sorted) {
      if (out.empty() || s.first >= out.back().first + out.back().count) {
        out.push_back(s);
        continue;
      }
      Stripe& o = out.back();
      const int64_t end = std::max(o.first + o.count, s.first + s.count);
      const bool same = o.first == s.first && o.count == s.count;
      // Overlapping stripes of different extent do not share one level in all views.
      if (s.kind == StripeKind::partial && o.kind == StripeKind::level && !same) o.kind = StripeKind::partial;
      if (s.kind >= StripeKind::unsteady) o.kind = std::max(o.kind, s.kind);
      o.strength = std::max(o.strength, s.strength);
      o.count = end - o.first;
    }
    return out;
  }

  const StripeSearch& search_;
  const ColumnNumbers& n_;
  int64_t cols_;
  Lists steps_, usual_;  // one list per window: steps minus those nearby; usual size of steps without a stripe
  // Logarithms of the roughness along the views, also without the effect of counted photons, and of the spread of
  // steps, minus those nearby, and their usual sizes.
  std::vector<double> rough_, counted_, spread_, usual_rough_, usual_spread_, white_around_;
  std::vector<Stripe> found_;
};

}  // namespace

std::vector<Stripe> find_stripes(const at::Tensor& sinogram, const StripeSearch& search) {
  return StripeFinder(search).stripes(sinogram);
}

std::vector<Stripe> StripeFinder::stripes(const at::Tensor& sinogram) {
  numbers_ = nullptr;
  if (sinogram.size(0) < fewest || sinogram.size(1) < fewest) return {};
  if (!views_ || views_->recorded != sinogram.size(0))
    views_ = std::make_shared<const ViewDifferences>(view_differences(sinogram.size(0), search_.angles));
  numbers_ = std::make_shared<ColumnNumbers>(column_numbers(sinogram, *views_));
  return found();
}

std::vector<Stripe> StripeFinder::stripes_after(const at::Tensor& sinogram, const std::vector<uint8_t>& changed) {
  if (!numbers_) return {};
  // If this finder is the only owner it moves the numbers; a copy of it would have the same ones.
  ColumnNumbers before = numbers_.use_count() == 1 ? std::move(*numbers_) : *numbers_;
  numbers_ = std::make_shared<ColumnNumbers>(column_numbers(std::move(before), sinogram, *views_, changed));
  return found();
}

std::vector<Stripe> StripeFinder::found() const {
  std::vector<Stripe> all = Evidence(*numbers_, search_).stripes();
  if (search_.spared.empty()) return all;
  const auto is_spared = [&](const Stripe& s) {
    const auto first = search_.spared.begin() + s.first;
    return std::any_of(first, first + s.count, [](uint8_t c) { return c != 0; });
  };
  all.erase(std::remove_if(all.begin(), all.end(), is_spared), all.end());
  return all;
}

std::vector<uint8_t> striped_columns(const std::vector<Stripe>& stripes, int64_t cols) {
  std::vector<uint8_t> marked(static_cast<std::size_t>(cols), 0);
  for (const Stripe& s : stripes) std::fill_n(marked.begin() + s.first, std::min(s.count, cols - s.first), uint8_t{1});
  return marked;
}

}  // namespace tl::ops
