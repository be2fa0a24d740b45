// Stores sums over successive views of a window of a stream, and adds them up.
#include "core/nodes/window_sums.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/region.h"
#include "core/node/shared_memo.h"
#include "core/nodes/window_views.h"
#include "gpu/device/parallel_for.h"

namespace tl {
namespace {

constexpr int64_t usual_sums = 10, most_sums = 12;  // of a window
constexpr int64_t fewest_views = 4;                 // fewest views of a sum: several are back-projected at a time

// Sums over successive views of a window, in order.
struct WindowSums {
  struct Sum {
    std::vector<Hash> views;  // digests of everything on which each view depends
    at::Tensor image;
  };
  std::vector<Sum> sums;
};

struct Reconstruction {
  const FilterTask& task;
  const Projections& in;
  const VolumeGrid& grid;
  DistanceWeight distance;
  NodeRun& r;
};

// Numbers in windows that are equal up to rounding: 1e-8 of a pixel or of a weight changes no image.
void add_rounded(Hasher& hasher, double value) { hasher.add(static_cast<int64_t>(std::llround(1e8 * value))); }
void add_rounded(Hasher& hasher, const Vec3& vector, double unit) {
  for (const double x : {vector.x, vector.y, vector.z}) add_rounded(hasher, x / unit);
}

// The image and the detector, but not their views.
Hash content_of_image(const Reconstruction& what, const WindowViews& window) {
  Hasher hasher;
  const VolumeGrid& g = what.grid;
  hasher.add("sums").add(g.nz).add(g.ny).add(g.nx).add(static_cast<int64_t>(what.distance));
  for (const int64_t n : window.views.front()->sizes()) hasher.add(n);
  const double voxel = norm(g.step_x);
  for (const Vec3& vector : {g.centre, g.step_x, g.step_y, g.step_z}) add_rounded(hasher, vector, voxel);
  add_rounded(hasher, std::log(voxel));
  return hasher.digest();
}

// All that the back-projection of each view follows from, but the image.
std::vector<Hash> contents_of_sums(const Reconstruction& what, const WindowViews& window) {
  std::vector<Hash> all;
  for (std::size_t i = 0; i < window.views.size(); ++i) {
    Hasher hasher;
    hasher.add(window.contents[i]);
    const View& v = what.in.geometry.view(static_cast<int64_t>(i));
    const double pixel = norm(v.u);
    add_rounded(hasher, v.beam, what.in.geometry.is_parallel() ? 1 : pixel);
    for (const Vec3& vector : {v.detector, v.u, v.v}) add_rounded(hasher, vector, pixel);
    add_rounded(hasher, std::log(pixel));
    const double weight = window.weights[i];
    add_rounded(hasher, weight > 0 ? std::log(weight) : weight);
    all.push_back(hasher.digest());
  }
  return all;
}

// A part of the new window: `image` contains the sum of `done` of its views, the others are still to be added.
struct Part {
  Range views;
  at::Tensor image;
  int64_t done = 0;
};

// Divides `views` into nearly equal parts of about this size.
void cut(Range views, int64_t usual, std::vector<Part>& parts) {
  if (views.empty()) return;
  const int64_t count = std::max<int64_t>(1, (views.size() + usual / 2) / usual);
  for (int64_t i = 0; i < count; ++i)
    parts.push_back({{views.begin + views.size() * i / count, views.begin + views.size() * (i + 1) / count}, {}, 0});
}

// The sums of the previous window that are also part of this one, and the parts of the window between these sums.
std::vector<Part> parts_of(const std::vector<Hash>& views, const std::vector<WindowSums::Sum>& before, int64_t usual) {
  std::vector<Part> parts;
  int64_t end = 0;  // of the parts so far
  for (const WindowSums::Sum& sum : before) {
    const auto found = std::search(views.begin() + end, views.end(), sum.views.begin(), sum.views.end());
    if (found == views.end()) continue;
    const int64_t begin = found - views.begin();
    cut({end, begin}, usual, parts);
    end = begin + std::ssize(sum.views);
    parts.push_back({{begin, end}, sum.image, end - begin});
  }
  const int64_t all = std::ssize(views);
  // New views are added to the last sum until it is long enough.
  if (!parts.empty() && parts.back().done > 0 && parts.back().views.size() < usual) {
    end = std::min(all, parts.back().views.begin + usual);
    parts.back().views.end = end;
  }
  cut({end, all}, usual, parts);
  if (std::ssize(parts) <= most_sums) return parts;
  parts.clear();
  cut({0, all}, usual, parts);
  return parts;
}

at::Tensor back_projected(const Reconstruction& what, const WindowViews& window, const std::vector<Hash>& contents,
                          Range views) {
  Hasher hasher;
  hasher.add("weighted");
  for (int64_t i = views.begin; i < views.end; ++i) hasher.add(contents[static_cast<std::size_t>(i)]);
  const int64_t bytes = views.size() * static_cast<int64_t>(window.views.front()->nbytes());
  const auto weighted = shared_memo<at::Tensor>(what.r, hasher.digest(), bytes, [&] {
    return std::make_shared<at::Tensor>(weighted_views(window, views, window_row_margin));
  });
  const ScanGeometry& whole = what.in.geometry;
  const DetectorShape& d = whole.detector();
  what.r.count_work(std::string(back_projected_views_count), views.size());
  const ScanGeometry part = with_row_margin(whole.crop({views, {0, d.rows}, {0, d.cols}}), window_row_margin);
  return make_back_projector({part, what.grid, what.distance, what.r.cancel()}).or_throw()->apply(*weighted);
}

at::Tensor total(std::span<const WindowSums::Sum> sums) {
  const at::Tensor& first = sums.front().image;
  at::Tensor all = at::empty_like(first);
  const int64_t count = all.numel();
  if (!all.is_cpu() || all.scalar_type() != at::kFloat) {
    all.copy_(first);
    for (const WindowSums::Sum& sum : sums.subspan(1)) all.add_(sum.image);
    return all;
  }
  constexpr int64_t piece = 4096;  // number of values that stay in the L1 cache while they are added
  auto* out = all.mutable_data_ptr<float>();
  ops::parallel_for(0, (count + piece - 1) / piece, 4, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      const int64_t from = p * piece, values = std::min(piece, count - from);
      std::copy_n(first.const_data_ptr<float>() + from, values, out + from);
      for (const WindowSums::Sum& sum : sums.subspan(1)) {
        const float* add = sum.image.const_data_ptr<float>() + from;
        for (int64_t i = 0; i < values; ++i) out[from + i] += add[i];
      }
    }
  });
  return all;
}

// Whether sums of the previous window would cover half of this one. They do not if weights change all over the window,
// as in a golden-ratio scan.
bool sums_would_pay(const std::vector<Hash>& views, const std::vector<Hash>& before, int64_t usual) {
  std::vector<Part> cuts;
  cut({0, std::ssize(before)}, usual, cuts);
  std::vector<WindowSums::Sum> sums;
  for (const Part& part : cuts)
    sums.push_back({{before.begin() + part.views.begin, before.begin() + part.views.end}, {}});
  int64_t kept = 0;
  for (const Part& part : parts_of(views, sums, usual)) kept += part.done;
  return 2 * kept >= std::ssize(views);
}

// Computes the image from sums that windows share; nothing if that would not be faster.
Result<std::optional<at::Tensor>> from_sums(const Reconstruction& what) {
  NodeRun& r = what.r;
  const std::optional<at::Tensor> none;
  if (what.in.contents.empty() || what.in.vectors.defined() || !what.task.params.filter || r.learning || r.batch)
    return none;
  const int64_t image_bytes = region_bytes(what.grid, static_cast<int64_t>(what.in.data.element_size()));
  const ScanGeometry& scan = r.info<ProjectionsInfo>("projections").geometry;
  const int64_t view_bytes = region_bytes(scan.full(), static_cast<int64_t>(what.in.data.element_size()));
  const int64_t count = what.in.geometry.views();
  if (most_sums * image_bytes > view_bytes || count < 2 * fewest_views) return none;
  TL_TRY(const ops::RedundancyAdvice rays, choose_ray_weights(what.task.params, what.in.geometry, r));
  if (rays.kind != ops::Redundancy::none) return none;
  TL_TRY(const WindowViews window, window_views(what.task, what.in, r));
  if (window.views.empty()) return none;
  const Hash image = content_of_image(what, window);
  const std::vector<Hash> views = contents_of_sums(what, window);
  // Windows are not processed in parallel: the stored sums of the previous window are replaced.
  const auto seen = view_memo<std::vector<Hash>>(r, Hasher().add(image).add("seen").digest(),
                                                 count * static_cast<int64_t>(sizeof(Hash)),
                                                 [] { return std::make_shared<std::vector<Hash>>(); });
  const std::vector<Hash> before = std::exchange(*seen, views);
  const int64_t usual = std::max(fewest_views, (count + usual_sums - 1) / usual_sums);
  if (!sums_would_pay(views, before, usual)) return none;
  const auto kept =
      view_memo<WindowSums>(r, image, most_sums * image_bytes, [] { return std::make_shared<WindowSums>(); });
  if (kept_view_memo<WindowSums>(r, image) != kept) return none;  // there is not enough memory
  WindowSums next;
  for (const Part& part : parts_of(views, kept->sums, usual)) {
    at::Tensor sum = part.image;
    const Range rest{part.views.begin + part.done, part.views.end};
    if (!rest.empty()) {
      const at::Tensor more = back_projected(what, window, views, rest);
      sum = sum.defined() ? sum + more : more;
    }
    next.sums.push_back({{views.begin() + part.views.begin, views.begin() + part.views.end}, sum});
  }
  *kept = std::move(next);
  return std::optional(total(kept->sums));
}

}  // namespace

Result<at::Tensor> filtered_back_projection(const FilterTask& task, const Projections& in, const VolumeGrid& grid,
                                            DistanceWeight distance, NodeRun& r) {
  TL_TRY(std::optional<at::Tensor> sum, from_sums({task, in, grid, distance, r}));
  if (sum) return *std::move(sum);
  TL_TRY(const FilteredViews filtered, filtered_views(task, in, r));
  r.count_work(std::string(back_projected_views_count), filtered.geometry.views());
  TL_TRY(const OperatorPtr back, make_back_projector({filtered.geometry, grid, distance, r.cancel()}));
  return tl::apply(back, filtered.data, filtered.vectors);
}

}  // namespace tl
