// Removes zingers. Finds outliers by counting instead of computing medians: a pixel exceeds the median by more than the
// limit exactly if it exceeds more than half of its window by that.
#include "gpu/correction/zingers.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/correction/sinograms.h"
#include "gpu/correction/zingers_math.h"
#include "gpu/device/launch.h"
#include "gpu/device/parallel_for.h"
#include "gpu/image/mirrored_index.h"

namespace tl::ops {
namespace {

// An outlier, and the pixel of its view that has the median value of its window.
struct Replacement {
  int64_t pixel, source;
};

template <class T>
class ViewSearch {
 public:
  ViewSearch(int64_t rows, int64_t cols, const ZingersSpec& spec) : rows_(rows), cols_(cols), spec_(spec) {
    const int64_t half = spec.size / 2;
    for (int64_t c = -half; c < cols + half; ++c) from_col_.push_back(mirrored_index(c, cols));
    count_.resize(static_cast<std::size_t>(cols));
    line_.resize(from_col_.size());
  }
  void find(const T* view, std::vector<Replacement>& found) {
    for (int64_t row = 0; row < rows_; ++row) {
      if (spec_.side != OutlierSide::darker) search(view, row, 1, found);
      if (spec_.side != OutlierSide::brighter) search(view, row, -1, found);
    }
  }

 private:
  // Counts, for each pixel of a row, the window values that it exceeds by the limit; sign -1 finds dark outliers.
  void search(const T* view, int64_t row, int sign, std::vector<Replacement>& found) {
    const int64_t half = spec_.size / 2;
    const T limit = static_cast<T>(spec_.limit), s = static_cast<T>(sign);
    const bool relative = spec_.scale == OutlierScale::relative;
    std::fill(count_.begin(), count_.end(), 0);
    const T* own = view + row * cols_;
    for (int64_t r = row - half; r <= row + half; ++r) {
      const T* source = view + mirrored_index(r, rows_) * cols_;
      for (std::size_t i = 0; i < line_.size(); ++i) {
        const T v = source[from_col_[i]];
        line_[i] = outlier_limit(v, s, limit, relative);
      }
      for (int64_t k = 0; k < spec_.size; ++k) {
        const T* shifted = line_.data() + k;
        for (int64_t c = 0; c < cols_; ++c) count_[static_cast<std::size_t>(c)] += shifted[c] < s * own[c] ? 1 : 0;
      }
    }
    for (int64_t c = 0; c < cols_; ++c)
      if (count_[static_cast<std::size_t>(c)] > spec_.size * spec_.size / 2)
        found.push_back({row * cols_ + c, median_pixel(view, row, c)});
  }
  int64_t median_pixel(const T* view, int64_t row, int64_t col) {
    const int64_t half = spec_.size / 2;
    window_.clear();
    for (int64_t r = row - half; r <= row + half; ++r)
      for (int64_t c = 0; c < spec_.size; ++c)
        window_.push_back(mirrored_index(r, rows_) * cols_ + from_col_[static_cast<std::size_t>(col + c)]);
    const auto middle = window_.begin() + static_cast<std::ptrdiff_t>(window_.size() / 2);
    std::nth_element(window_.begin(), middle, window_.end(), [&](int64_t a, int64_t b) {
      const bool last = std::isnan(view[b]) && !std::isnan(view[a]);
      return view[a] < view[b] || last || (!(view[b] < view[a]) && !std::isnan(view[a]) && a < b);
    });
    return *middle;
  }

  int64_t rows_, cols_;
  const ZingersSpec& spec_;
  std::vector<int64_t> from_col_, window_;
  std::vector<T> line_;
  std::vector<int32_t> count_;
};

template <class T>
std::vector<std::vector<Replacement>> find_all(const at::Tensor& x, const ZingersSpec& spec) {
  const int64_t pixels = x.size(1) * x.size(2);
  const T* data = x.const_data_ptr<T>();
  std::vector<std::vector<Replacement>> found(static_cast<std::size_t>(x.size(0)));
  ops::parallel_for(0, x.size(0), 1, [&](int64_t first, int64_t last) {
    ViewSearch<T> search(x.size(1), x.size(2), spec);
    for (int64_t v = first; v < last; ++v) {
      spec.cancel.check();
      search.find(data + v * pixels, found[static_cast<std::size_t>(v)]);
    }
  });
  return found;
}

template <class T>
ZingerRemovalResult run_on_device(const at::Tensor& projections, const at::Tensor& plain, const ZingersSpec& spec) {
  spec.cancel.check();
  at::Tensor from = at::empty(plain.sizes(), plain.options().dtype(at::kLong));
  launch(plain.device(),
         ZingerSource<T>{plain.const_data_ptr<T>(), plain.size(1), plain.size(2), spec.size, static_cast<T>(spec.limit),
                         spec.scale == OutlierScale::relative, spec.side != OutlierSide::darker,
                         spec.side != OutlierSide::brighter, from.mutable_data_ptr<int64_t>()},
         plain.numel());
  const at::Tensor flat = from.view(-1);
  const auto replaced = flat.ne(at::arange(flat.numel(), flat.options())).sum().template item<int64_t>();
  if (replaced == 0) return {projections, 0};
  return {projections.reshape({-1}).index_select(0, flat).view(projections.sizes()), replaced};
}

}  // namespace

Result<ZingerRemovalResult> remove_zingers(const at::Tensor& projections, const ZingersSpec& spec) {
  const std::string where = "zinger removal";
  TL_TRY(check_projections_on_any_device(projections, where));
  if (spec.size < 3 || spec.size > 31 || spec.size % 2 == 0)
    return invalid("a window of " + std::to_string(spec.size) + " pixels", where, "Choose an odd number from 3 to 31");
  if (!(spec.limit > 0) || !std::isfinite(spec.limit)) return invalid("the limit must be positive", where);
  if (projections.numel() == 0) return ZingerRemovalResult{projections, 0};
  const at::Tensor plain = projections.detach().contiguous();
  if (runs_functors(plain, where))
    return plain.scalar_type() == at::kFloat ? run_on_device<float>(projections, plain, spec)
                                             : run_on_device<double>(projections, plain, spec);
  const auto found = plain.scalar_type() == at::kFloat ? find_all<float>(plain, spec) : find_all<double>(plain, spec);
  const int64_t pixels = plain.size(1) * plain.size(2);
  std::vector<int64_t> target, source;
  for (std::size_t v = 0; v < found.size(); ++v)
    for (const Replacement& r : found[v]) {
      target.push_back(static_cast<int64_t>(v) * pixels + r.pixel);
      source.push_back(static_cast<int64_t>(v) * pixels + r.source);
    }
  const auto replaced = static_cast<int64_t>(target.size());
  if (replaced == 0) return ZingerRemovalResult{projections, 0};
  const at::Tensor flat = projections.reshape({-1});
  const at::Tensor values = flat.index_select(0, at::tensor(source, at::kLong));
  return ZingerRemovalResult{flat.scatter(0, at::tensor(target, at::kLong), values).view(projections.sizes()),
                             replaced};
}

}  // namespace tl::ops
