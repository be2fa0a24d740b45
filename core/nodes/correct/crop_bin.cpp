// core/nodes/correct/crop_bin.cpp: crop the detector and bin its pixels.
#include "gpu/correction/crop_bin.h"

#include <ATen/ATen.h>

#include "core/node/node_builder.h"
#include "core/values/crop.h"

namespace tl::correct_crop_bin_node {

struct Params {
  int64_t first_row = 0, first_col = 0;
  std::optional<int64_t> last_row, last_col;
  int64_t bin_rows = 1, bin_cols = 1;
};

// The part of the input that is kept, a multiple of the bin size.
Result<ScanRegion> kept(const Params& p, const ScanGeometry& g) {
  const DetectorShape& d = g.detector();
  const auto axis = [](int64_t first, std::optional<int64_t> last, int64_t length, int64_t bin,
                       const char* name) -> Result<Range> {
    const int64_t end = last.value_or(length - 1) + 1;
    if (end > length || first >= end)
      return invalid(std::to_string(first) + " to " + std::to_string(end - 1) + " is not within 0 to " +
                         std::to_string(length - 1),
                     name, "First and last are counted from 0 and are both kept");
    if (end - first < bin)
      return invalid(
          "a bin of " + std::to_string(bin) + " is larger than the " + std::to_string(end - first) + " pixels kept",
          name);
    return Range{first, first + (end - first) / bin * bin};
  };
  TL_TRY(Range rows, axis(p.first_row, p.last_row, d.rows, p.bin_rows, "first_row"));
  TL_TRY(Range cols, axis(p.first_col, p.last_col, d.cols, p.bin_cols, "first_col"));
  return ScanRegion{{0, g.views()}, rows, cols};
}

Result<void> check(const Params& p, const Infos& in) {
  TL_TRY(ScanRegion region, kept(p, scan_of(in).geometry));
  return region.count() > 0 ? ok() : Result<void>(invalid("nothing is kept"));
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  ProjectionsInfo scan = scan_of(in);
  TL_TRY(ScanRegion region, kept(p, scan.geometry));
  scan.geometry = scan.geometry.crop(region).binned(p.bin_rows, p.bin_cols);
  return Infos{{"projections", scan}};
}

Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  TL_TRY(ScanRegion region, kept(p, scan_of(in).geometry));
  const auto& w = std::get<ScanRegion>(wanted);
  const auto back = [](Range r, int64_t bin, int64_t first) {
    return Range{first + r.begin * bin, first + r.end * bin};
  };
  return Regions{{"projections", ScanRegion{w.views, back(w.rows, p.bin_rows, region.rows.begin),
                                            back(w.cols, p.bin_cols, region.cols.begin)}}};
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const ops::BinFactors factors{1, p.bin_rows, p.bin_cols};
  Projections out = in;
  TL_TRY(out.data, ops::bin(in.data, factors));
  if (in.references.flats.defined()) {
    TL_TRY(out.references.flats, ops::bin(in.references.flats, factors));
  }
  if (in.references.darks.defined()) {
    TL_TRY(out.references.darks, ops::bin(in.references.darks, factors));
  }
  out.geometry = in.geometry.binned(p.bin_rows, p.bin_cols);
  out.vectors = bin_vectors(in.vectors, p.bin_rows, p.bin_cols);
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.crop_bin", 1).title("Crop and bin").category("Correction").partition(Partition::custom);
  n.summary("Crops the detector and bins pixels by averaging.");
  n.description(
      "Flats, darks and geometry are cropped and binned too; the rotation axis keeps its position in space. Bin counts "
      "or transmission rather than absorption: the average of counts is what a coarser detector measures.");
  n.example({{"first_row", "1"}, {"first_col", "3"}, {"bin_rows", "2"}, {"bin_cols", "2"}});
  n.synonyms({"region of interest", "ROI", "rebin", "downsample", "binning"});
  n.input<Projections>("projections", "Any scan.");
  n.output<Projections>("projections", "The part that is kept.");
  n.param("first_row", "First row", &Params::first_row)
      .at_least(0)
      .help("First detector row kept, counted from the top.");
  n.param("last_row", "Last row", &Params::last_row)
      .at_least(0)
      .automatic("the last row")
      .help("Last detector row kept.");
  n.param("first_col", "First column", &Params::first_col).at_least(0).help("First detector column kept.");
  n.param("last_col", "Last column", &Params::last_col)
      .at_least(0)
      .automatic("the last column")
      .help("Last detector column kept.");
  n.param("bin_rows", "Bin rows", &Params::bin_rows)
      .range(1, 64)
      .help("Number of rows averaged into one; an incomplete last bin is dropped.");
  n.param("bin_cols", "Bin columns", &Params::bin_cols).range(1, 64).help("Number of columns averaged into one.");
  n.where_input_is();
  n.check(check).infos(infos).needs(needs).run(run);
}

}  // namespace tl::correct_crop_bin_node

TL_NODE(correct_crop_bin)
