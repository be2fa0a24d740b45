// Stripes of a sinogram from medians over the views of differences between neighbouring columns.
#include "gpu/correction/stripes/evidence.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gpu/correction/sinograms.h"
#include "gpu/correction/stripes/detection.h"

namespace tl::ops {
namespace {

constexpr int64_t fewest = 16;        // views and columns
constexpr int64_t most_views = 360;   // more are averaged in groups of 360 to 720
constexpr int64_t trend_reach = 6;    // columns to either side that tell how the object goes on
constexpr int64_t usual_reach = 24;   // columns to either side that tell what is usual
constexpr int64_t near_reach = 8;     // the same for variations, which follow the object's shadow
constexpr double to_sigma = 1.4826;   // median of absolute deviations -> standard deviation
constexpr double of_median = 1.2533;  // standard error of a median over that of a mean
constexpr double partial_limit = 2;   // a part of the views must exceed the limit this many times
constexpr int64_t partial_width = 8;  // columns of such a stripe, at most
constexpr double tiny = 1e-9;         // variation that stands for none, so that its logarithm exists

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

// All views, then thirds that overlap by half.
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
  std::array<double, 6> step{};  // median over each window
  double step_noise = 0;         // of one view
  double roughness = 0;          // median of |second differences along the views|
  double step_spread = 0;        // median of |step - its median|
};

// [col, view]; groups of views averaged, columns that are not finite replaced by the one before.
struct Prepared {
  at::Tensor columns;
  std::vector<uint8_t> broken;
};

Prepared prepare(const at::Tensor& sinogram) {
  at::Tensor x = sinogram.detach().to(at::kDouble);
  const int64_t views = x.size(0), group = std::max<int64_t>(1, views / most_views);
  x = x.narrow(0, 0, views / group * group).view({-1, group, x.size(1)}).mean(at::IntArrayRef{1});
  Prepared p{x.t().contiguous(), std::vector<uint8_t>(static_cast<std::size_t>(x.size(1)), 0)};
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
  return p;
}

std::vector<ColumnNumbers> numbers_of(const at::Tensor& columns, const std::vector<Window>& windows) {
  const int64_t cols = columns.size(0), views = columns.size(1);
  std::vector<ColumnNumbers> out(static_cast<std::size_t>(cols));
  at::parallel_for(0, cols, 16, [&](int64_t first, int64_t last) {
    std::vector<double> step(static_cast<std::size_t>(views)), some;
    for (int64_t c = first; c < last; ++c) {
      ColumnNumbers& n = out[static_cast<std::size_t>(c)];
      const double* x = columns.const_data_ptr<double>() + c * views;
      some.clear();
      for (int64_t v = 1; v + 1 < views; ++v) some.push_back(std::abs(x[v + 1] - 2 * x[v] + x[v - 1]));
      n.roughness = middle_of(some);
      if (c + 1 == cols) continue;
      for (int64_t v = 0; v < views; ++v) step[static_cast<std::size_t>(v)] = x[views + v] - x[v];
      for (std::size_t w = 0; w < windows.size(); ++w) {
        some.assign(step.begin() + windows[w].begin, step.begin() + windows[w].end);
        n.step.at(w) = middle_of(some);
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

// Steps of one window that stand out, and their pairing into stripes.
class StepPairs {
 public:
  StepPairs(std::vector<double> steps, std::vector<double> usual, double limit, int64_t widest, double least_ratio)
      : e_(std::move(steps)), s_(std::move(usual)), limit_(limit), widest_(widest), least_ratio_(least_ratio) {
    for (std::size_t i = 0; i < e_.size(); ++i)
      if (std::abs(e_[i]) >= 0.5 * limit * s_[i]) edges_.push_back(static_cast<int64_t>(i));
  }

  // The pairing in which the fewest strong steps stay alone, and partners are alike and close: a gap between two
  // stripes has the steps of a stripe, but leaves their outer edges alone.
  [[nodiscard]] std::vector<Stripe> stripes() const {
    const std::size_t n = edges_.size();
    std::vector<double> cost(n + 1, 0.0);
    std::vector<std::size_t> partner(n, 0);  // 0: alone
    for (std::size_t i = n; i-- > 0;) {
      cost[i] = alone(i) + cost[i + 1];
      double between = 0;
      for (std::size_t j = i + 1; j < n && edges_[j] - edges_[i] <= widest_; between += alone(j), ++j) {
        const double together = pair_cost(edges_[i], edges_[j]);
        if (!std::isfinite(together) || alone(i) + alone(j) == 0) continue;
        if (together + between + cost[j + 1] >= cost[i]) continue;
        cost[i] = together + between + cost[j + 1];
        partner[i] = j;
      }
    }
    std::vector<Stripe> out;
    for (std::size_t i = 0; i < n;) {
      const std::size_t j = partner[i];
      if (j == 0) {
        ++i;
        continue;
      }
      out.push_back(stripe(edges_[i], edges_[j]));
      i = j + 1;
    }
    return out;
  }

 private:
  [[nodiscard]] double e(int64_t i) const {
    return i < 0 || i >= static_cast<int64_t>(e_.size()) ? 0 : e_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] double strength(int64_t i) const { return std::abs(e(i)) / s_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] double alone(std::size_t edge) const { return strength(edges_[edge]) >= limit_ ? 1 : 0; }

  // Infinite where the steps are no stripe's.
  [[nodiscard]] double pair_cost(int64_t low, int64_t high) const {
    constexpr double never = std::numeric_limits<double>::infinity(), per_column = 0.02, going_on = 0.6,
                     more_per_column = 0.03;
    const double ratio = -e(high) / e(low);
    if (!(ratio > least_ratio_ && ratio < 1 / least_ratio_)) return never;
    // The wider, the more steps of the object there are that could be partners.
    const double width = static_cast<double>(high - low);
    if (std::max(strength(low), strength(high)) < limit_ * (1 + more_per_column * width)) return never;
    // A flank of the object goes on beside the step; one blurred edge may.
    const double height = 0.5 * (e(low) - e(high));
    double beside = 0;
    const auto along = [&](int64_t at, double sign) { beside += std::max(0.0, sign * e(at) / height); };
    for (const int64_t d : {1, 2}) {
      along(low - d, 1);
      along(high + d, -1);
      if (high - low < 4) continue;
      along(low + d, 1);
      along(high - d, -1);
    }
    if (beside > going_on) return never;
    return std::abs(std::log(ratio)) + per_column * width;
  }
  // Blurred edges: the column beside belongs to it.
  [[nodiscard]] Stripe stripe(int64_t low, int64_t high) const {
    constexpr double blurred = 0.25;
    Stripe s;
    s.begin = e(low);
    s.end = -e(high);
    s.strength = std::max(strength(low), strength(high));
    const int64_t first = e(low - 1) / e(low) > blurred ? low : low + 1;
    const int64_t last = e(high + 1) / e(high) > blurred ? high + 1 : high;
    s.first = std::max<int64_t>(first, 0);
    s.count = std::min(last, static_cast<int64_t>(e_.size())) - s.first + 1;
    return s;
  }

  std::vector<double> e_, s_;
  double limit_;
  int64_t widest_;
  double least_ratio_;
  std::vector<int64_t> edges_;
};

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
    for (std::size_t w = 0; w < windows_.size(); ++w) add_steps(w);
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
    std::vector<double> steps, noise;
    for (int64_t c = 0; c + 1 < cols_; ++c) {
      steps.push_back(numbers_[static_cast<std::size_t>(c)].step.at(window));
      noise.push_back(numbers_[static_cast<std::size_t>(c)].step_noise);
    }
    steps = less_median(steps, trend_reach);
    std::vector<double> usual = usual_size(steps, usual_reach);
    const std::vector<double> quiet = median_filtered(noise, 2 * near_reach + 1);
    const auto views = static_cast<double>(windows_[window].size());
    for (std::size_t i = 0; i < usual.size(); ++i)
      usual[i] = std::max(usual[i], of_median * quiet[i] / std::sqrt(views)) + tiny;
    steps_.push_back(std::move(steps));
    usual_.push_back(std::move(usual));
  }

  void add_steps(std::size_t window) {
    constexpr double full_ratio = 0.45, partial_ratio = 0.6;  // of the smaller step to the larger
    const bool all = window == 0;
    const StepPairs pairs(steps_[window], usual_[window], search_.limit * (all ? 1 : partial_limit),
                          all ? search_.widest : std::min(search_.widest, partial_width),
                          all ? full_ratio : partial_ratio);
    for (Stripe s : pairs.stripes()) {
      s.kind = all && is_constant(s) ? StripeKind::level : StripeKind::partial;
      found_.push_back(s);
    }
  }

  // Whether both steps have one height in all parts of the views.
  [[nodiscard]] bool is_constant(const Stripe& s) const {
    constexpr double changed = 0.2, sure = 4;  // of the height; times the usual size
    for (std::size_t w = 1; w < windows_.size(); ++w)
      for (const auto& [at, height] : {std::pair{s.first - 1, s.begin}, std::pair{s.first + s.count - 1, -s.end}}) {
        if (at < 0 || at + 1 >= cols_) continue;
        const auto i = static_cast<std::size_t>(at);
        // At a blurred edge a part of the step is one column further out.
        if (std::abs(steps_[w][i] - steps_[0][i]) > std::max(changed * std::abs(height), sure * usual_[w][i]))
          return false;
      }
    return true;
  }

  // Roughness along the views, unlike that of the columns around.
  void add_unsteady() {
    constexpr double least = 0.47;  // ln 1.6
    std::vector<double> size;
    for (const ColumnNumbers& n : numbers_) size.push_back(std::log(n.roughness + tiny));
    const std::vector<double> off = less_median(size, near_reach), usual = usual_size(off, usual_reach);
    for (int64_t c = 0; c < cols_; ++c) {
      const auto i = static_cast<std::size_t>(c);
      if (std::abs(off[i]) > std::max(0.82 * search_.limit * usual[i], least))
        found_.push_back({c, 1, StripeKind::unsteady, 0, 0, std::abs(off[i]) / std::max(usual[i], tiny)});
    }
  }

  // Steps to both neighbours that vary far more than steps do around.
  void add_unrelated() {
    constexpr double least = 0.92;  // ln 2.5
    constexpr int64_t farthest = 4;
    std::vector<double> size;
    for (int64_t c = 0; c + 1 < cols_; ++c)
      size.push_back(std::log(numbers_[static_cast<std::size_t>(c)].step_spread + tiny));
    const std::vector<double> off = less_median(size, near_reach), usual = usual_size(off, usual_reach);
    int64_t last = -1;
    double last_strength = 0;
    for (int64_t c = 0; c + 1 < cols_; ++c) {
      const auto i = static_cast<std::size_t>(c);
      if (!(off[i] > std::max(0.7 * search_.limit * usual[i], least))) continue;
      const double strength = off[i] / std::max(usual[i], tiny);
      // At the rim of a body steps vary much as well, but with those beside them.
      const Stripe between{last + 1, c - last, StripeKind::unrelated, 0, 0, std::min(strength, last_strength)};
      if (last >= 0 && c - last <= farthest && !follows_neighbours(between)) found_.push_back(between);
      last = c;
      last_strength = strength;
    }
  }

  void add_broken() {
    for (int64_t c = 0; c < cols_; ++c)
      if (prepared_.broken[static_cast<std::size_t>(c)] != 0)
        found_.push_back({c, 1, StripeKind::unrelated, 0, 0, std::numeric_limits<double>::infinity()});
  }

  // Whether a narrow stripe varies with the view as the columns on both sides of it do, by their correlation. One that
  // does not has nothing of the object in it; where there is no object either, no harm is done by saying so.
  [[nodiscard]] bool follows_neighbours(const Stripe& s) const {
    constexpr double least = 0.5;
    if (s.count > partial_width || s.first == 0 || s.first + s.count >= cols_) return true;
    const at::Tensor around = prepared_.columns.select(0, s.first - 1) + prepared_.columns.select(0, s.first + s.count);
    const at::Tensor a = around - around.mean(), own = prepared_.columns.narrow(0, s.first, s.count).mean(0);
    const at::Tensor b = own - own.mean();
    const double size = (a.square().sum() * b.square().sum()).item<double>();
    return size > 0 && (a * b).sum().item<double>() > least * std::sqrt(size);
  }

  // Overlapping findings become one: of the kind that says most.
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
      // What holds for all views holds for a part of them.
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
  std::vector<std::vector<double>> steps_, usual_;  // of each window
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
  constexpr double like = 0.15;  // of the height
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
    const std::vector<uint8_t> here = widened(striped_columns(pairs, cols));
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
