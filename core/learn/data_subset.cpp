// Selects a part of the data for one evaluation: fewer views, a band of rows, binned columns.
#include "core/learn/data_subset.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/base/grid_box.h"
#include "core/values/crop.h"
#include "core/values/flat_positions.h"
#include "gpu/correction/crop_bin.h"

namespace tl::learn {
namespace {

std::vector<int64_t> kept_views(int64_t views, const DataSubset& subset) {
  std::vector<int64_t> kept;
  for (int64_t v = subset.first_view; v < views; v += subset.view_stride) kept.push_back(v);
  return kept;
}

ScanGeometry thinned(ScanGeometry geometry, const DataSubset& subset) {
  if (subset.rows) geometry = geometry.crop({{0, geometry.views()}, *subset.rows, {0, geometry.detector().cols}});
  if (subset.view_stride > 1) geometry = geometry.select(kept_views(geometry.views(), subset));
  return subset.bin > 1 ? geometry.binned(1, subset.bin) : geometry;
}

// `t` holds the views [0, n) of the scan, as in its region.
at::Tensor views_of_subset(const at::Tensor& t, const DataSubset& subset) {
  return subset.view_stride == 1 ? t : t.slice(0, subset.first_view, t.size(0), subset.view_stride).contiguous();
}

// Flats at a view belong to a part of the scan: it begins at that view if these flats are the first, or if there are
// others at the view before; else it ends there.
void thin_flats(References& references, const std::vector<int64_t>& kept) {
  std::vector<double> positions = references.flat_positions;
  const auto& all = references.flat_positions;
  const double first = *std::min_element(all.begin(), all.end());
  for (double& at : positions) {
    if (at != std::floor(at)) continue;
    const bool begins = at == first || std::find(all.begin(), all.end(), at - 1) != all.end();
    at += begins ? -0.25 : 0.25;
  }
  FlatsAmong used = flats_among(kept, positions);
  if (references.flats.defined() && static_cast<int64_t>(used.flats.size()) < references.flats.size(0))
    references.flats = references.flats.index_select(0, at::tensor(used.flats).to(references.flats.device()));
  references.flat_positions = std::move(used.positions);
}

// A volume is not thinned along views; each of its slices belongs to one detector row.
Result<void> take_slices(GivenOutput& given, const DataSubset& subset, int64_t rows, const std::string& node) {
  const std::string where = "node \"" + node + "\"";
  auto& volume = std::get<Volume>(given.value);
  auto& info = std::get<VolumeInfo>(given.info);
  if (subset.bin > 1)
    return invalid("binned columns cannot be learned from: a volume takes part", where, "Use no survey");
  if (!subset.rows) return ok();
  if (info.grid.nz != rows)
    return invalid("parts of the rows cannot be learned from: a volume of " + std::to_string(info.grid.nz) +
                       " slices takes part, and the detector has " + std::to_string(rows) + " rows",
                   where, "Learn from all rows, or take a volume with a slice for every row");
  const auto box = box_in(info.grid, std::get<VolumeGrid>(given.region));
  if (!box) return invalid("the objective does not use whole slices of the volume", where, "Learn from all rows");
  const Range wanted{rows - subset.rows->end, rows - subset.rows->begin};
  const Range slices{std::max(wanted.begin, box->z.begin), std::min(wanted.end, box->z.end)};
  if (slices.empty())
    return invalid("the objective does not use the slices that were drawn", where, "Learn from all rows");
  const auto cut = [&](const VolumeGrid& grid, int64_t first) {
    return grid.slab({slices.begin - first, slices.end - first});
  };
  volume.data = volume.data.narrow(0, slices.begin - box->z.begin, slices.size());
  volume.grid = cut(volume.grid, box->z.begin);
  given.region = cut(std::get<VolumeGrid>(given.region), box->z.begin);
  info.grid = info.grid.slab(wanted);
  return ok();
}

}  // namespace

at::Tensor* numbers_of(Value& value) {
  if (auto* p = std::get_if<Projections>(&value)) return &p->data;
  if (auto* v = std::get_if<Volume>(&value)) return &v->data;
  return nullptr;
}

Result<void> take_subset(GivenOutput& given, const DataSubset& subset, int64_t rows, const std::string& node) {
  if (std::holds_alternative<Volume>(given.value)) return take_slices(given, subset, rows, node);
  if (std::holds_alternative<Labels>(given.value))
    return invalid("parts of the data cannot be learned from: labels take part", "node \"" + node + "\"",
                   "Learn from all views and rows");
  auto* scan = std::get_if<Projections>(&given.value);
  if (scan == nullptr) return ok();
  auto& info = std::get<ProjectionsInfo>(given.info);
  auto& region = std::get<ScanRegion>(given.region);
  const bool whole = region.views.begin == 0 && region.views.end == info.geometry.views() && region.cols.begin == 0 &&
                     region.cols.end == info.geometry.detector().cols;
  if (!whole)
    return invalid("parts of the data cannot be learned from: the objective uses only some views or columns",
                   "node \"" + node + "\"", "Learn from all of them");
  DataSubset here = subset;
  if (subset.rows) {
    const Range band{std::max(subset.rows->begin, region.rows.begin), std::min(subset.rows->end, region.rows.end)};
    if (band.empty())
      return invalid("the objective uses none of the selected detector rows", "node \"" + node + "\"",
                     "Learn from all rows");
    *scan = crop(*scan, {region.views, {band.begin - region.rows.begin, band.end - region.rows.begin}, region.cols});
    region.rows = {0, band.size()};
    here.rows = band;
  }
  DataSubset rest = subset;
  rest.rows.reset();
  if (subset.view_stride > 1 && !scan->references.flat_positions.empty())
    thin_flats(scan->references, kept_views(scan->geometry.views(), subset));
  scan->geometry = thinned(scan->geometry, rest);
  scan->data = views_of_subset(scan->data, subset);
  if (subset.bin > 1) {
    for (at::Tensor* frames : {&scan->data, &scan->references.flats, &scan->references.darks})
      if (frames->defined()) {
        TL_TRY(*frames, ops::bin(*frames, {1, 1, subset.bin}));
      }
  }
  info.geometry = thinned(info.geometry, here);
  if (scan->references.flats.defined()) info.flats = scan->references.flats.size(0);
  region.views = {0, info.geometry.views()};
  region.cols = {0, info.geometry.detector().cols};
  return ok();
}

void scale_pixels(Graph& graph, const Registry& registry, int64_t bin) {
  for (auto& [id, node] : graph.nodes)
    for (auto& [name, value] : node.params) {
      const ParamDecl* decl = registry.find(node.type)->param(name);
      if (decl == nullptr || decl->unit != Unit::px) continue;
      if (auto* n = std::get_if<Number>(&value)) n->value /= static_cast<double>(bin);
      if (auto* l = std::get_if<NumberList>(&value))
        for (double& v : l->values) v /= static_cast<double>(bin);
    }
}

}  // namespace tl::learn
