// Corrects views by flats and darks: divides every view by its interpolated flat, and takes the logarithm if requested.
#include "gpu/correction/flats/flat_field.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "gpu/correction/counts.h"
#include "gpu/correction/flats/flat_field_launch.h"
#include "gpu/correction/flats/flat_field_math.h"
#include "gpu/correction/flats/flat_references.h"
#include "gpu/correction/pixel_lines.h"
#include "gpu/device/launch.h"
#include "gpu/device/parallel_for.h"
#include "gpu/operator/forward_mode.h"
#include "gpu/operator/linear_operator.h"
#include "gpu/operator/operator_checks.h"

namespace tl::ops {
namespace {

using ReferencesPtr = std::shared_ptr<const FlatReferences>;

// The linear part: data - dark -> transmission (0 in dead rows). Division by the flat is its own transpose; the
// transpose of filling a pixel from two others is adding it to them.
class FlatFieldOperator final : public LinearOperator {
 public:
  FlatFieldOperator(std::vector<int64_t> shape, std::vector<FlatInterpolation> views, ReferencesPtr references,
                    CancelToken cancel)
      : shape_(std::move(shape)),
        views_(std::move(views)),
        references_(std::move(references)),
        repairs_(references_->repairs()),
        cancel_(std::move(cancel)) {}

  [[nodiscard]] std::string name() const override { return "flat field"; }
  [[nodiscard]] std::vector<int64_t> domain() const override { return shape_; }
  [[nodiscard]] std::vector<int64_t> range() const override { return shape_; }
  [[nodiscard]] at::Tensor apply(const at::Tensor& x) const override {
    require_tensor(x, shape_, name());
    if (runs_functors(x, name())) return launch_flat_field(device_parts(), x);
    return x.scalar_type() == at::kFloat ? forward<float>(x) : forward<double>(x);
  }
  [[nodiscard]] at::Tensor adjoint(const at::Tensor& y) const override {
    require_tensor(y, shape_, name());
    if (runs_functors(y, name())) return launch_flat_field_transpose(device_parts(), y);
    return y.scalar_type() == at::kFloat ? transposed<float>(y) : transposed<double>(y);
  }

  // The whole correction if no gradient is needed: all steps process a band of rows of a view while it is in the cache.
  // `counts` may be `out`, or be stored within it as described in counts.h; the pixels of a view are contiguous.
  template <class Count, class T>
  void correct(const at::Tensor& counts, const at::Tensor& out, const FlatFieldSpec& spec,
               FlatFieldResult& result) const {
    const int64_t cols = shape_[2], rows = std::max<int64_t>(1, band_pixels / std::max<int64_t>(cols, 1));
    const int64_t bands = (shape_[1] + rows - 1) / rows, views = shape_[0];
    std::vector<BandPart> parts(static_cast<std::size_t>(bands * views));
    const Count* from = counts.const_data_ptr<Count>();
    T* to = out.mutable_data_ptr<T>();
    DeadLines dead;
    if (spec.unusable == Unusable::fill) {
      dead.rows.resize(static_cast<std::size_t>(views * shape_[1]));
      dead.constant_views = constant_views(from, views, counts.stride(0), pixels());
    }
    const auto correct_band = [&](int64_t band, int64_t view) {
      cancel_.check();
      const int64_t row = band * rows, begin = row * cols, count = (std::min(shape_[1], row + rows) - row) * cols;
      const Count* here = from + view * counts.stride(0) + begin;
      BandPart& part = parts[static_cast<std::size_t>(band * views + view)];
      std::vector<uint8_t> flags;
      if (spec.unusable == Unusable::fill) flags = unusable_flags(here, count);
      T* target = to + view * pixels() + begin;
      part.absorbed = correct_pixels(here, view, begin, count, spec, target);
      if (!flags.empty()) part.filled = fill_band(target, begin, flags, dead.rows.data() + view * shape_[1] + row);
    };
    // The inner loop is over views: the flats of a band are reused for all of them.
    if (!std::is_same_v<Count, T> && counts.is_alias_of(out)) {
      ops::parallel_for(0, views, 1, [&](int64_t first, int64_t last) {  // in ascending order of pixels, see counts.h
        for (int64_t band = 0; band < bands; ++band)
          for (int64_t view = first; view < last; ++view) correct_band(band, view);
      });
    } else {
      ops::parallel_for(0, bands * views, 1, [&](int64_t first, int64_t last) {
        for (int64_t n = first; n < last; ++n) correct_band(n / views, n % views);
      });
    }
    collect(parts, bands, rows, result);
    const double empty = spec.logarithm ? 0 : 1;
    if (spec.unusable == Unusable::fill) fill_lines(to, shape_[1], cols, dead, empty, spec.geometry, result.unusable);
    (spec.logarithm ? result.logarithm.absorption : result.transmission) = out;
  }

 private:
  static constexpr int64_t band_pixels = 1 << 15;

  // Result for a band of rows of a view.
  struct BandPart {
    MinusLogCounts absorbed;
    FillRowsResult filled;
  };

  void collect(const std::vector<BandPart>& parts, int64_t bands, int64_t rows, FlatFieldResult& result) const {
    const int64_t cols = shape_[2], views = shape_[0];
    for (int64_t view = 0; view < views; ++view) {
      int64_t floored = 0;
      for (int64_t band = 0; band < bands; ++band) {
        const auto& [absorbed, filled] = parts[static_cast<std::size_t>(band * views + view)];
        floored += absorbed.floored;
        // Filled values do not count as NaN.
        result.logarithm.nans += filled.values > 0 ? 0 : absorbed.nans;
        if (filled.values > 0 && result.unusable.values == 0) {
          result.unusable.view = view;
          result.unusable.row = band * rows + filled.first / cols;
          result.unusable.col = filled.first % cols;
        }
        result.unusable.values += filled.values;
      }
      result.logarithm.floored += floored;
      if (floored > 0 && 2 * floored >= pixels() && result.dark_views++ == 0) result.first_dark = view;
    }
  }
  // Also marks pixels that were repaired from unusable pixels.
  template <class T>
  FillRowsResult fill_band(T* out, int64_t begin, std::vector<uint8_t>& flags, uint8_t* dead_rows) const {
    const auto& all = repairs_.filled;
    const auto end = begin + static_cast<int64_t>(flags.size());
    const auto flagged = [&](int64_t pixel) { return flags[static_cast<std::size_t>(pixel - begin)] != 0; };
    auto f = std::partition_point(all.begin(), all.end(), [&](const FilledPixel& p) { return p.pixel < begin; });
    for (; f != all.end() && f->pixel < end; ++f)
      if (flagged(f->left) || flagged(f->right)) flags[static_cast<std::size_t>(f->pixel - begin)] = 1;
    return fill_rows(out, flags, shape_[2], dead_rows);
  }

  // Corrects some whole rows of a view, starting at pixel index `begin`.
  template <class Count, class T>
  MinusLogCounts correct_pixels(const Count* counts, int64_t view, int64_t begin, int64_t count,
                                const FlatFieldSpec& spec, T* out) const {
    const FlatInterpolation& place = views_[static_cast<std::size_t>(view)];
    constexpr at::ScalarType type = c10::CppTypeToScalarType<T>::value;
    const std::vector<at::Tensor>& signals = references_->signals(type);
    const T *dark = references_->dark(type).template const_data_ptr<T>() + begin,
            *before = signals[place.before].template const_data_ptr<T>() + begin,
            *after = signals[place.after].template const_data_ptr<T>() + begin;
    const auto share = static_cast<T>(place.share);
    if constexpr (std::is_same_v<T, float>) {
      const LineReferences line{dark, before, after, share};
      if (spec.logarithm && !spec.minimum && !repairs_in(begin, count)) {
        const auto floor = static_cast<float>(spec.logarithm->floor);
        if constexpr (std::is_same_v<Count, uint16_t>)
          return divide_and_absorb_line(counts, line, out, count, floor);
        else
          return divide_and_absorb_line(counts, line, out, count, floor, spec.logarithm->nans);
      }
      divide_line(counts, line, out, count);
    } else {
      for (int64_t i = 0; i < count; ++i) out[i] = (counts[i] - dark[i]) / (before[i] + share * (after[i] - before[i]));
    }
    repair(out, begin, count);
    if (spec.minimum)
      for (int64_t i = 0; i < count; ++i)
        if (out[i] < static_cast<T>(*spec.minimum)) out[i] = static_cast<T>(*spec.minimum);
    return spec.logarithm ? minus_log_in_place(out, count, *spec.logarithm) : MinusLogCounts{};
  }
  // Whether repair() would change any pixel in this range.
  [[nodiscard]] bool repairs_in(int64_t begin, int64_t count) const {
    const auto& filled = repairs_.filled;
    const auto f =
        std::partition_point(filled.begin(), filled.end(), [&](const FilledPixel& p) { return p.pixel < begin; });
    if (f != filled.end() && f->pixel < begin + count) return true;
    return std::any_of(repairs_.dead_rows.begin(), repairs_.dead_rows.end(),
                       [&](int64_t row) { return row * shape_[2] >= begin && row * shape_[2] < begin + count; });
  }
  // Fills pixels without a usable flat in some whole rows; rows without any usable pixel become empty beam.
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
  // Calls work(divide, view, target) for all views; divide(from, to) divides one view's pixels by its flat.
  template <class T, class Work>
  void each_view(at::Tensor& out, const Work& work) const {
    const std::vector<at::Tensor>& signals = references_->signals(out.scalar_type());
    T* target = out.mutable_data_ptr<T>();
    ops::parallel_for(0, shape_[0], 1, [&](int64_t first, int64_t last) {
      for (int64_t v = first; v < last; ++v) {
        cancel_.check();
        const FlatInterpolation& place = views_[static_cast<std::size_t>(v)];
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
  [[nodiscard]] FlatFieldTables device_parts() const {
    return {shape_, views_, references_->signals(at::kDouble), repairs_.filled, repairs_.dead_rows};
  }

  std::vector<int64_t> shape_;
  std::vector<FlatInterpolation> views_;
  ReferencesPtr references_;
  const PixelRepairs& repairs_;
  CancelToken cancel_;
};

constexpr const char* where = "flat field";

Result<void> check(const at::Tensor& data, const FlatFieldSpec& spec) {
  if (!data.defined() || data.dim() != 3 || !(data.is_floating_point() || data.scalar_type() == at::kUInt16))
    return invalid("the projections are not a tensor [view, row, col] of floating-point numbers or counts", where);
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

// The data as passed to correct(), and the tensor for the result.
struct InputAndOutput {
  at::Tensor data, out;
};

InputAndOutput places_of(const at::Tensor& given, InputUse use) {
  if (given.scalar_type() != at::kUInt16) {
    const at::Tensor data = given.detach().contiguous();
    return {data, use == InputUse::overwrite ? data : at::empty_like(data)};
  }
  at::Tensor around = use == InputUse::overwrite ? floats_of_counts(given) : at::Tensor();
  if (around.defined()) return {given, around};
  const bool neighbours = given.stride(1) == given.size(2) && given.stride(2) == 1;
  return {neighbours ? given : given.contiguous(), at::empty(given.sizes(), at::kFloat)};
}

bool may_be_unusable(const at::Tensor& data) {
  return !data.detach().abs().le(largest_value).all().item<bool>() || has_constant_view(data);
}

}  // namespace

Result<FlatFieldResult> flat_field(const at::Tensor& data, const FlatFieldSpec& spec) {
  TL_TRY(check(data, spec));
  ReferencesPtr references = spec.prepared;
  if (references == nullptr) {
    TL_TRY(references, prepare_flats(spec));
  }
  if (references->rows() != data.size(1) || references->cols() != data.size(2))
    return invalid("the flats were prepared for other rows or columns", "flat field");
  const bool counts = data.scalar_type() == at::kUInt16, elsewhere = runs_functors(data, where);
  if (counts && (elsewhere || !references->counts_stay_finite())) return flat_field(data.to(at::kFloat), spec);
  const PixelRepairs& repairs = references->repairs();
  std::vector<FlatInterpolation> places;
  for (int64_t v = 0; v < data.size(0); ++v)
    places.push_back(references->place_of(
        spec.view_positions.empty() ? static_cast<double>(v) : spec.view_positions[static_cast<std::size_t>(v)]));
  FlatFieldResult result;
  result.repaired = static_cast<int64_t>(repairs.filled.size());
  result.dead_rows = static_cast<int64_t>(repairs.dead_rows.size());
  const auto op = std::make_shared<FlatFieldOperator>(data.sizes().vec(), std::move(places), references, spec.cancel);
  const bool single = data.scalar_type() == at::kFloat, twice = data.scalar_type() == at::kDouble;
  const bool differentiated = is_differentiated(data);
  // On a GPU, unusable values are rare: the CPU fills them.
  const bool fetch =
      elsewhere && !differentiated && (single || twice) && spec.unusable == Unusable::fill && may_be_unusable(data);
  if (counts || fetch || (!differentiated && (single || twice) && !elsewhere)) {
    const auto [from, out] = places_of(fetch ? data.cpu() : data, spec.input);
    if (counts)
      op->correct<uint16_t, float>(from, out, spec, result);
    else if (single)
      op->correct<float, float>(from, out, spec, result);
    else
      op->correct<double, double>(from, out, spec, result);
    for (at::Tensor* t : {&result.transmission, &result.logarithm.absorption})
      if (fetch && t->defined()) *t = t->to(data.device());
    return result;
  }
  const at::Tensor values = spec.unusable == Unusable::fill && differentiated
                                ? data.masked_fill(data.detach().abs().le(largest_value).logical_not(), std::nan(""))
                                : data;
  const at::Tensor dead = at::tensor(repairs.dead_rows, at::kLong).to(data.device());
  at::Tensor transmission = tl::apply(op, values - references->dark(data.scalar_type()).to(data.device()));
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
