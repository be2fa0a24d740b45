// core/nodes/filter/clahe.cpp: contrast limited adaptive histogram equalisation of slices.
#include "gpu/image/clahe.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/base/grid_box.h"
#include "core/node/node_builder.h"
#include "core/values/index_bounds.h"
#include "core/values/interpolated.h"
#include "gpu/image/histogram.h"

namespace tl::filter_clahe_node {

struct Params {
  std::optional<int64_t> tile;
  double clip_limit = 0.01;
  int64_t bins = 256;
  std::optional<double> low, high;
};

struct State {
  ops::Histogram values;
};

// A few outliers (zingers, the ends of stripes) would otherwise leave one bin for all that is to be visible.
constexpr double left_out_percent = 0.1;  // fraction of the values ignored at each end of the range [%]

Result<void> check(const Params& p, const Infos&) {
  if (p.low && p.high && !(*p.low < *p.high))
    return invalid("the lower end of the range must be below the upper one", "low");
  return ok();
}

Result<Regions> measured(const Params& p, const Infos& in) {
  if (p.low && p.high) return Regions{};
  return Regions{{"volume", full_region(in.at("volume"))}};
}

Result<std::shared_ptr<State>> begin(const Params&, NodeRun&) { return std::make_shared<State>(); }

Result<void> accumulate(const Params&, State& state, NodeRun& r) {
  state.values.add(r.in<Volume>("volume").data.detach().contiguous());
  return ok();
}

Result<Findings> finish(const Params& p, State& state, NodeRun& r) {
  const ops::Histogram& all = state.values;
  if (all.count() == 0 && !(p.low && p.high))
    return invalid("no value is finite", "volume", "Check the result of the node before this one");
  const double low = p.low ? *p.low : all.percentile(left_out_percent);
  const double high = p.high ? *p.high : all.percentile(100 - left_out_percent);
  if (!(low < high))
    r.message(LogLevel::warning, "no values lie between the ends of the range: the volume is unchanged");
  const Unit unit = r.info<VolumeInfo>("volume").unit;
  Findings f;
  f.values["low"] = Scalar{at::scalar_tensor(low, at::kDouble), unit};
  f.values["high"] = Scalar{at::scalar_tensor(high, at::kDouble), unit};
  return f;
}

VolumeGrid given_slices(const VolumeGrid& whole, const VolumeGrid& wanted) {
  return whole.slab(slices_around(whole, wanted));
}

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  return Regions{{"volume", given_slices(volume_of(in).grid, std::get<VolumeGrid>(wanted))}};
}

// The equalised slices, and working memory for a part of them.
int64_t workspace(const Params&, const Infos& in, const Region& wanted, int64_t element_size) {
  return region_bytes(given_slices(volume_of(in).grid, std::get<VolumeGrid>(wanted)), 2 * element_size);
}

double found_value(const Findings& found, const char* name) {
  return std::get<Scalar>(found.values.at(name)).value.item<double>();
}

// An empty range is not stored, as it would be refused as a setting; it is found again.
void keep_found(Params& p, const Infos&, const Findings& found) {
  const double low = found_value(found, "low"), high = found_value(found, "high");
  if (!(low < high)) return;
  p.low = low;
  p.high = high;
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Volume>("volume");
  const VolumeGrid& whole = r.info<VolumeInfo>("volume").grid;
  const auto& wanted = std::get<VolumeGrid>(r.region);
  const VolumeGrid given = given_slices(whole, wanted);
  ops::ClaheSpec spec;
  constexpr int64_t tiles = 8;  // number of tiles along each edge of a slice
  spec.tile_y = p.tile.value_or(std::max<int64_t>(1, (whole.ny + tiles - 1) / tiles));
  spec.tile_x = p.tile.value_or(std::max<int64_t>(1, (whole.nx + tiles - 1) / tiles));
  spec.clip_limit = p.clip_limit;
  spec.bins = p.bins;
  spec.low = found_value(*r.findings, "low");
  spec.high = found_value(*r.findings, "high");
  spec.cancel = r.cancel();
  at::Tensor values = in.data;
  if (spec.low < spec.high) {
    TL_TRY(values, ops::clahe(in.data, spec));
  }
  const auto box = box_in(given, wanted);
  values = box ? values.narrow(0, box->z.begin, box->z.size())
                     .narrow(1, box->y.begin, box->y.size())
                     .narrow(2, box->x.begin, box->x.size())
                     .clone(at::MemoryFormat::Contiguous)
               : interpolated(values, given, wanted);
  return r.done("volume", Volume{values, wanted, in.unit});
}

void describe(NodeBuilder<Params>& n) {
  n.id("filter.clahe", 1).title("Local contrast (CLAHE)").category("Filter");
  n.not_differentiable("a histogram counts whole voxels");
  n.summary("Equalises the grey values of each slice locally, with a limit to the contrast of noise.");
  n.description(
      "Contrast limited adaptive histogram equalisation: in every tile of a slice grey values are mapped so that all "
      "are equally frequent, and the maps are interpolated between the tiles. Weak structures become visible next to "
      "strong ones, and slow shading disappears; the values are no longer attenuation: use it before segmentation or "
      "for images, not for measuring grey values. The limit prevents amplification of noise in uniform regions. Like "
      "equalize_adapthist of scikit-image, but with one range of grey values for the whole volume, so that slices are "
      "comparable: the range omits a thousandth of the voxels at each end, because of zingers, and is found in a first "
      "pass over the volume; the result has the same range. Works slice by slice, on volumes larger than memory. "
      "Values that are not finite are unchanged.");
  n.cite(
      "K. Zuiderveld, Contrast limited adaptive histogram equalization, Graphics Gems IV, Academic Press, 474 (1994)");
  n.synonyms({"CLAHE", "histogram equalization", "histogram equalisation", "local contrast", "equalize_adapthist",
              "shading", "normalise"});
  n.input<Volume>("volume", "Any volume.");
  n.output<Volume>("volume", "The equalised volume, in the range of grey values of the input.");
  n.param("tile", "Tile", &Params::tile)
      .range(2, 100000, Unit::px)
      .automatic("an eighth of the slice along each edge")
      .help("Edge of the square tiles: structures up to its size are raised, slower changes flattened.");
  n.param("clip_limit", "Clip limit", &Params::clip_limit)
      .range(0, 1)
      .help(
          "Largest share of a tile's voxels in one bin; contrast grows at most by this times the number of bins. 1 "
          "sets no limit; up to 1 / bins nothing changes.");
  n.advanced_param("bins", "Bins", &Params::bins).range(2, 65536).help("Bins of the histograms.");
  n.advanced_param("low", "From", &Params::low)
      .range(-1e30, 1e30)
      .automatic("above a thousandth of the voxels")
      .help("Lower end of the range of grey values, in the unit of the volume; smaller values are raised to it.");
  n.advanced_param("high", "To", &Params::high)
      .range(-1e30, 1e30)
      .automatic("below a thousandth of the voxels")
      .help("Upper end of the range of grey values; larger values are reduced to it.");
  n.check(check).needs(needs).workspace(workspace).run(run);
  n.measure_in_blocks<State>(measured, begin, accumulate, finish).keep_found(keep_found);
}

}  // namespace tl::filter_clahe_node

TL_NODE(filter_clahe)
