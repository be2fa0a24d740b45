// core/nodes/correct/stitch_rows.cpp: two scans at neighbouring heights, stitched to one with more rows.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/view_match.h"
#include "core/node/node_builder.h"
#include "core/nodes/axis/axis_node.h"
#include "core/values/crop.h"
#include "gpu/stitching/stitching.h"

namespace tl::correct_stitch_rows_node {

struct Params {
  std::optional<int64_t> overlap;
};

// For each view of the upper scan, the view of the lower scan with the same rays. Compared again whenever the geometry
// becomes more precise: an axis that is found later may differ between the scans.
Result<std::vector<int64_t>> lower_views(const ScanGeometry& upper, const ScanGeometry& lower) {
  auto views = matching_views(upper, lower);
  if (views.ok()) return views;
  Error error = views.error();
  error.where = "lower";
  return error;
}

// The range of views of the lower scan that contains the partners of these views of the upper one.
Range span_of(const std::vector<int64_t>& partners, Range views) {
  const auto [first, last] = std::minmax_element(partners.begin() + views.begin, partners.begin() + views.end);
  return {*first, *last + 1};
}

// From views [first, ...) of the lower scan, selects the partners of `views`, in their order.
at::Tensor partners_in(const at::Tensor& lower, int64_t first, const std::vector<int64_t>& partners, Range views) {
  std::vector<int64_t> index;
  bool in_order = true;
  for (int64_t v = views.begin; v < views.end; ++v) {
    index.push_back(partners[static_cast<std::size_t>(v)] - first);
    in_order = in_order && index.back() == v - views.begin;
  }
  if (in_order) return lower.narrow(0, 0, views.size());
  return lower.index_select(0, at::tensor(index, at::kLong).to(lower.device()));
}

Result<void> check(const Params& p, const Infos& in) {
  const ProjectionsInfo &a = scan_of(in, "upper"), &b = scan_of(in, "lower");
  if (a.kind == PixelKind::counts || b.kind == PixelKind::counts)
    return invalid("counts cannot be stitched, since their flats are not", "upper",
                   "Put flat-field nodes before this one");
  if (a.kind != b.kind)
    return invalid("one scan is " + std::string(to_string(a.kind)) + ", the other " + std::string(to_string(b.kind)),
                   "lower");
  const DetectorShape &d = a.geometry.detector(), &e = b.geometry.detector();
  if (!a.geometry.is_parallel() || !b.geometry.is_parallel())
    return invalid("the rows of two scans measure the same rays only in a parallel beam", "upper",
                   "Reconstruct both and join the volumes");
  TL_TRY(lower_views(a.geometry, b.geometry));
  if (p.overlap && *p.overlap > std::min(d.rows, e.rows))
    return invalid("the overlap is larger than a scan of " + std::to_string(std::min(d.rows, e.rows)) + " rows",
                   "overlap");
  return ok();
}

int64_t overlap_of(const Params& p, const Infos& in, const Findings* found) {
  const int64_t most =
      std::min(scan_of(in, "upper").geometry.detector().rows, scan_of(in, "lower").geometry.detector().rows);
  if (found == nullptr) return std::min(p.overlap.value_or(0), most);
  return std::clamp<int64_t>(std::llround(std::get<Scalar>(found->values.at("overlap")).value.item<double>()), 0, most);
}

// The detector of the upper scan, extended downwards.
Result<ScanGeometry> prolonged(const ScanGeometry& upper, int64_t rows) {
  DetectorShape d = upper.detector();
  const double down = 0.5 * static_cast<double>(rows - d.rows);
  d.rows = rows;
  std::vector<View> views;
  views.reserve(static_cast<std::size_t>(upper.views()));
  for (int64_t i = 0; i < upper.views(); ++i) {
    View v = upper.view(i);
    v.detector = v.detector - down * v.v;
    views.push_back(v);
  }
  return ScanGeometry::from_views(upper.beam(), d, std::move(views));
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings* found) {
  ProjectionsInfo scan = scan_of(in, "upper");
  const int64_t rows =
      scan.geometry.detector().rows + scan_of(in, "lower").geometry.detector().rows - overlap_of(p, in, found);
  scan.pending = found == nullptr;
  TL_TRY(scan.geometry, prolonged(scan.geometry, rows));
  scan.flats = scan.darks = 0;
  return Infos{{"projections", scan}, {"overlap", PlainInfo{}}, {"curve", PlainInfo{}}};
}

// A few views spread over the scan would do; a region can only name neighbouring ones.
Range measured_views(const ScanGeometry& upper) { return {0, std::min<int64_t>(upper.views(), 24)}; }

Result<Regions> measured(const Params&, const Infos& in) {
  const ScanGeometry &upper = scan_of(in, "upper").geometry, &lower = scan_of(in, "lower").geometry;
  TL_TRY(const auto partners, lower_views(upper, lower));
  ScanRegion above = upper.full(), below = lower.full();
  above.views = measured_views(upper);
  below.views = span_of(partners, above.views);
  return Regions{{"upper", above}, {"lower", below}};
}

Result<Findings> measure(const Params& p, NodeRun& r) {
  ops::AxisResult result;
  if (p.overlap) {
    result.axis = static_cast<double>(*p.overlap);
    result.verdict = ops::AxisVerdict::resolved;
    result.explanation = "The overlap was given.";
  } else {
    ops::AxisSearch search;
    search.cancel = r.cancel();
    const ScanGeometry& upper = r.info<ProjectionsInfo>("upper").geometry;
    TL_TRY(const auto partners, lower_views(upper, r.info<ProjectionsInfo>("lower").geometry));
    const Range views = measured_views(upper);
    const at::Tensor lower =
        partners_in(r.in<Projections>("lower").data, span_of(partners, views).begin, partners, views);
    result = ops::find_row_overlap(r.in<Projections>("upper").data, lower, search);
    if (result.verdict == ops::AxisVerdict::flat)
      return invalid("no overlap of the two scans was found: " + result.explanation, "overlap", "Give the overlap");
  }
  Findings f = axis_findings(result, r);
  auto overlap = f.values.extract("axis");
  overlap.key() = "overlap";
  f.values.insert(std::move(overlap));
  return f;
}

Result<Regions> needs(const Params&, const Infos& in, const Region& wanted) {
  // The rows needed of the lower scan depend on the overlap, which is not known yet: all rows are requested.
  const auto& w = std::get<ScanRegion>(wanted);
  const ScanGeometry &upper = scan_of(in, "upper").geometry, &lower = scan_of(in, "lower").geometry;
  TL_TRY(const auto partners, lower_views(upper, lower));
  return Regions{{"upper", ScanRegion{w.views, upper.full().rows, w.cols}},
                 {"lower", ScanRegion{span_of(partners, w.views), lower.full().rows, w.cols}}};
}

int64_t workspace(const Params&, const Infos& in, const Region& wanted, int64_t element_size) {
  const auto& w = std::get<ScanRegion>(wanted);
  const int64_t rows = scan_of(in, "upper").geometry.detector().rows + scan_of(in, "lower").geometry.detector().rows;
  // The stitched rows, the requested part of them, and the lower scan's views in the order of the upper one.
  return 3 * w.views.size() * rows * w.cols.size() * element_size;
}

Result<void> run(const Params&, NodeRun& r) {
  const auto &a = r.in<Projections>("upper"), &b = r.in<Projections>("lower");
  const auto& w = std::get<ScanRegion>(r.region);
  if (a.vectors.defined() || b.vectors.defined())
    return invalid("a node before this one learns the geometry", {}, "Learn it after this node");
  const ScanGeometry& upper = r.info<ProjectionsInfo>("upper").geometry;
  TL_TRY(const auto partners, lower_views(upper, r.info<ProjectionsInfo>("lower").geometry));
  const at::Tensor lower = partners_in(b.data, span_of(partners, w.views).begin, partners, w.views);
  TL_TRY(at::Tensor data, ops::stitch_rows(a.data, lower, overlap_of({}, r.infos, r.findings)));
  TL_TRY(ScanGeometry geometry, prolonged(upper, data.size(1)));
  Projections out;
  out.data = data.narrow(1, w.rows.begin, w.rows.size()).contiguous();
  out.geometry = geometry.crop(w);
  out.kind = a.kind;
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("correct.stitch_rows", 1).title("Stitch heights").category("Correction").partition(Partition::custom);
  n.summary(
      "Vertical stitching: joins two scans of a tall object, taken one above the other, into one with more rows.");
  n.description(
      "The bottom rows of the upper scan and the top rows of the lower one show the same part of the object; there "
      "they are blended linearly. If the overlap is not given, it is found from the first views, in whole rows, with a "
      "verdict. Both scans need the same angles, axis, columns and pixel sizes; they may be recorded in different "
      "orders: views are paired by their angles, which may differ by half a pixel at the ends of the rows. The "
      "geometry is that of the upper scan.");
  n.example({{"overlap", "2"}});
  n.synonyms({"vertical stitching", "z-stack", "tall samples", "overlap", "z-stitching"});
  n.input<Projections>("upper", "Absorption or transmission of the upper part, parallel beam.");
  n.input<Projections>("lower", "Absorption or transmission of the lower part.");
  n.output<Projections>("projections", "All rows.");
  n.output<Scalar>("overlap", "Number of rows that occur in both scans, with verdict.");
  n.output<Table>("curve", "Evidence: candidates and their mismatch.");
  n.param("overlap", "Overlap", &Params::overlap)
      .range(0, 1e6, Unit::px)
      .automatic("searched")
      .help("Number of rows that occur in both scans.");
  n.on_gpu();
  n.check(check).infos(infos).needs(needs).workspace(workspace).measure(measured, measure).run(run);
  n.keep_found([](Params& p, const Infos& in, const Findings& found) { p.overlap = overlap_of({}, in, &found); });
}

}  // namespace tl::correct_stitch_rows_node

TL_NODE(correct_stitch_rows)
