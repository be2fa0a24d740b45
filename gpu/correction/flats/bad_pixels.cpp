// Finds bad detector pixels by local medians, and fills them from four directions.
#include "gpu/correction/flats/bad_pixels.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gpu/correction/flats/flat_field.h"
#include "gpu/correction/sinograms.h"
#include "gpu/device/parallel_for.h"

namespace tl::ops {
namespace {

constexpr int64_t neighbourhood = 5;  // side of the square with which a pixel is compared

double median_of(std::vector<double>& values) {
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Median of the finite values around each pixel, excluding the pixel itself.
at::Tensor local_median(const at::Tensor& image) {
  const int64_t rows = image.size(0), cols = image.size(1), half = neighbourhood / 2;
  at::Tensor out = at::empty_like(image);
  const auto* x = image.const_data_ptr<double>();
  auto* target = out.mutable_data_ptr<double>();
  ops::parallel_for(0, rows, 8, [&](int64_t first, int64_t last) {
    std::vector<double> near;
    for (int64_t r = first; r < last; ++r)
      for (int64_t c = 0; c < cols; ++c) {
        near.clear();
        for (int64_t y = std::max<int64_t>(0, r - half); y <= std::min(rows - 1, r + half); ++y)
          for (int64_t z = std::max<int64_t>(0, c - half); z <= std::min(cols - 1, c + half); ++z)
            if ((y != r || z != c) && std::isfinite(x[y * cols + z])) near.push_back(x[y * cols + z]);
        target[r * cols + c] = median_of(near);
      }
  });
  return out;
}

double overall_median(const at::Tensor& image) {
  std::vector<double> values;
  for (int64_t i = 0; i < image.numel(); ++i)
    if (std::isfinite(image.const_data_ptr<double>()[i])) values.push_back(image.const_data_ptr<double>()[i]);
  return median_of(values);
}

// A value to fill and its sources: indices in the whole tensor, weights with sum 1.
struct Filling {
  int64_t target;
  std::array<int64_t, 4> source;
  std::array<double, 4> weight;
};

struct ViewFillings {
  std::vector<Filling> fillings;
  int64_t saturated = 0, missing = 0, unfilled = 0;
};

class ViewFiller {
 public:
  ViewFiller(int64_t rows, int64_t cols) : rows_(rows), cols_(cols), bad_(static_cast<std::size_t>(rows * cols)) {}

  template <class T>
  void find(const T* view, int64_t offset, const FillPixelsSpec& spec, ViewFillings& out) {
    const uint8_t* mask = spec.mask.defined() ? spec.mask.const_data_ptr<uint8_t>() : nullptr;
    bool any = false;
    for (int64_t i = 0; i < rows_ * cols_; ++i) {
      const bool masked = mask != nullptr && mask[i] != 0, missing = !std::isfinite(view[i]);
      const bool saturated = spec.saturation && static_cast<double>(view[i]) >= *spec.saturation;
      bad_[static_cast<std::size_t>(i)] = masked || missing || saturated ? 1 : 0;
      any = any || bad_[static_cast<std::size_t>(i)] != 0;
      if (masked) continue;
      out.missing += missing ? 1 : 0;
      out.saturated += saturated && !missing ? 1 : 0;
    }
    if (!any) return;
    for (int64_t r = 0; r < rows_; ++r)
      for (int64_t c = 0; c < cols_; ++c)
        if (bad(r, c)) fill(r, c, offset, out);
  }

 private:
  [[nodiscard]] bool bad(int64_t r, int64_t c) const { return bad_[static_cast<std::size_t>(r * cols_ + c)] != 0; }
  void fill(int64_t r, int64_t c, int64_t offset, ViewFillings& out) const {
    Filling f{offset + r * cols_ + c, {}, {}};
    constexpr std::array<std::array<int64_t, 2>, 4> directions = {{{0, -1}, {0, 1}, {-1, 0}, {1, 0}}};
    double sum = 0;
    int64_t usable = -1;
    for (std::size_t w = 0; w < 4; ++w) {
      int64_t y = r + directions[w][0], x = c + directions[w][1], steps = 1;
      const auto inside = [&] { return y >= 0 && y < rows_ && x >= 0 && x < cols_; };
      for (; inside() && bad(y, x); ++steps) {
        y += directions[w][0];
        x += directions[w][1];
      }
      if (!inside()) continue;
      f.source[w] = usable = offset + y * cols_ + x;
      sum += f.weight[w] = 1 / static_cast<double>(steps);
    }
    if (usable < 0) {
      ++out.unfilled;
      return;
    }
    for (std::size_t w = 0; w < 4; ++w) {
      if (f.weight[w] == 0) f.source[w] = usable;
      f.weight[w] /= sum;
    }
    out.fillings.push_back(f);
  }
  int64_t rows_, cols_;
  std::vector<uint8_t> bad_;
};

template <class T>
std::vector<ViewFillings> find_all(const at::Tensor& x, const FillPixelsSpec& spec) {
  const int64_t pixels = x.size(1) * x.size(2);
  std::vector<ViewFillings> all(static_cast<std::size_t>(x.size(0)));
  ops::parallel_for(0, x.size(0), 1, [&](int64_t first, int64_t last) {
    ViewFiller filler(x.size(1), x.size(2));
    for (int64_t v = first; v < last; ++v) {
      spec.cancel.check();
      filler.find(x.const_data_ptr<T>() + v * pixels, v * pixels, spec, all[static_cast<std::size_t>(v)]);
    }
  });
  return all;
}

}  // namespace

Result<at::Tensor> find_bad_pixels(const at::Tensor& flats, const at::Tensor& darks, const BadPixelLimits& limits) {
  const std::string where = "bad pixels";
  for (const at::Tensor* t : {&flats, &darks})
    if (t->defined() && (t->dim() != 3 || t->size(0) < 1))
      return invalid("flats and darks must be [n, row, col] with at least one frame", where);
  if (!flats.defined() && !darks.defined()) return invalid("there are neither flats nor darks", where);
  const at::Tensor dark = darks.defined() ? average_frames(darks, FrameAverage::mean) : at::Tensor();
  const at::Tensor flat = flats.defined() ? average_frames(flats, FrameAverage::mean) : at::Tensor();
  if (flat.defined() && dark.defined() && !flat.sizes().equals(dark.sizes()))
    return invalid("flats and darks have different sizes", where);
  at::Tensor bad = at::zeros((flat.defined() ? flat : dark).sizes(), at::kBool);
  double level = dark.defined() ? std::abs(overall_median(dark)) : 0;
  if (flat.defined()) {
    const at::Tensor signal = dark.defined() ? flat - dark : flat;
    level = overall_median(signal);
    const at::Tensor usual = local_median(signal);
    bad = bad.logical_or((signal - usual).abs().gt(limits.response * usual.abs()))
              .logical_or(signal.isfinite().logical_not());
  }
  if (dark.defined())
    bad = bad.logical_or((dark - local_median(dark)).gt(limits.hot * level)).logical_or(dark.isfinite().logical_not());
  return bad.to(at::kByte);
}

Result<FillPixelsResult> fill_pixels(const at::Tensor& projections, const FillPixelsSpec& spec) {
  const std::string where = "bad pixels";
  TL_TRY(check_projections(projections, where));
  if (spec.mask.defined() && (spec.mask.scalar_type() != at::kByte || !spec.mask.is_contiguous() ||
                              !spec.mask.sizes().equals({projections.size(1), projections.size(2)})))
    return invalid("the mask does not fit the detector", where);
  FillPixelsResult result{projections};
  if (projections.numel() == 0) return result;
  if (spec.mask.defined()) result.masked = spec.mask.ne(0).sum().item<int64_t>();
  const at::Tensor plain = projections.detach().contiguous();
  const auto all = plain.scalar_type() == at::kFloat ? find_all<float>(plain, spec) : find_all<double>(plain, spec);
  std::vector<int64_t> target, source;
  std::vector<double> weight;
  for (const ViewFillings& view : all) {
    result.saturated += view.saturated;
    result.missing += view.missing;
    result.unfilled += view.unfilled;
    for (const Filling& f : view.fillings) {
      target.push_back(f.target);
      source.insert(source.end(), f.source.begin(), f.source.end());
      weight.insert(weight.end(), f.weight.begin(), f.weight.end());
    }
  }
  if (target.empty()) return result;
  const at::Tensor flat = projections.reshape({-1});
  const at::Tensor near = flat.index_select(0, at::tensor(source, at::kLong)).view({-1, 4});
  const at::Tensor share = at::tensor(weight, at::kDouble).to(flat.scalar_type()).view({-1, 4});
  const at::Tensor values = (near * share).sum(at::IntArrayRef{1});
  result.projections = flat.scatter(0, at::tensor(target, at::kLong), values).view(projections.sizes());
  return result;
}

}  // namespace tl::ops
