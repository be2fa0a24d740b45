// Finds the stripes of a sinogram, their kinds and strengths, from medians over the views of differences between
// neighbouring columns.
#include "gpu/correction/stripes/evidence.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gpu/correction/sinograms.h"
#include "gpu/correction/stripes/detection.h"
#include "gpu/correction/stripes/stripe_edge_pairs.h"

namespace tl::ops {
namespace {

constexpr int64_t fewest = 16;           // least number of views and of columns
constexpr int64_t fewest_of_third = 40;  // views: in shorter thirds, the turning point of an edge looks like a stripe
constexpr int64_t most_views = 360;      // more are averaged in groups, giving 360 to 720
constexpr int64_t trend_reach = 6;       // columns on either side for the trend of the object
constexpr int64_t usual_reach = 24;      // columns on either side for the usual size
constexpr int64_t near_reach = 8;        // the same for variations, which follow the object's shadow
constexpr double to_sigma = 1.4826;      // median of absolute deviations -> standard deviation
constexpr double of_median = 1.2533;     // standard error of a median relative to that of a mean
constexpr double partial_limit = 2;      // in part of the views the limit is higher by this factor
constexpr double least_partial = 3e-3;   // least height of a partial stripe, relative to the largest value
constexpr int64_t partial_width = 8;     // largest width of a partial stripe [columns]
constexpr double least_noise = 2e-6;     // relative to the largest value: rounding of float32 and of earlier steps
constexpr double passing = 0.5;  // fraction of the variation along the views assumed to remain in a median over them

double middle_of(std::vector<double>& values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

std::vector<double> less_median(const std::vector<double>& values, int64_t reach) {
  const std::vector<double> usual = median_filtered(values, 2 * reach + 1);
  std::vector<double> out(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) out[i] = values[i] - usual[i];
  return out;
}

std::vector<double> usual_size(const std::vector<double>& values, int64_t reach) {
  std::vector<double> sizes(values.size());
  std::transform(values.begin(), values.end(), sizes.begin(), [](double v) { return std::abs(v); });
  std::vector<double> out = median_filtered(sizes, 2 * reach + 1);
  for (double& v : out) v *= to_sigma;
  return out;
}

struct Window {
  int64_t begin, end;
  [[nodiscard]] int64_t size() const { return end - begin; }
};

// All views, then five thirds that overlap by half.
std::vector<Window> windows_of(int64_t views) {
  std::vector<Window> all{{0, views}};
  const int64_t third = views / 3;
  if (third < fewest) return all;
  for (const int64_t begin : {int64_t{0}, third / 2, third, 3 * third / 2, 2 * third})
    all.push_back({begin, begin + third});
  return all;
}

// Medians of one column and of the step to the next one.
struct ColumnNumbers {
  std::array<double, 6> step{};     // median over each window
  std::array<double, 6> passing{};  // standard error of that median due to changes along the views
  double step_noise = 0;            // noise of the step in one view
  double roughness = 0;             // median of |second differences along the views|
  double whiteness = 0;             // |fourth differences| over roughness: 3.4 for noise, < 1 for smooth signals
  double step_spread = 0;           // median of |step - its median|
};

// [col, view]; views averaged in groups, columns that are not finite replaced by the previous one.
struct Prepared {
  at::Tensor columns;
  double largest, tiny;  // largest: value; tiny: variation that counts as none
  std::vector<uint8_t> broken;
};

Prepared prepare(const at::Tensor& sinogram) {
  at::Tensor x = sinogram.detach().to(at::kDouble);
  const int64_t views = x.size(0), group = std::max<int64_t>(1, views / most_views);
  x = x.narrow(0, 0, views / group * group).view({-1, group, x.size(1)}).mean(at::IntArrayRef{1});
  Prepared p{x.t().contiguous(), 0, 0, std::vector<uint8_t>(static_cast<std::size_t>(x.size(1)), 0)};
  const at::Tensor finite = at::isfinite(p.columns).all(1).contiguous();
  int64_t last = -1;
  for (int64_t c = 0; c < p.columns.size(0); ++c) {
    if (finite.const_data_ptr<bool>()[c]) {
      last = c;
      continue;
    }
    p.broken[static_cast<std::size_t>(c)] = 1;
    if (last >= 0)
      p.columns.select(0, c).copy_(p.columns.select(0, last));
    else
      p.columns.select(0, c).zero_();
  }
  p.largest = p.columns.abs().max().item<double>();
  p.tiny = std::max(least_noise * p.largest, std::numeric_limits<double>::min());
  return p;
}

// Standard error of the median of values that change along the views: their spread over the root of the number of
// median crossings. Noise crosses at every second view, an object edge passing the columns once or twice.
double error_of_median(const double* values, const Window& window, std::vector<double>& some) {
  some.assign(values + window.begin, values + window.end);
  const double median = middle_of(some);
  int64_t crossings = 0;
  for (int64_t v = window.begin + 1; v < window.end; ++v)
    crossings += (values[v - 1] > median) != (values[v] > median) ? 1 : 0;
  for (int64_t v = window.begin; v < window.end; ++v)
    some[static_cast<std::size_t>(v - window.begin)] = std::abs(values[v] - median);
  const double spread = to_sigma * middle_of(some);
  return of_median * spread / std::sqrt(static_cast<double>(std::min(window.size(), 2 * crossings + 1)));
}

std::vector<ColumnNumbers> numbers_of(const at::Tensor& columns, const std::vector<Window>& windows) {
  const int64_t cols = columns.size(0), views = columns.size(1);
  std::vector<ColumnNumbers> out(static_cast<std::size_t>(cols));
  at::parallel_for(0, cols, 16, [&](int64_t first, int64_t last) {
    std::vector<double> step(static_cast<std::size_t>(views)), bend(step), some;
    for (int64_t c = first; c < last; ++c) {
      ColumnNumbers& n = out[static_cast<std::size_t>(c)];
      const double* x = columns.const_data_ptr<double>() + c * views;
      some.clear();
      for (int64_t v = 1; v + 1 < views; ++v) some.push_back(std::abs(x[v + 1] - 2 * x[v] + x[v - 1]));
      n.roughness = middle_of(some);
      some.clear();
      for (int64_t v = 2; v + 2 < views; ++v)
        some.push_back(std::abs(x[v + 2] - 4 * x[v + 1] + 6 * x[v] - 4 * x[v - 1] + x[v - 2]));
      n.whiteness = n.roughness > 0 ? middle_of(some) / n.roughness : 0;
      if (c + 1 == cols) continue;
      for (int64_t v = 0; v < views; ++v) step[static_cast<std::size_t>(v)] = x[views + v] - x[v];
      // Subtracts the neighbouring steps: the flank of a smooth body has much the same step there.
      const double *before = x - (c > 0 ? views : 0), *after = x + (c + 2 < cols ? 2 * views : views);
      for (int64_t v = 0; v < views; ++v)
        bend[static_cast<std::size_t>(v)] =
            step[static_cast<std::size_t>(v)] - 0.5 * (x[v] - before[v] + after[v] - x[views + v]);
      for (std::size_t w = 0; w < windows.size(); ++w) {
        some.assign(step.begin() + windows[w].begin, step.begin() + windows[w].end);
        n.step.at(w) = middle_of(some);
        n.passing.at(w) = error_of_median(bend.data(), windows[w], some);
      }
      some.clear();
      for (std::size_t v = 1; v + 1 < step.size(); ++v)
        some.push_back(std::abs(step[v + 1] - 2 * step[v] + step[v - 1]));
      n.step_noise = to_sigma * middle_of(some) / std::sqrt(6.0);
      some.clear();
      for (const double s : step) some.push_back(std::abs(s - n.step[0]));
      n.step_spread = middle_of(some);
    }
  });
  return out;
}

class Evidence {
 public:
  Evidence(const at::Tensor& sinogram, const StripeSearch& search)
      : search_(search),
        prepared_(prepare(sinogram)),
        windows_(windows_of(prepared_.columns.size(1))),
        numbers_(numbers_of(prepared_.columns, windows_)),
        cols_(prepared_.columns.size(0)) {}

  std::vector<Stripe> stripes() {
    for (std::size_t w = 0; w < windows_.size(); ++w) measure_steps(w);
    for (std::size_t w = 0; w < windows_.size(); ++w)
      if (w == 0 || windows_[w].size() >= fewest_of_third) add_steps(w);
    add_unsteady();
    add_unrelated();
    add_broken();
    std::vector<Stripe> all = joined();
    for (Stripe& s : all)
      if (s.kind == StripeKind::partial && !follows_neighbours(s)) s.kind = StripeKind::unrelated;
    return all;
  }

 private:
  void measure_steps(std::size_t window) {
    std::vector<double> steps, noise, passing_by;
    for (int64_t c = 0; c + 1 < cols_; ++c) {
      steps.push_back(numbers_[static_cast<std::size_t>(c)].step.at(window));
      noise.push_back(numbers_[static_cast<std::size_t>(c)].step_noise);
      passing_by.push_back(numbers_[static_cast<std::size_t>(c)].passing.at(window));
    }
    steps = less_median(steps, trend_reach);
    std::vector<double> usual = usual_size(steps, usual_reach);
    const std::vector<double> quiet = median_filtered(noise, 2 * near_reach + 1);
    const auto views = static_cast<double>(windows_[window].size());
    for (std::size_t i = 0; i < usual.size(); ++i)
      usual[i] =
          std::max({usual[i], of_median * quiet[i] / std::sqrt(views), passing * passing_by[i]}) + prepared_.tiny;
    steps_.push_back(std::move(steps));
    usual_.push_back(std::move(usual));
  }

  void add_steps(std::size_t window) {
    constexpr double full_ratio = 0.45, partial_ratio = 0.6;    // least ratio of the smaller step to the larger
    constexpr double full_change = 0.8, partial_change = 0.35;  // variation along the views, relative to the height
    const bool all = window == 0;
    const StripeEdgePairs pairs(steps_[window], usual_[window], search_.limit * (all ? 1 : partial_limit),
                                all ? search_.widest : std::min(search_.widest, partial_width),
                                all ? full_ratio : partial_ratio);
    for (Stripe s : pairs.stripes()) {
      if (!stays(s, windows_[window], all ? full_change : partial_change)) continue;
      s.kind = all && is_constant(s) ? StripeKind::level : StripeKind::partial;
      if (s.kind == StripeKind::partial && windows_.back().size() < fewest_of_third) continue;
      if (s.kind == StripeKind::partial && is_like_edges_beside(s, windows_[window])) continue;
      found_.push_back(s);
    }
  }

  // The step from column c to the next minus the neighbouring steps, in each view.
  [[nodiscard]] at::Tensor bend_at(int64_t c, const Window& window) const {
    const auto column = [&](int64_t k) {
      return prepared_.columns.select(0, std::clamp<int64_t>(k, 0, cols_ - 1)).narrow(0, window.begin, window.size());
    };
    return 1.5 * (column(c + 1) - column(c)) - 0.5 * (column(c + 2) - column(c - 1));
  }

  // Whether object edges beside the stripe exceed twice its height in a tenth of the views: at its turning point an
  // edge stays in one column for part of the views.
  [[nodiscard]] bool is_like_edges_beside(const Stripe& s, const Window& window) const {
    constexpr double share = 0.5, views = 0.9;
    const double height = std::max(std::abs(s.begin), std::abs(s.end));
    if (height < least_partial * prepared_.largest) return true;
    for (const int64_t c : {s.first - 4, s.first + s.count + 1})
      if (c >= 0 && c + 1 < cols_ && share * bend_at(c, window).abs().quantile(views).item<double>() > height)
        return true;
    return false;
  }

  // Whether the height of both steps, minus the neighbouring steps, is nearly the same in most of these views; a
  // passing edge takes all heights. Second differences provide the allowance for noise.
  [[nodiscard]] bool stays(const Stripe& s, const Window& window, double change) const {
    constexpr double most = 0.8, most_change = 0.6;  // fraction of the views of a third; of the height
    const auto bend = [&](int64_t c) { return bend_at(c, window); };
    const int64_t low = s.first - 1, high = s.first + s.count - 1;
    const at::Tensor height = low < 0 ? -bend(high) : high + 1 >= cols_ ? bend(low) : 0.5 * (bend(low) - bend(high));
    const int64_t n = height.size(0);
    const at::Tensor second = height.narrow(0, 2, n - 2) - 2 * height.narrow(0, 1, n - 2) + height.narrow(0, 0, n - 2);
    const at::Tensor median = height.median();
    const double spread = to_sigma * (height - median).abs().median().item<double>();
    const double noise = to_sigma * second.abs().median().item<double>() / std::sqrt(6.0);
    const double size = std::abs(median.item<double>());
    if (!(spread < change * size + 1.3 * noise)) return false;
    if (window.size() == windows_[0].size()) return true;
    return (height - median).abs().quantile(most).item<double>() < most_change * size + 2 * noise;
  }

  // Whether both steps have the same height in all windows of views.
  [[nodiscard]] bool is_constant(const Stripe& s) const {
    constexpr double changed = 0.2, sure = 4;  // relative to the height; times the usual size
    for (std::size_t w = 1; w < windows_.size(); ++w)
      for (const auto& [at, height] : {std::pair{s.first - 1, s.begin}, std::pair{s.first + s.count - 1, -s.end}}) {
        if (at < 0 || at + 1 >= cols_) continue;
        const auto i = static_cast<std::size_t>(at);
        // At a blurred edge part of the step lies one column further out.
        if (std::abs(steps_[w][i] - steps_[0][i]) > std::max(changed * std::abs(height), sure * usual_[w][i]))
          return false;
      }
    return true;
  }

  // Finds columns whose roughness along the views differs from that of the columns around.
  void add_unsteady() {
    constexpr double least = 0.47;  // ln 1.6
    constexpr double noisy = 2.5;
    std::vector<double> size, white;
    for (const ColumnNumbers& n : numbers_) {
      size.push_back(std::log(n.roughness + prepared_.tiny));
      white.push_back(n.whiteness);
    }
    const std::vector<double> white_around = median_filtered(white, 2 * near_reach + 1);
    const std::vector<double> off = less_median(size, near_reach), usual = usual_size(off, usual_reach);
    for (int64_t c = 0; c < cols_; ++c) {
      const auto i = static_cast<std::size_t>(c);
      // The object is smooth along the views, so only noise is evidence for the detector.
      if ((off[i] > 0 ? white[i] : white_around[i]) < noisy) continue;
      if (std::abs(off[i]) > std::max(search_.limit * usual[i], least))
        found_.push_back({c, 1, StripeKind::unsteady, 0, 0, std::abs(off[i]) / std::max(usual[i], least_noise)});
    }
  }

  // Finds columns whose steps to both neighbours vary far more than other steps around.
  void add_unrelated() {
    constexpr double least = 0.92;  // ln 2.5
    constexpr int64_t farthest = 4;
    std::vector<double> size;
    for (int64_t c = 0; c + 1 < cols_; ++c)
      size.push_back(std::log(numbers_[static_cast<std::size_t>(c)].step_spread + prepared_.tiny));
    const std::vector<double> off = less_median(size, near_reach), usual = usual_size(off, usual_reach);
    int64_t last = -1;
    double last_strength = 0;
    for (int64_t c = 0; c + 1 < cols_; ++c) {
      const auto i = static_cast<std::size_t>(c);
      if (!(off[i] > std::max(0.7 * search_.limit * usual[i], least))) continue;
      const double strength = off[i] / std::max(usual[i], least_noise);
      // At the rim of a body steps vary as much, but so do the steps beside them.
      const Stripe between{last + 1, c - last, StripeKind::unrelated, 0, 0, std::min(strength, last_strength)};
      if (last >= 0 && c - last <= farthest && !follows_neighbours(between) && is_bridged(between))
        found_.push_back(between);
      last = c;
      last_strength = strength;
    }
  }

  // Whether the columns on both sides are closer to each other than to those between; at the rim of a body they are
  // not.
  [[nodiscard]] bool is_bridged(const Stripe& s) const {
    constexpr double closer = 0.7;
    const int64_t before = s.first - 1, after = s.first + s.count;
    if (before < 0 || after >= cols_) return false;
    const auto spread = [](const at::Tensor& d) { return (d - d.median()).abs().median().item<double>(); };
    const double across = spread(prepared_.columns.select(0, after) - prepared_.columns.select(0, before));
    const double in = numbers_[static_cast<std::size_t>(before)].step_spread,
                 out = numbers_[static_cast<std::size_t>(after - 1)].step_spread;
    return across < closer * std::min(in, out);
  }

  void add_broken() {
    for (int64_t c = 0; c < cols_; ++c)
      if (prepared_.broken[static_cast<std::size_t>(c)] != 0)
        found_.push_back({c, 1, StripeKind::unrelated, 0, 0, std::numeric_limits<double>::infinity()});
  }

  // Whether a narrow stripe is correlated along the views with the columns on both sides. If not, it contains nothing
  // of the object; where there is no object, treating it as a stripe does no harm.
  [[nodiscard]] bool follows_neighbours(const Stripe& s) const {
    constexpr double least = 0.5;
    if (s.count > partial_width || s.first == 0 || s.first + s.count >= cols_) return true;
    const at::Tensor around = prepared_.columns.select(0, s.first - 1) + prepared_.columns.select(0, s.first + s.count);
    const at::Tensor a = around - around.mean(), own = prepared_.columns.narrow(0, s.first, s.count).mean(0);
    const at::Tensor b = own - own.mean();
    const double size = (a.square().sum() * b.square().sum()).item<double>();
    return size > 0 && (a * b).sum().item<double>() > least * std::sqrt(size);
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

  StripeSearch search_;
  Prepared prepared_;
  std::vector<Window> windows_;
  std::vector<ColumnNumbers> numbers_;
  int64_t cols_;
  std::vector<std::vector<double>> steps_, usual_;  // one vector per window
  std::vector<Stripe> found_;
};

}  // namespace

std::vector<Stripe> find_stripes(const at::Tensor& sinogram, const StripeSearch& search) {
  if (sinogram.size(0) < fewest || sinogram.size(1) < fewest) return {};
  std::vector<Stripe> found = Evidence(sinogram, search).stripes();
  if (search.spared.empty()) return found;
  const auto is_spared = [&](const Stripe& s) {
    const auto first = search.spared.begin() + s.first;
    return std::any_of(first, first + s.count, [](uint8_t c) { return c != 0; });
  };
  found.erase(std::remove_if(found.begin(), found.end(), is_spared), found.end());
  return found;
}

std::vector<uint8_t> tube_walls(const std::vector<std::vector<Stripe>>& rows, int64_t cols) {
  constexpr double like = 0.15;  // tolerance, relative to the height
  std::vector<uint8_t> walls(static_cast<std::size_t>(cols), rows.size() < 2 ? 0 : 1);
  for (const std::vector<Stripe>& row : rows) {
    std::vector<Stripe> pairs;
    for (std::size_t i = 0; i < row.size(); ++i)
      for (std::size_t j = i + 1; j < row.size(); ++j) {
        const Stripe &a = row[i], &b = row[j];
        const double height = 0.5 * (a.begin + a.end), other = 0.5 * (b.begin + b.end);
        if (height * other > 0 && std::abs(a.count - b.count) <= 1 &&
            std::abs(height - other) < like * std::max(std::abs(height), std::abs(other))) {
          pairs.push_back(a);
          pairs.push_back(b);
        }
      }
    const std::vector<uint8_t> here = with_neighbour_columns(striped_columns(pairs, cols));
    for (std::size_t c = 0; c < walls.size(); ++c) walls[c] = walls[c] != 0 && here[c] != 0 ? 1 : 0;
  }
  return walls;
}

std::vector<uint8_t> striped_columns(const std::vector<Stripe>& stripes, int64_t cols) {
  std::vector<uint8_t> marked(static_cast<std::size_t>(cols), 0);
  for (const Stripe& s : stripes) std::fill_n(marked.begin() + s.first, std::min(s.count, cols - s.first), uint8_t{1});
  return marked;
}

}  // namespace tl::ops
