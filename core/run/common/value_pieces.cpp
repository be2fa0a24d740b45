// Crops, joins and collects values, tensors together with their geometry.
#include "core/run/common/value_pieces.h"

#include <ATen/ATen.h>

#include <cmath>
#include <utility>

#include "core/base/grid_box.h"
#include "core/values/crop.h"

namespace tl {
namespace {

// Index range of `part` within `whole` along one axis of two grids with the same steps, if it lies on the same points.
std::optional<Range> offset(const VolumeGrid& whole, const VolumeGrid& part, Vec3 step, int64_t n_whole,
                            int64_t n_part) {
  const double length2 = dot(step, step);
  const double at = dot(part.position(0, 0, 0) - whole.position(0, 0, 0), step) / length2;
  const double begin = std::round(at);
  if (std::abs(at - begin) > 1e-6 || begin < 0) return std::nullopt;
  const Range r{static_cast<int64_t>(begin), static_cast<int64_t>(begin) + n_part};
  return r.end <= n_whole ? std::optional<Range>(r) : std::nullopt;
}

at::Tensor narrow3(const at::Tensor& t, Range a, Range b, Range c) {
  return t.narrow(0, a.begin, a.size()).narrow(1, b.begin, b.size()).narrow(2, c.begin, c.size());
}

ScanRegion relative(const ScanRegion& part, const ScanRegion& whole) {
  const auto shift = [](Range r, Range base) { return Range{r.begin - base.begin, r.end - base.begin}; };
  return {shift(part.views, whole.views), shift(part.rows, whole.rows), shift(part.cols, whole.cols)};
}

// The box of the voxels of `part`. For a volume, the points must be equal, since a parameter may shift the grid by less
// than the tolerance for labels and maps, whose grids come from files.
std::optional<GridBox> box_of(const Volume&, const VolumeGrid& whole, const VolumeGrid& part) {
  if (!(whole.step_x == part.step_x && whole.step_y == part.step_y && whole.step_z == part.step_z)) return std::nullopt;
  const auto z = offset(whole, part, whole.step_z, whole.nz, part.nz);
  const auto y = offset(whole, part, whole.step_y, whole.ny, part.ny);
  const auto x = offset(whole, part, whole.step_x, whole.nx, part.nx);
  if (!z || !y || !x) return std::nullopt;
  return GridBox{*z, *y, *x};
}
template <OnGrid T>
std::optional<GridBox> box_of(const T&, const VolumeGrid& whole, const VolumeGrid& part) {
  return box_in(whole, part);
}

}  // namespace

std::optional<Value> slice(const Value& value, const Region& stored, const Region& wanted) {
  if (const auto* p = std::get_if<Projections>(&value)) {
    const auto& whole = std::get<ScanRegion>(stored);
    const auto& part = std::get<ScanRegion>(wanted);
    if (!whole.contains(part)) return std::nullopt;
    return crop(*p, relative(part, whole));
  }
  return std::visit(
      [&]<class T>(const T& v) -> std::optional<Value> {
        if constexpr (OnGrid<T>) {
          const auto& part = std::get<VolumeGrid>(wanted);
          const auto box = box_of(v, std::get<VolumeGrid>(stored), part);
          if (!box) return std::nullopt;
          T out = v;
          constexpr int64_t z = data_axes<T> - 3;
          out.data = v.data.narrow(z, box->z.begin, box->z.size())
                         .narrow(z + 1, box->y.begin, box->y.size())
                         .narrow(z + 2, box->x.begin, box->x.size());
          out.grid = part;
          return out;
        } else {
          return std::nullopt;
        }
      },
      value);
}

Value join(const std::vector<Value>& pieces, const std::vector<Region>& regions, CutAxis axis, const Region& whole) {
  TL_CHECK(!pieces.empty() && pieces.size() == regions.size(), "joining needs one region per piece");
  if (const auto* grid = std::get_if<VolumeGrid>(&whole))
    return std::visit(
        [&]<class T>(const T& first) -> Value {
          T out = first;
          if constexpr (OnGrid<T>) {
            std::vector<at::Tensor> slices;
            for (const Value& v : pieces) slices.push_back(std::get<T>(v).data);
            out.data = at::cat(slices, data_axes<T> - 3);
            out.grid = *grid;
          }
          return out;
        },
        pieces.front());
  std::vector<at::Tensor> data;
  Projections out = std::get<Projections>(pieces.front());
  std::vector<View> views;
  std::vector<at::Tensor> flats, darks;
  out.contents.clear();
  for (const Value& v : pieces) {
    const auto& p = std::get<Projections>(v);
    data.push_back(p.data);
    for (int64_t i = 0; axis == CutAxis::views && i < p.geometry.views(); ++i) views.push_back(p.geometry.view(i));
    if (axis == CutAxis::views) out.contents.insert(out.contents.end(), p.contents.begin(), p.contents.end());
    if (p.references.flats.defined()) flats.push_back(p.references.flats);
    if (p.references.darks.defined()) darks.push_back(p.references.darks);
  }
  out.data = at::cat(data, axis == CutAxis::views ? 0 : 1);
  DetectorShape detector = out.geometry.detector();
  detector.rows = out.data.size(1);
  if (axis == CutAxis::views) {
    if (out.contents.size() != views.size()) out.contents.clear();
    out.geometry = ScanGeometry::from_views(out.geometry.beam(), detector, std::move(views)).or_throw();
    return out;
  }
  // Rows: every piece has all views; the detector's centre moves to the middle of the joined rows.
  for (int64_t i = 0; i < out.geometry.views(); ++i) {
    View w = out.geometry.view(i);
    const double down = 0.5 * static_cast<double>(detector.rows - out.geometry.detector().rows);
    w.detector = w.detector - down * w.v;
    views.push_back(w);
  }
  out.geometry = ScanGeometry::from_views(out.geometry.beam(), detector, std::move(views)).or_throw();
  if (!flats.empty()) out.references.flats = at::cat(flats, 1);
  if (!darks.empty()) out.references.darks = at::cat(darks, 1);
  return out;
}

namespace {

// Copies the rows and columns of a block's flats or darks [n, row, col] into those of the whole detector.
void keep_frames(at::Tensor& whole, const at::Tensor& block, const ScanRegion& at, const ScanRegion& all) {
  if (!block.defined()) return;
  if (!whole.defined())
    whole = at::empty({block.size(0), all.rows.size(), all.cols.size()}, block.options().device(at::kCPU));
  narrow3(whole, {0, block.size(0)}, at.rows, at.cols).copy_(block);
}

}  // namespace

WholeValue::WholeValue(at::Tensor data, Info info) : data_(std::move(data)), info_(std::move(info)) {}

void WholeValue::add(const Value& block, const Region& region) {
  const Region all = full_region(info_);
  if (const auto* p = std::get_if<Projections>(&block)) {
    const auto& scan = std::get<ScanRegion>(all);
    const ScanRegion at = relative(std::get<ScanRegion>(region), scan);
    narrow3(data_, at.views, at.rows, at.cols).copy_(p->data);
    keep_frames(references_.flats, p->references.flats, at, scan);
    keep_frames(references_.darks, p->references.darks, at, scan);
    references_.flat_positions = p->references.flat_positions;
    value_ = Projections{data_, std::get<ProjectionsInfo>(info_).geometry, {}, p->kind, references_};
    return;
  }
  const auto& grid = std::get<VolumeGrid>(all);
  std::visit(
      [&]<class T>(const T& part) {
        if constexpr (OnGrid<T>) {
          const auto z = offset(grid, part.grid, part.grid.step_z, grid.nz, part.grid.nz);
          TL_CHECK(z.has_value(), "a block lies outside of its volume");
          data_.narrow(data_axes<T> - 3, z->begin, z->size()).copy_(part.data);
          T whole = part;
          whole.data = data_;
          whole.grid = grid;
          value_ = whole;
        }
      },
      block);
}

}  // namespace tl
