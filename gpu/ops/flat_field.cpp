// Flat field: reference frames are averaged once, then every view is divided by its interpolated flat.
#include "gpu/ops/flat_field.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "gpu/forward_mode.h"
#include "gpu/launch.h"
#include "gpu/linear_operator.h"
#include "gpu/ops/flat_field_device.h"
#include "gpu/ops/flat_field_math.h"
#include "gpu/ops/operator_checks.h"
#include "gpu/ops/pixel_lines.h"

namespace tl::ops {
namespace {

constexpr double same_group = 1.0;  // flats at most this many views apart were taken together

using Between = FlatPlace;

struct FlatGroups {
  std::vector<double> positions;    // ascending
  std::vector<at::Tensor> signals;  // flat - dark, [row, col] float64
};

Between locate(const std::vector<double>& positions, double view) {
  const auto next = std::upper_bound(positions.begin(), positions.end(), view);
  if (next == positions.begin()) return {0, 0, 0};
  const auto after = next - positions.begin();
  if (next == positions.end()) return {after - 1, after - 1, 0};
  return {after - 1, after, (view - *(next - 1)) / (*next - *(next - 1))};
}

// Indices of the flats of each group and the mean position of the group.
FlatGroups make_groups(const FlatFieldSpec& spec, const at::Tensor& dark) {
  std::vector<int64_t> order(static_cast<std::size_t>(spec.flats.size(0)));
  std::iota(order.begin(), order.end(), int64_t{0});
  std::vector<std::vector<int64_t>> members;
  FlatGroups groups;
  if (spec.change == FlatChange::constant) {
    members = {order};
    groups.positions = {0};
  } else {
    const auto position = [&](int64_t i) { return spec.flat_positions[static_cast<std::size_t>(i)]; };
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return position(a) < position(b); });
    for (const int64_t i : order) {
      if (members.empty() || position(i) - position(members.back().back()) > same_group) members.emplace_back();
      members.back().push_back(i);
    }
    for (const auto& group : members) {
      double total = 0;
      for (const int64_t i : group) total += position(i);
      groups.positions.push_back(total / static_cast<double>(group.size()));
    }
  }
  for (const auto& group : members)
    groups.signals.push_back(
        average_frames(spec.flats.index_select(0, at::tensor(group).to(spec.flats.device())), spec.flat_average) -
        dark);
  return groups;
}

// Pixels that no group can correct, and what they are filled from. Their signals are set to 1 so that nothing divides
// by zero on the way.
struct Repairs {
  std::vector<FilledPixel> filled;
  std::vector<int64_t> dead_rows;
};

Repairs find_repairs(FlatGroups& groups) {
  const int64_t rows = groups.signals.front().size(0), cols = groups.signals.front().size(1);
  Repairs repairs;
  std::vector<int64_t> bad, left(static_cast<std::size_t>(cols));
  for (int64_t r = 0; r < rows; ++r) {
    bad.clear();
    int64_t last_good = -1;
    for (int64_t c = 0; c < cols; ++c) {
      bool good = true;
      for (const at::Tensor& s : groups.signals) {
        const double value = s.const_data_ptr<double>()[r * cols + c];
        good = good && std::isfinite(value) && value > 0;
      }
      if (good) last_good = c;
      left[static_cast<std::size_t>(c)] = last_good;
      if (good) continue;
      bad.push_back(c);
      for (at::Tensor& s : groups.signals) s.mutable_data_ptr<double>()[r * cols + c] = 1;
    }
    if (last_good < 0) repairs.dead_rows.push_back(r);
    int64_t next_good = -1;
    for (auto it = bad.rbegin(); it != bad.rend() && last_good >= 0; ++it) {
      const int64_t c = *it, before = left[static_cast<std::size_t>(c)];
      if (c + 1 < cols && left[static_cast<std::size_t>(c + 1)] == c + 1) next_good = c + 1;
      const int64_t a = before < 0 ? next_good : before, b = next_good < 0 ? before : next_good;
      const double share = a == b ? 0 : static_cast<double>(c - a) / static_cast<double>(b - a);
      repairs.filled.push_back({r * cols + c, r * cols + a, r * cols + b, share});
    }
  }
  return repairs;
}

}  // namespace

class FlatReferences {
 public:
  explicit FlatReferences(const FlatFieldSpec& spec) {
    dark_ = at::zeros({spec.flats.size(1), spec.flats.size(2)}, at::kDouble);
    if (spec.darks.defined()) dark_ = average_frames(spec.darks, spec.dark_average);
    FlatGroups groups = make_groups(spec, dark_);
    repairs = find_repairs(groups);
    positions = std::move(groups.positions);
    double_ = std::move(groups.signals);
    // A NaN in the dark spoils only pixels that are repaired anyway.
    dark_ = at::nan_to_num(dark_);
    dark_single_ = dark_.to(at::kFloat);
    for (const at::Tensor& s : double_) single_.push_back(s.to(at::kFloat));
  }
  [[nodiscard]] int64_t rows() const { return dark_.size(0); }
  [[nodiscard]] int64_t cols() const { return dark_.size(1); }
  [[nodiscard]] const at::Tensor& dark(at::ScalarType t) const { return t == at::kFloat ? dark_single_ : dark_; }
  // flat - dark per group
  [[nodiscard]] const std::vector<at::Tensor>& signals(at::ScalarType t) const {
    return t == at::kFloat ? single_ : double_;
  }

  std::vector<double> positions;
  Repairs repairs;

 private:
  at::Tensor dark_, dark_single_;
  std::vector<at::Tensor> double_, single_;
};

namespace {

using ReferencesPtr = std::shared_ptr<const FlatReferences>;

// The linear part: data - dark -> transmission (0 in dead rows). Dividing by the flat is its own transpose; filling a
// pixel from two others becomes adding it to them.
class FlatFieldOperator final : public LinearOperator {
 public:
  FlatFieldOperator(std::vector<int64_t> shape, std::vector<Between> views, ReferencesPtr references,
                    CancelToken cancel)
      : shape_(std::move(shape)),
        views_(std::move(views)),
        references_(std::move(references)),
        repairs_(references_->repairs),
        cancel_(std::move(cancel)) {}

  [[nodiscard]] std::string name() const override { return "flat field"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return shape_; }
  [[nodiscard]] std::vector<int64_t> range() const override { return shape_; }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    require_tensor(x, shape_, name());
    if (runs_functors(x, name())) return flat_field_on_device(device_parts(), x);
    return x.scalar_type() == at::kFloat ? forward<float>(x) : forward<double>(x);
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    require_tensor(y, shape_, name());
    if (runs_functors(y, name())) return flat_field_transpose_on_device(device_parts(), y);
    return y.scalar_type() == at::kFloat ? transposed<float>(y) : transposed<double>(y);
  }

  // The whole correction where no gradient is wanted: some rows of a view at a time go through all steps in the cache.
  template <class T>
  void correct(const at::Tensor& counts, const FlatFieldSpec& spec, FlatFielded& result) const {
    at::Tensor out = spec.input == InputUse::overwrite ? counts : at::empty_like(counts);
    const at::Tensor& dark = references_->dark(out.scalar_type());
    const std::vector<at::Tensor>& signals = references_->signals(out.scalar_type());
    const int64_t cols = shape_[2], rows = std::max<int64_t>(1, band_pixels / std::max<int64_t>(cols, 1));
    const int64_t bands = (shape_[1] + rows - 1) / rows, views = shape_[0];
    std::vector<AbsorbedPart> parts(static_cast<std::size_t>(bands * views));
    const T* from = counts.const_data_ptr<T>();
    T* to = out.mutable_data_ptr<T>();
    // Views innermost: the flats of a band serve all of them.
    at::parallel_for(0, bands * views, 1, [&](int64_t first, int64_t last) {
      for (int64_t n = first; n < last; ++n) {
        cancel_.check();
        const int64_t view = n % views, row = n / views * rows, begin = row * cols;
        const int64_t count = (std::min(shape_[1], row + rows) - row) * cols;
        const Between& place = views_[static_cast<std::size_t>(view)];
        T* target = to + view * pixels() + begin;
        const T *source = from + view * pixels() + begin, *offset = dark.const_data_ptr<T>() + begin,
                *before = signals[place.before].template const_data_ptr<T>() + begin,
                *after = signals[place.after].template const_data_ptr<T>() + begin;
        const auto share = static_cast<T>(place.share);
        if constexpr (std::is_same_v<T, float>)
          if (spec.logarithm && !spec.minimum && !repairs_in(begin, count)) {
            parts[static_cast<std::size_t>(n)] =
                divide_and_absorb_line(source, {offset, before, after, share}, target, count,
                                       static_cast<float>(spec.logarithm->floor), spec.logarithm->nans);
            continue;
          }
        divide(source, offset, before, after, share, target, count);
        repair(target, begin, count);
        if (spec.minimum)
          for (int64_t i = 0; i < count; ++i)
            if (target[i] < static_cast<T>(*spec.minimum)) target[i] = static_cast<T>(*spec.minimum);
        if (spec.logarithm) parts[static_cast<std::size_t>(n)] = absorb(target, count, *spec.logarithm);
      }
    });
    if (!spec.logarithm) {
      result.transmission = out;
      return;
    }
    result.logarithm.absorption = out;
    for (const AbsorbedPart& part : parts) {
      result.logarithm.floored += part.floored;
      result.logarithm.nans += part.nans;
    }
  }

 private:
  static constexpr int64_t band_pixels = 1 << 15;

  template <class T>
  static void divide(const T* counts, const T* dark, const T* before, const T* after, T share, T* out, int64_t count) {
    if constexpr (std::is_same_v<T, float>) return divide_line(counts, {dark, before, after, share}, out, count);
    for (int64_t i = 0; i < count; ++i) out[i] = (counts[i] - dark[i]) / (before[i] + share * (after[i] - before[i]));
  }
  // Whether repair() has anything to do there.
  [[nodiscard]] bool repairs_in(int64_t begin, int64_t count) const {
    const auto& filled = repairs_.filled;
    const auto f =
        std::partition_point(filled.begin(), filled.end(), [&](const FilledPixel& p) { return p.pixel < begin; });
    if (f != filled.end() && f->pixel < begin + count) return true;
    return std::any_of(repairs_.dead_rows.begin(), repairs_.dead_rows.end(),
                       [&](int64_t row) { return row * shape_[2] >= begin && row * shape_[2] < begin + count; });
  }
  // Fills the pixels of some whole rows that have no flat; rows without any are empty beam.
  template <class T>
  void repair(T* values, int64_t begin, int64_t count) const {
    const auto& all = repairs_.filled;
    auto f = std::partition_point(all.begin(), all.end(), [&](const FilledPixel& p) { return p.pixel < begin; });
    for (; f != all.end() && f->pixel < begin + count; ++f) {
      const T left = values[f->left - begin];
      values[f->pixel - begin] = left + static_cast<T>(f->share) * (values[f->right - begin] - left);
    }
    for (const int64_t row : repairs_.dead_rows)
      if (row * shape_[2] >= begin && row * shape_[2] < begin + count)
        std::fill_n(values + row * shape_[2] - begin, shape_[2], T(1));
  }
  template <class T>
  [[nodiscard]] at::Tensor forward(const at::Tensor& x) const {
    at::Tensor out = at::empty_like(x);
    const T* source = x.const_data_ptr<T>();
    each_view<T>(out, [&](const auto& divide, int64_t view, T* target) {
      divide(source + view * pixels(), target);
      for (const FilledPixel& f : repairs_.filled)
        target[f.pixel] = target[f.left] + static_cast<T>(f.share) * (target[f.right] - target[f.left]);
      for (const int64_t row : repairs_.dead_rows) std::fill_n(target + row * shape_[2], shape_[2], T(0));
    });
    return out;
  }
  template <class T>
  [[nodiscard]] at::Tensor transposed(const at::Tensor& y) const {
    at::Tensor out = y.clone();
    each_view<T>(out, [&](const auto& divide, int64_t, T* target) {
      for (const int64_t row : repairs_.dead_rows) std::fill_n(target + row * shape_[2], shape_[2], T(0));
      for (const FilledPixel& f : repairs_.filled) {
        const T value = std::exchange(target[f.pixel], T(0));
        target[f.left] += (1 - static_cast<T>(f.share)) * value;
        target[f.right] += static_cast<T>(f.share) * value;
      }
      divide(target, target);
    });
    return out;
  }
  // work(divide, view, target) for all views; divide(from, to) divides one view's pixels by its flat.
  template <class T, class Work>
  void each_view(at::Tensor& out, const Work& work) const {
    const std::vector<at::Tensor>& signals = references_->signals(out.scalar_type());
    T* target = out.mutable_data_ptr<T>();
    at::parallel_for(0, shape_[0], 1, [&](int64_t first, int64_t last) {
      for (int64_t v = first; v < last; ++v) {
        cancel_.check();
        const Between& place = views_[static_cast<std::size_t>(v)];
        const auto divide = [&](const T* from, T* to) {
          const FlatGain<T> pixel{from, signals[place.before].template const_data_ptr<T>(),
                                  signals[place.after].template const_data_ptr<T>(), static_cast<T>(place.share), to};
          for (int64_t i = 0; i < pixels(); ++i) pixel(i);
        };
        work(divide, v, target + v * pixels());
      }
    });
  }
  [[nodiscard]] int64_t pixels() const { return shape_[1] * shape_[2]; }
  [[nodiscard]] FlatFieldParts device_parts() const {
    return {shape_, views_, references_->signals(at::kDouble), repairs_.filled, repairs_.dead_rows};
  }

  std::vector<int64_t> shape_;
  std::vector<Between> views_;
  ReferencesPtr references_;
  const Repairs& repairs_;
  CancelToken cancel_;
};

constexpr const char* where = "flat field";

Result<void> check_references(const FlatFieldSpec& spec) {
  if (!spec.flats.defined() || spec.flats.dim() != 3 || spec.flats.size(0) < 1)
    return invalid("there are no flats (images without the object)", where,
                   "Choose a scan that has them, or leave this node out if the data is corrected already");
  if (spec.darks.defined() &&
      (spec.darks.dim() != 3 || spec.darks.size(0) < 1 || spec.darks.sizes().slice(1) != spec.flats.sizes().slice(1)))
    return invalid(
        "the darks are " + shape_text(spec.darks.sizes().vec()) + ", the flats " + shape_text(spec.flats.sizes().vec()),
        where, "Rows and columns must be the same");
  if (spec.change == FlatChange::interpolate && static_cast<int64_t>(spec.flat_positions.size()) != spec.flats.size(0))
    return invalid(
        std::to_string(spec.flat_positions.size()) + " positions for " + std::to_string(spec.flats.size(0)) + " flats",
        where, "Use constant flats, or a scan that says when each flat was taken");
  return ok();
}

Result<void> check(const at::Tensor& data, const FlatFieldSpec& spec) {
  if (!data.defined() || data.dim() != 3 || !data.is_floating_point())
    return invalid("the projections are not a floating-point tensor [view, row, col]", where);
  TL_TRY(check_device(data, where));
  if (spec.prepared == nullptr) {
    TL_TRY(check_references(spec));
    if (spec.flats.sizes().slice(1) != data.sizes().slice(1))
      return invalid("the flats are " + shape_text(spec.flats.sizes().vec()) + ", the projections " +
                         shape_text(data.sizes().vec()),
                     where, "Rows and columns must be the same");
  }
  if (!spec.view_positions.empty() && static_cast<int64_t>(spec.view_positions.size()) != data.size(0))
    return invalid("view positions do not match the number of views", where);
  if (spec.logarithm) return check(*spec.logarithm);
  return ok();
}

}  // namespace

int64_t flat_references_bytes(int64_t rows, int64_t cols) {
  return 3 * rows * cols * static_cast<int64_t>(sizeof(float) + sizeof(double));
}

Result<std::shared_ptr<FlatReferences>> prepare_flats(const FlatFieldSpec& spec) {
  TL_TRY(check_references(spec));
  auto made = std::make_shared<FlatReferences>(spec);
  if (static_cast<int64_t>(made->repairs.dead_rows.size()) == made->rows() && made->rows() > 0)
    return invalid("no pixel has a flat that is brighter than its dark", "flat field",
                   "Check which images are flats and darks");
  return made;
}

Result<FlatFielded> flat_field(const at::Tensor& data, const FlatFieldSpec& spec) {
  TL_TRY(check(data, spec));
  ReferencesPtr references = spec.prepared;
  if (references == nullptr) {
    TL_TRY(references, prepare_flats(spec));
  }
  if (references->rows() != data.size(1) || references->cols() != data.size(2))
    return invalid("the flats were prepared for other rows or columns", "flat field");
  const Repairs& repairs = references->repairs;
  std::vector<Between> places;
  for (int64_t v = 0; v < data.size(0); ++v)
    places.push_back(locate(references->positions, spec.view_positions.empty()
                                                       ? static_cast<double>(v)
                                                       : spec.view_positions[static_cast<std::size_t>(v)]));
  FlatFielded result;
  result.repaired = static_cast<int64_t>(repairs.filled.size());
  result.dead_rows = static_cast<int64_t>(repairs.dead_rows.size());
  const auto op = std::make_shared<FlatFieldOperator>(data.sizes().vec(), std::move(places), references, spec.cancel);
  if (!is_differentiated(data) && (data.scalar_type() == at::kFloat || data.scalar_type() == at::kDouble) &&
      !runs_functors(data, where)) {
    const at::Tensor counts = data.detach().contiguous();
    if (data.scalar_type() == at::kFloat)
      op->correct<float>(counts, spec, result);
    else
      op->correct<double>(counts, spec, result);
    return result;
  }
  const at::Tensor dead = at::tensor(repairs.dead_rows, at::kLong).to(data.device());
  at::Tensor transmission = tl::apply(op, data - references->dark(data.scalar_type()).to(data.device()));
  if (result.dead_rows > 0) transmission = transmission.index_fill(1, dead, 1);
  if (spec.minimum) transmission = transmission.clamp_min(*spec.minimum);
  if (spec.logarithm) {
    TL_TRY(result.logarithm, minus_log(transmission, *spec.logarithm));
  } else {
    result.transmission = transmission;
  }
  return result;
}

}  // namespace tl::ops
