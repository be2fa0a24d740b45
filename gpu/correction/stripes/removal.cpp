// Removes only the stripes that were detected: applies a method to the striped columns of one sinogram after the other.
#include "gpu/correction/stripes/removal.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <iterator>

#include "gpu/correction/sinograms.h"
#include "gpu/correction/stripes/column_values.h"
#include "gpu/correction/stripes/dead.h"
#include "gpu/correction/stripes/filtering.h"
#include "gpu/correction/stripes/fitting.h"
#include "gpu/correction/stripes/sorting.h"
#include "gpu/device/parallel_for.h"
#include "gpu/operator/forward_mode.h"

namespace tl::ops {
namespace {

using Marks = std::vector<uint8_t>;

// The striped columns of a sinogram with the nearest column on either side of each run of them: all columns that the
// methods for single columns read.
struct StripedPart {
  std::vector<int64_t> columns;  // ascending
  at::Tensor values;             // [view, columns]
  std::vector<Stripe> stripes;   // by index into `columns`
};

StripedPart striped_part(const at::Tensor& sinogram, const std::vector<Stripe>& stripes) {
  const int64_t cols = sinogram.size(1);
  const Marks wanted = with_neighbour_columns(striped_columns(stripes, cols));
  std::vector<int64_t> place(wanted.size(), 0);
  for (std::size_t c = 1; c < wanted.size(); ++c) place[c] = place[c - 1] + wanted[c - 1];
  StripedPart part{indices_of(wanted), {}, stripes};
  part.values = columns_at(sinogram, part.columns);
  for (Stripe& s : part.stripes) s.first = place[static_cast<std::size_t>(s.first)];
  return part;
}

struct ColumnValues {
  std::vector<int64_t> columns;
  at::Tensor values;  // [view, columns]
};

at::Tensor columns_of(const at::Tensor& sinogram, const Marks& marked) {
  return columns_at(sinogram, indices_of(marked));
}

// Calls method(part) for each run of marked columns with `reach` columns on either side: returns the new values of the
// marked columns.
ColumnValues on_runs(const at::Tensor& sinogram, const Marks& marked, int64_t reach,
                     const std::function<at::Tensor(const at::Tensor&)>& method) {
  const auto cols = static_cast<int64_t>(marked.size());
  std::vector<at::Tensor> values;
  for (int64_t c = 0; c < cols; ++c) {
    if (marked[static_cast<std::size_t>(c)] == 0) continue;
    int64_t end = c + 1;  // runs closer than twice the reach are worked on together
    for (int64_t k = end; k < std::min(cols, end + 2 * reach); ++k)
      if (marked[static_cast<std::size_t>(k)] != 0) end = k + 1;
    const int64_t first = std::max<int64_t>(0, c - reach), last = std::min(cols, end + reach);
    const at::Tensor done = method(sinogram.narrow(1, first, last - first));
    std::vector<int64_t> own = indices_of(Marks(marked.begin() + c, marked.begin() + end));
    for (int64_t& column : own) column += c - first;
    values.push_back(columns_at(done, own));
    c = end - 1;
  }
  return {indices_of(marked), at::cat(values, 1)};
}

Marks marks_where(const std::vector<Stripe>& stripes, int64_t cols, bool (*wanted)(const Stripe&)) {
  std::vector<Stripe> some;
  std::copy_if(stripes.begin(), stripes.end(), std::back_inserter(some), wanted);
  return striped_columns(some, cols);
}
bool is_level(const Stripe& s) { return s.kind == StripeKind::level; }
bool is_dead(const Stripe& s) { return s.kind == StripeKind::unsteady || s.kind == StripeKind::unrelated; }
bool is_not_level(const Stripe& s) { return !is_level(s); }
bool is_partial(const Stripe& s) { return s.kind == StripeKind::partial; }

at::Tensor large_corrected(const StripedPart& p) {
  return values_of_equal_rank(without_constant_stripes(p.values, p.stripes),
                              marks_where(p.stripes, p.values.size(1), is_not_level));
}

at::Tensor dead_corrected(const StripedPart& p) {
  const int64_t cols = p.values.size(1);
  const at::Tensor level = without_constant_stripes(p.values, p.stripes);
  const at::Tensor alive = interpolated_columns(level, marks_where(p.stripes, cols, is_dead));
  return values_of_equal_rank(alive, marks_where(p.stripes, cols, is_partial));
}

// Weights of the unmarked columns around column c that give the value at c of a parabola fitted with Gaussian weights;
// of a mean if one side has too few columns.
std::vector<double> parabola_at(int64_t c, const Marks& marked, double sigma) {
  const auto cols = static_cast<int64_t>(marked.size());
  std::vector<double> weight(marked.size(), 0.0);
  for (double wide = sigma;; wide *= 2) {
    std::array<double, 5> s{};
    int64_t before = 0, after = 0;
    const auto reach = static_cast<int64_t>(std::ceil(4 * wide));
    const int64_t first = std::max<int64_t>(0, c - reach), last = std::min(cols - 1, c + reach);
    const auto at = [&](int64_t k) { return static_cast<double>(k - c) / wide; };
    for (int64_t k = first; k <= last; ++k) {
      if (marked[static_cast<std::size_t>(k)] != 0) continue;
      (k < c ? before : after) += 1;
      double power = std::exp(-0.5 * at(k) * at(k));
      for (double& sum : s) {
        sum += power;
        power *= at(k);
      }
    }
    if (before + after < 4 && (first > 0 || last + 1 < cols)) continue;
    if (before + after == 0) return weight;
    // First column of the inverse of the normal equations.
    const bool both = before >= 2 && after >= 2;
    const double a = s[2] * s[4] - s[3] * s[3], b = s[2] * s[3] - s[1] * s[4], d = s[1] * s[3] - s[2] * s[2];
    const double det = s[0] * a + s[1] * b + s[2] * d;
    const std::array<double, 3> p =
        both ? std::array<double, 3>{a / det, b / det, d / det} : std::array<double, 3>{1 / s[0], 0, 0};
    for (int64_t k = first; k <= last; ++k) {
      if (marked[static_cast<std::size_t>(k)] != 0) continue;
      weight[static_cast<std::size_t>(k)] = std::exp(-0.5 * at(k) * at(k)) * (p[0] + at(k) * (p[1] + at(k) * p[2]));
    }
    return weight;
  }
}

enum class Sinogram { kept, may_change };  // may_change: nobody reads it afterwards

class OneRow {
 public:
  explicit OneRow(const StripeRemovalSpec& spec) : spec_(spec), search_(stripe_search(spec)) {}

  [[nodiscard]] const StripeSearch& search() const { return search_; }
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, const std::vector<Stripe>& stripes, StripeFinder& finder,
                                      Sinogram use) const {
    const Marks marked = striped_columns(stripes, x.size(1));
    switch (spec_.method) {
      case StripeMethod::sorting: return sorted(x, marked).values;
      case StripeMethod::filtering:
        return on_runs(x, marked, spec_.size / 2,
                       [&](const at::Tensor& some) {
                         const StripeFilteringSpec filtering{spec_.low_pass, spec_.size, spec_.cancel};
                         return remove_stripes_by_filtering(some.unsqueeze(1), filtering).or_throw().squeeze(1);
                       })
            .values;
      case StripeMethod::fitting:
        return columns_of(fitted_to_neighbours(x, marked, spec_.order_of_fit, spec_.smoothing), marked);
      case StripeMethod::large:
      case StripeMethod::dead:
      case StripeMethod::all: break;
    }
    const StripedPart part = striped_part(x, stripes);
    const bool large = spec_.method == StripeMethod::large;
    const at::Tensor values = large ? large_corrected(part) : dead_corrected(part);
    if (spec_.method != StripeMethod::all) return columns_of(values, striped_columns(part.stripes, values.size(1)));
    if (use == Sinogram::may_change) set_columns(x, part.columns, values);
    const at::Tensor once = use == Sinogram::may_change ? x : with_columns(x, part.columns, values);
    const std::vector<Stripe> left = finder.stripes_after(once.detach().cpu(), marked);
    if (left.empty()) return columns_of(once, marked);
    const ColumnValues again = sorted(once, striped_columns(left, x.size(1)));
    if (is_differentiated(once)) return columns_of(with_columns(once, again.columns, again.values), marked);
    set_columns(once, again.columns, again.values);
    return columns_of(once, marked);
  }

 private:
  [[nodiscard]] ColumnValues sorted(const at::Tensor& x, const Marks& marked) const {
    return on_runs(x, marked, spec_.size / 2, [&](const at::Tensor& some) {
      return remove_stripes_by_sorting(some.unsqueeze(1), {spec_.size, spec_.cancel}).or_throw().squeeze(1);
    });
  }

  const StripeRemovalSpec& spec_;
  StripeSearch search_;
};

Result<StripeRemovalResult> on_all_columns(const at::Tensor& x, const StripeRemovalSpec& s) {
  StripeRemovalResult done;
  switch (s.method) {
    case StripeMethod::sorting: {
      TL_TRY(done.projections, remove_stripes_by_sorting(x, {s.size, s.cancel}));
      return done;
    }
    case StripeMethod::filtering: {
      TL_TRY(done.projections, remove_stripes_by_filtering(x, {s.low_pass, s.size, s.cancel}));
      return done;
    }
    case StripeMethod::fitting: {
      TL_TRY(done.projections, remove_stripes_by_fitting(x, {s.order_of_fit, s.smoothing, s.model, s.cancel}));
      return done;
    }
    case StripeMethod::large: return remove_large_stripes(x, {s.snr, s.large_size, 0.1, s.model, s.levels, s.cancel});
    case StripeMethod::dead: return remove_dead_stripes(x, {s.snr, s.large_size, 11, s.cancel});
    case StripeMethod::all: break;
  }
  return remove_all_stripes(x, {s.snr, s.large_size, s.size, s.model, s.levels, s.cancel});
}

bool is_positive_gain(const at::Tensor& sinogram, StripeModel model) {
  return model == StripeModel::gain && sinogram.gt(0).all().item<bool>();
}

// Copies a sinogram to both targets, reading each line once: the lines of a detector row are far apart in memory.
void copy_row(const at::Tensor& from, at::Tensor& first, at::Tensor& second) {
  if (from.numel() == 0 || from.stride(1) != 1 || first.stride(1) != 1 || second.stride(1) != 1) {
    first.copy_(from);
    second.copy_(first);
    return;
  }
  const auto size = static_cast<std::size_t>(from.element_size());
  const auto step = [size](const at::Tensor& x) { return static_cast<std::size_t>(x.stride(0)) * size; };
  const std::size_t line = static_cast<std::size_t>(from.size(1)) * size;
  const auto* x = static_cast<const std::byte*>(from.const_data_ptr());
  auto* a = static_cast<std::byte*>(first.mutable_data_ptr());
  auto* b = static_cast<std::byte*>(second.mutable_data_ptr());
  for (int64_t v = 0; v < from.size(0); ++v, x += step(from), a += step(first), b += step(second)) {
    std::memcpy(a, x, line);
    std::memcpy(b, x, line);
  }
}

// Returns the new values of the striped columns; may search again.
using RowCorrection =
    std::function<at::Tensor(const at::Tensor& sinogram, const std::vector<Stripe>&, StripeFinder&, Sinogram)>;

StripeRemovalResult rows_corrected(const at::Tensor& projections, StripeModel model, const StripeSearch& search,
                                   const CancelToken& cancel, const RowCorrection& method) {
  std::atomic<int64_t> columns = 0;
  const auto corrected = [&](const at::Tensor& sinogram, StripeFinder& finder, Sinogram use) -> ColumnValues {
    const at::Tensor plain = sinogram.detach().cpu();
    const bool gain = is_positive_gain(plain, model);
    const std::vector<Stripe> stripes = finder.stripes(gain ? -plain.log() : plain);
    if (stripes.empty()) return {};
    std::vector<int64_t> where = indices_of(striped_columns(stripes, sinogram.size(1)));
    columns += std::ssize(where);
    if (!gain) return {where, method(sinogram, stripes, finder, use)};
    return {where, (-method(-sinogram.log(), stripes, finder, use)).exp()};
  };
  if (is_differentiated(projections) || !projections.device().is_cpu()) {
    StripeFinder finder(search);
    const at::Tensor done = map_sinograms(projections, cancel, [&](const at::Tensor& sinogram) {
      const ColumnValues found = corrected(sinogram, finder, Sinogram::kept);
      return found.columns.empty() ? sinogram : with_columns(sinogram, found.columns, found.values);
    });
    return {done, columns};
  }
  const at::Tensor plain = projections.detach();
  at::Tensor out = at::empty(plain.sizes(), plain.options());
  ops::parallel_for(0, plain.size(1), 1, [&](int64_t first, int64_t last) {
    StripeFinder finder(search);
    // All steps read the same memory, in which lines are adjacent.
    at::Tensor copy = at::empty({plain.size(0), plain.size(2)}, plain.options());
    for (int64_t row = first; row < last; ++row) {
      cancel.check();
      at::Tensor own = out.select(1, row);
      copy_row(plain.select(1, row), copy, own);
      if (const ColumnValues found = corrected(copy, finder, Sinogram::may_change); !found.columns.empty())
        set_columns(own, found.columns, found.values);
    }
  });
  return {out, columns};
}

Result<StripeRemovalResult> on_found_columns(const at::Tensor& x, const StripeRemovalSpec& spec,
                                             const std::string& where) {
  TL_TRY(check_window(spec.size, "columns", where));
  TL_TRY(check_window(spec.large_size, "columns", where));
  if (!(spec.snr > 0)) return invalid("the sensitivity must be positive", where);
  if (!(spec.low_pass > 0) || !(spec.smoothing > 0)) return invalid("a smoothing needs a positive width", where);
  if (spec.order_of_fit < 0 || spec.order_of_fit > 20)
    return invalid("the order of a polynomial must be 0 to 20", where);
  StripeRemovalSpec own = spec;
  own.order_of_fit = std::min(spec.order_of_fit, std::max<int64_t>(0, x.size(0) - 1));
  const OneRow method(own);
  return rows_corrected(x, spec.model, method.search(), spec.cancel, method);
}

}  // namespace

at::Tensor without_constant_stripes(const at::Tensor& sinogram, const std::vector<Stripe>& stripes) {
  at::Tensor height = at::zeros({sinogram.size(1)}, at::kDouble);
  double* h = height.mutable_data_ptr<double>();
  for (const Stripe& s : stripes) {
    if (!is_level(s)) continue;
    for (int64_t i = 0; i < s.count; ++i) {
      const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(s.count);
      h[s.first + i] = s.begin + share * (s.end - s.begin);
    }
  }
  return sinogram - height.to(sinogram.options().requires_grad(false));
}

StripeSearch stripe_search(const StripeRemovalSpec& spec) {
  return {spec.snr * StripeSearch{}.limit / 3, std::max<int64_t>(1, spec.large_size / 2), spec.spared,
          spec.order.angles};
}

std::vector<Stripe> stripes_of_row(const at::Tensor& sinogram, const StripeRemovalSpec& spec) {
  const at::Tensor plain = by_angle(sinogram.detach().cpu(), spec.order);
  return find_stripes(is_positive_gain(plain, spec.model) ? -plain.log() : plain, stripe_search(spec));
}

StripeRemovalResult on_striped_columns(const at::Tensor& projections, StripeModel model, const StripeSearch& search,
                                       const CancelToken& cancel, const StripeCorrection& method) {
  return rows_corrected(projections, model, search, cancel,
                        [&](const at::Tensor& x, const std::vector<Stripe>& stripes, StripeFinder&, Sinogram) {
                          return columns_of(method(x.contiguous(), stripes), striped_columns(stripes, x.size(1)));
                        });
}

at::Tensor fitted_to_neighbours(const at::Tensor& sinogram, const Marks& marked, int64_t order, double sigma) {
  const int64_t cols = sinogram.size(1);
  std::vector<int64_t> columns;
  std::vector<double> weights;
  for (int64_t c = 0; c < cols; ++c) {
    if (marked[static_cast<std::size_t>(c)] == 0) continue;
    columns.push_back(c);
    const std::vector<double> row = parabola_at(c, marked, sigma);
    weights.insert(weights.end(), row.begin(), row.end());
  }
  if (columns.empty()) return sinogram;
  const auto device = sinogram.device();
  const at::Tensor where = at::tensor(columns, at::kLong).to(device);
  const at::Tensor weight =
      at::tensor(weights, at::kDouble).view({static_cast<int64_t>(columns.size()), cols}).to(device);
  const at::Tensor fit = fit_columns(sinogram, order).to(at::kDouble);
  // Values of the marked columns are excluded: they may be non-finite.
  const at::Tensor around = fit.index_fill(1, where, 0);
  const at::Tensor moved = at::matmul(around, weight.t()) - fit.index_select(1, where);
  return sinogram.index_add(1, where, moved.to(sinogram.scalar_type()));
}

Result<StripeRemovalResult> remove_stripes(const at::Tensor& projections, const StripeRemovalSpec& spec) {
  const std::string where = "stripe removal";
  TL_TRY(check_projections_on_any_device(projections, where));
  const auto views = static_cast<int64_t>(spec.order.views.size());
  TL_CHECK(views == 0 || views == projections.size(0), "an order of other views");
  const at::Tensor sorted = by_angle(projections, spec.order);
  TL_TRY(StripeRemovalResult done,
         spec.columns == StripeColumns::all ? on_all_columns(sorted, spec) : on_found_columns(sorted, spec, where));
  done.projections = as_recorded(done.projections, spec.order);
  return done;
}

}  // namespace tl::ops
