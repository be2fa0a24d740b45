// Shared by the filter nodes: the neighbourhood needed for a requested part, and the noise that determines filter
// strengths.
#include "core/nodes/filter/filter_node.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/values/crop.h"
#include "gpu/image/noise_estimate.h"
#include "gpu/operator/reduce.h"

namespace tl {
namespace {

// First index of `wanted` within `whole` along one step, if its points are voxels of `whole` and inside it.
std::optional<int64_t> first_index(const VolumeGrid& whole, const VolumeGrid& wanted, const Vec3& step, int64_t n_whole,
                                   int64_t n_wanted) {
  const double at = dot(wanted.position(0, 0, 0) - whole.position(0, 0, 0), step) / dot(step, step);
  const double first = std::round(at);
  if (std::abs(at - first) > 1e-6 || first < 0 || first + static_cast<double>(n_wanted) > static_cast<double>(n_whole))
    return std::nullopt;
  return static_cast<int64_t>(first);
}

}  // namespace

ops::Reach filter_reach(FilterSpan span, int64_t voxels) {
  return {span == FilterSpan::volume ? voxels : 0, voxels, voxels};
}

Neighbourhood neighbourhood(const VolumeGrid& whole, const VolumeGrid& wanted, ops::Reach reach) {
  std::optional<int64_t> z, y, x;
  if (whole.step_x == wanted.step_x && whole.step_y == wanted.step_y && whole.step_z == wanted.step_z) {
    z = first_index(whole, wanted, whole.step_z, whole.nz, wanted.nz);
    y = first_index(whole, wanted, whole.step_y, whole.ny, wanted.ny);
    x = first_index(whole, wanted, whole.step_x, whole.nx, wanted.nx);
  }
  if (z && y && x) {
    const auto around = [](int64_t first, int64_t count, int64_t halo, int64_t limit) {
      return Range{first, first + count}.grown(halo, {0, limit});
    };
    const Range all_z = around(*z, wanted.nz, reach.z, whole.nz), all_y = around(*y, wanted.ny, reach.y, whole.ny),
                all_x = around(*x, wanted.nx, reach.x, whole.nx);
    const auto inside = [](int64_t first, Range all, int64_t count) {
      return Range{first - all.begin, first - all.begin + count};
    };
    return {whole.sub(all_z, all_y, all_x), inside(*z, all_z, wanted.nz), inside(*y, all_y, wanted.ny),
            inside(*x, all_x, wanted.nx)};
  }
  const auto grown = [](int64_t count, int64_t halo) { return Range{-halo, count + halo}; };
  const auto inside = [](int64_t count, int64_t halo) { return Range{halo, halo + count}; };
  return {wanted.sub(grown(wanted.nz, reach.z), grown(wanted.ny, reach.y), grown(wanted.nx, reach.x)),
          inside(wanted.nz, reach.z), inside(wanted.ny, reach.y), inside(wanted.nx, reach.x)};
}

ScanRegion neighbourhood(const ScanRegion& all, const ScanRegion& wanted, ops::Reach reach) {
  return {wanted.views, wanted.rows.grown(reach.y, all.rows), wanted.cols.grown(reach.x, all.cols)};
}

at::Tensor part_of_neighbourhood(const at::Tensor& filtered, const Neighbourhood& around) {
  return filtered.narrow(0, around.z.begin, around.z.size())
      .narrow(1, around.y.begin, around.y.size())
      .narrow(2, around.x.begin, around.x.size())
      .contiguous();
}

namespace {

Result<void> filter_volume(ops::Reach reach, NodeRun& r, const Filter& filter) {
  const auto& in = r.in<Volume>("volume");
  const auto& wanted = std::get<VolumeGrid>(r.region);
  const Neighbourhood around = neighbourhood(r.info<VolumeInfo>("volume").grid, wanted, reach);
  TL_TRY(const at::Tensor filtered, filter(in.data));
  return r.done("volume", Volume{part_of_neighbourhood(filtered, around), wanted, in.unit});
}

Result<void> filter_views(ops::Reach reach, NodeRun& r, const Filter& filter) {
  Projections whole = r.in<Projections>("projections");
  const auto& wanted = std::get<ScanRegion>(r.region);
  const ScanRegion given = neighbourhood(r.info<ProjectionsInfo>("projections").geometry.full(), wanted, reach);
  for (at::Tensor* t : {&whole.data, &whole.references.flats, &whole.references.darks})
    if (t->defined()) {
      TL_TRY(*t, filter(*t));
    }
  const auto within = [](Range part, Range all) { return Range{part.begin - all.begin, part.end - all.begin}; };
  Projections out =
      crop(whole, {{0, wanted.views.size()}, within(wanted.rows, given.rows), within(wanted.cols, given.cols)});
  out.data = out.data.contiguous();
  return r.done("projections", std::move(out));
}

}  // namespace

Result<void> run_filter(ops::Reach reach, NodeRun& r, const Filter& filter) {
  return r.inputs.count("volume") != 0 ? filter_volume(reach, r, filter) : filter_views(reach, r, filter);
}

Regions noise_region(const Infos& in) {
  const auto middle = [](int64_t n) { return Range{n / 4, n - n / 4}; };
  if (const auto scan = in.find("projections"); scan != in.end()) {
    const ScanGeometry& g = std::get<ProjectionsInfo>(scan->second).geometry;
    const int64_t view = g.views() / 2;
    return {{"projections", ScanRegion{{view, view + 1}, middle(g.detector().rows), middle(g.detector().cols)}}};
  }
  const VolumeGrid& g = volume_of(in).grid;
  return {{"volume", g.sub({g.nz / 2, g.nz / 2 + 1}, middle(g.ny), middle(g.nx))}};
}

Findings measure_noise(NodeRun& r) {
  const bool views = r.inputs.count("projections") != 0;
  const at::Tensor image = views ? r.in<Projections>("projections").data[0] : r.in<Volume>("volume").data[0];
  // Below a thousandth of the range there is only rounding, which depends on the number of threads.
  const Extrema range = extrema(image.detach().contiguous());
  const double noise = std::max(ops::noise_estimate(image), 1e-3 * (range.max - range.min));
  r.message(LogLevel::info,
            std::string("the noise of the middle ") + (views ? "view" : "slice") + " is " + std::to_string(noise));
  Findings f;
  f.values["noise"] =
      Scalar{at::scalar_tensor(noise, at::kDouble), views ? Unit::none : r.info<VolumeInfo>("volume").unit};
  return f;
}

double measured_noise(const Findings& found) { return std::get<Scalar>(found.values.at("noise")).value.item<double>(); }

}  // namespace tl
