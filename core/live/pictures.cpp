// Converts image requests to regions of nodes, and values to rows of pixels in upright order.
#include "core/live/pictures.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace tl::live {
namespace {

std::string text(Range r) { return std::to_string(r.begin) + " to " + std::to_string(r.end - 1); }

Result<void> check_range(const char* name, Range wanted, Range all) {
  if (!wanted.empty() && all.contains(wanted)) return ok();
  return invalid(std::string("there are no ") + name + " " + text(wanted), {},
                 std::string(name) + " go from " + text(all));
}

Result<PictureRegion> checked_scan_region(const PictureRequest& request, const ScanRegion& all) {
  ScanRegion region = all;
  if (const auto* s = std::get_if<ScanRegion>(&request.region)) {
    region = *s;
  } else if (std::holds_alternative<VolumeGrid>(request.region)) {
    return invalid("a plane through a volume was requested of projections", request.node);
  } else {
    region.views = {all.views.size() / 2, all.views.size() / 2 + 1};
  }
  // Each view carries all flats and darks, so one view suffices.
  if (request.series != PictureRequest::Series::data) region.views = {all.views.begin, all.views.begin + 1};
  TL_TRY(check_range("views", region.views, all.views));
  TL_TRY(check_range("rows", region.rows, all.rows));
  TL_TRY(check_range("columns", region.cols, all.cols));
  return PictureRegion{region, 1};
}

Result<PictureRegion> wanted_grid(const PictureRequest& request, const VolumeGrid& all, int64_t bytes) {
  if (std::holds_alternative<ScanRegion>(request.region))
    return invalid("views were requested of a volume", request.node);
  const auto* given = std::get_if<VolumeGrid>(&request.region);
  VolumeGrid grid = given != nullptr ? *given : all.slab({all.nz / 2, all.nz / 2 + 1});
  TL_TRY(grid.validate());
  int64_t level = 1;
  for (VolumeGrid binned = grid; binned.count() * static_cast<int64_t>(sizeof(float)) > bytes;) {
    level *= 2;
    const auto smaller = coarser(grid, level);
    if (!smaller) break;
    binned = std::get<VolumeGrid>(*smaller);
    if (binned.count() * static_cast<int64_t>(sizeof(float)) <= bytes) return PictureRegion{binned, level};
  }
  return PictureRegion{grid, 1};
}

// [slices, rows, cols] with the top row first, from [z, y, x].
at::Tensor upright(const at::Tensor& t) {
  if (t.size(0) == 1 || (t.size(1) > 1 && t.size(2) > 1)) return t.flip(1);
  return t.size(1) == 1 ? t.permute({1, 0, 2}).flip(1) : t.permute({2, 0, 1}).flip(1);
}

Pixels make_pixels(const at::Tensor& t, std::string unit) {
  const at::Tensor plain = t.detach().to(at::kCPU, at::kFloat).contiguous();
  auto image = std::make_shared<Image>();
  image->rows = plain.size(0) * plain.size(1);
  image->cols = plain.size(2);
  const float* data = plain.const_data_ptr<float>();
  image->pixels.assign(data, data + plain.numel());
  return {image, plain.size(0), std::move(unit)};
}

Result<at::Tensor> reference(const Projections& p, const PictureRequest& request) {
  const bool flats = request.series == PictureRequest::Series::flats;
  const at::Tensor& frames = flats ? p.references.flats : p.references.darks;
  const std::string name = flats ? "flats" : "darks";
  if (!frames.defined() || frames.size(0) == 0)
    return invalid("there are no " + name + " here", {},
                   "They are used up by the flat-field node: look at the node that loads the scan");
  if (request.frame < 0) return frames.to(at::kDouble).mean(0, true);
  if (request.frame >= frames.size(0))
    return invalid("there are " + std::to_string(frames.size(0)) + " " + name, {}, "Their numbers start at 0");
  return frames.narrow(0, request.frame, 1);
}

}  // namespace

Result<PictureRegion> checked_region(const PictureRequest& request, const Info& info, int64_t bytes) {
  if (const auto* p = std::get_if<ProjectionsInfo>(&info)) return checked_scan_region(request, p->geometry.full());
  const VolumeGrid* grid = grid_of(info);
  if (grid != nullptr && !std::holds_alternative<MapsInfo>(info)) return wanted_grid(request, *grid, bytes);
  if (grid != nullptr)
    return invalid("\"" + request.port + "\" consists of several volumes", request.node,
                   "Pick one of the maps by a node");
  return invalid("\"" + request.port + "\" is not an image", request.node, "Request its values");
}

Region without_references(Region region, const PictureRequest& request) {
  auto* scan = std::get_if<ScanRegion>(&region);
  if (scan != nullptr && scan->views.size() == 1 && request.series == PictureRequest::Series::data)
    scan->references = WithReferences::left_out;
  return region;
}

std::optional<Region> coarser(const Region& region, int64_t factor) {
  const auto* given = std::get_if<VolumeGrid>(&region);
  if (given == nullptr || factor < 2) return std::nullopt;
  VolumeGrid g = *given;
  const auto reduce = [factor](int64_t& n, Vec3& step) {
    const int64_t fewer = (n + factor - 1) / factor;
    step = (static_cast<double>(n) / static_cast<double>(fewer)) * step;
    n = fewer;
  };
  reduce(g.nz, g.step_z);
  reduce(g.ny, g.step_y);
  reduce(g.nx, g.step_x);
  if (g == *given) return std::nullopt;
  return g;
}

Result<Pixels> pixels_of(const Value& value, const PictureRequest& request) {
  if (const auto pixels = std::visit(
          []<class T>(const T& v) -> std::optional<Pixels> {
            if constexpr (OnGrid<T>)
              if constexpr (data_axes<T> == 3) {
                std::string unit;
                if constexpr (requires { v.unit; }) unit = symbol(v.unit);
                return make_pixels(upright(v.data), std::move(unit));
              }
            return std::nullopt;
          },
          value))
    return *pixels;
  const auto* p = std::get_if<Projections>(&value);
  if (p == nullptr) return invalid("\"" + request.port + "\" is not an image", request.node);
  if (request.series != PictureRequest::Series::data) {
    TL_TRY(const at::Tensor frame, reference(*p, request));
    return make_pixels(frame, {});
  }
  const std::string unit = p->kind == PixelKind::thickness ? "mm" : "";
  const bool sinogram = p->data.size(1) == 1 && p->data.size(0) > 1;
  return make_pixels(sinogram ? p->data.permute({1, 0, 2}) : p->data, unit);
}

std::shared_ptr<const Image> thumbnail_of(const Pixels& pixels, int64_t width) {
  const Image& image = *pixels.image;
  const int64_t rows = image.rows / std::max<int64_t>(pixels.slices, 1), cols = image.cols;
  if (rows < 1 || cols < 1) return nullptr;
  // Bins by the longer side: a long sinogram of a narrow detector becomes no taller than `width`.
  const int64_t block = (std::max(cols, rows) + width - 1) / width;
  auto small = std::make_shared<Image>();
  small->rows = std::max<int64_t>(rows / block, 1);
  small->cols = std::max<int64_t>(cols / block, 1);
  small->pixels.resize(static_cast<std::size_t>(small->rows * small->cols));
  const auto* first = image.pixels.data() + (pixels.slices / 2) * rows * cols;
  for (int64_t r = 0; r < small->rows; ++r)
    for (int64_t c = 0; c < small->cols; ++c) {
      double sum = 0;
      int64_t count = 0;
      for (int64_t i = r * block; i < std::min((r + 1) * block, rows); ++i)
        for (int64_t j = c * block; j < std::min((c + 1) * block, cols); ++j, ++count)
          sum += static_cast<double>(first[i * cols + j]);
      small->pixels[static_cast<std::size_t>(r * small->cols + c)] =
          static_cast<float>(sum / static_cast<double>(count));
    }
  return small;
}

}  // namespace tl::live
