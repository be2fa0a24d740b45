// Filters the views of a window of a stream that no earlier window contained.
#include "core/nodes/window_views.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/node/shared_memo.h"
#include "core/values/crop.h"
#include "gpu/correction/unusable_values.h"
#include "gpu/filtering/fdk_weights.h"
#include "gpu/projection/view_weights.h"

namespace tl {
namespace {

// Digest of everything on which a view depends when it is filtered without its angular weight, with columns at a pitch
// of 1.
Hash content_of_view(const FilterTask& task, const Projections& in, int64_t view) {
  Hasher hasher;
  for (const int64_t n : in.data.sizes().slice(1)) hasher.add(n);
  add_filter_settings(task, hasher.add(in.contents[static_cast<std::size_t>(view)]));
  if (task.cone == ConeWeights::none) return hasher.digest();
  // The cosines depend only on directions and ratios. Windows compute the geometry of the same view from different
  // neighbouring angles, so that it may differ in the last digits; 1e-8 of the distance is far below a pixel.
  const View& v = in.geometry.view(view);
  const double distance = norm(v.detector - v.beam);
  const auto add = [&](double ratio) { hasher.add(static_cast<int64_t>(std::llround(1e8 * ratio))); };
  for (const Vec3& position : {v.beam, v.detector})
    for (const double x : {position.x, position.y, position.z}) add(x / distance);
  for (const Vec3& step : {v.u, v.v}) {
    for (const double x : {step.x, step.y, step.z}) add(x / norm(step));
    add(std::log(norm(step) / distance));
  }
  add(std::log(norm(v.u) / in.geometry.detector().pitch_u));
  return hasher.digest();
}

// Whether views are filled from other views, so that their result depends on those as well.
bool need_other_views(const at::Tensor& views) {
  constexpr double beam = 0.05;  // a constant view above this value may be dead, see fill_unusable_values()
  if (ops::fill_unusable_values(views, 0).found.any()) return true;
  if (!ops::has_constant_view(views)) return false;
  const at::Tensor least = views.amin({1, 2});
  return (views.amax({1, 2}).eq(least) & least.abs().gt(beam)).any().item<bool>();
}

}  // namespace

Result<WindowViews> window_views(const FilterTask& task, const Projections& in, NodeRun& r) {
  constexpr int64_t block_bytes = int64_t{8} << 20;  // the memory of a block is freed only with the last of its views
  const int64_t count = in.geometry.views(), rows = in.data.size(1), cols = in.data.size(2);
  const int64_t view_bytes = std::max<int64_t>(1, rows * cols * in.data.element_size());
  const int64_t longest = std::max<int64_t>(4, block_bytes / view_bytes);
  WindowViews window;
  TL_TRY(ops::ViewWeights angular, ops::view_weights(in.geometry));
  window.weights = std::move(angular.weights);
  for (double& weight : window.weights) weight /= task.pitch;
  const std::vector<double> columns = column_factors(in.geometry);
  for (std::size_t i = 0; i < columns.size(); ++i) window.weights[i] *= columns[i];
  for (int64_t i = 0; i < count; ++i) {
    window.contents.push_back(content_of_view(task, in, i));
    window.views.push_back(kept_view_memo<at::Tensor>(r, window.contents.back()));
  }
  const auto is_missing = [&](int64_t i) { return !window.views[static_cast<std::size_t>(i)]; };
  for (int64_t begin = 0; begin < count; ++begin) {
    int64_t end = begin;
    while (end < count && end - begin < longest && is_missing(end)) ++end;
    if (end == begin) continue;
    const Projections block = crop(in, {{begin, end}, {0, rows}, {0, cols}});
    if (need_other_views(block.data)) return WindowViews{};
    report_truncation(task, block.data, {}, r);
    at::Tensor weighted = block.data.contiguous();
    if (task.cone == ConeWeights::fdk) {
      TL_TRY(const OperatorPtr cosines, ops::make_fdk_weights(block.geometry));
      weighted = tl::apply(cosines, weighted);
    }
    TL_TRY(const at::Tensor filtered, ramp_filtered(task, weighted, 1, r));
    for (int64_t i = begin; i < end; ++i) {
      const auto n = static_cast<std::size_t>(i);
      window.views[n] = view_memo<at::Tensor>(r, window.contents[n], view_bytes, [&] {
        return std::make_shared<at::Tensor>(filtered.select(0, i - begin));
      });
    }
    begin = end - 1;
  }
  return window;
}

at::Tensor weighted_views(const WindowViews& window, Range views, int64_t row_margin) {
  const at::Tensor& like = *window.views.front();
  const int64_t rows = like.size(0);
  at::Tensor all = at::empty({views.size(), rows + 2 * row_margin, like.size(1)}, like.options());
  for (int64_t i = 0; i < views.size(); ++i) {
    const auto n = static_cast<std::size_t>(views.begin + i);
    const at::Tensor view = all.select(0, i);
    at::Tensor inner = view.narrow(0, row_margin, rows);
    at::mul_out(inner, *window.views[n], at::scalar_tensor(window.weights[n], at::kDouble));
    for (int64_t row = 0; row < row_margin; ++row) {
      view.select(0, row).copy_(inner.select(0, 0));
      view.select(0, row_margin + rows + row).copy_(inner.select(0, rows - 1));
    }
  }
  return all;
}

}  // namespace tl
