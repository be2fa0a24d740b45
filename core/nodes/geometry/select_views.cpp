// core/nodes/geometry/select_views.cpp: every n-th view of a scan by angle, and the others.
#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

#include "core/base/angle_order.h"
#include "core/node/node_builder.h"

namespace tl::geometry_select_views_node {

enum class Hand { picked, others };

struct Params {
  int64_t every = 5, first = 2;
  Hand give = Hand::picked;
};

// Which views of the scan the output has, in its order. Counted by angle: every n-th view in the order of recording
// could be neighbours, or have equal angles, in an interlaced scan or one that goes back and forth.
std::vector<int64_t> chosen(const Params& p, const ScanGeometry& scan) {
  std::vector<int64_t> list;
  const std::vector<int64_t> by_angle = angle_order(scan).views;
  for (int64_t place = 0; place < scan.views(); ++place) {
    const bool picked = place >= p.first && (place - p.first) % p.every == 0;
    if (picked == (p.give == Hand::picked)) list.push_back(by_angle[static_cast<std::size_t>(place)]);
  }
  std::sort(list.begin(), list.end());
  return list;
}

Result<void> check(const Params& p, const Infos& in) {
  const ProjectionsInfo& scan = scan_of(in);
  if (scan.kind == PixelKind::counts)
    return invalid("views cannot be selected from counts, whose flats were taken between them", "projections",
                   "Put this node after the flat-field node");
  if (chosen(p, scan.geometry).empty())
    return invalid("no view is left of " + std::to_string(scan.geometry.views()), "every",
                   "Pick fewer, or other views");
  return ok();
}

Result<Infos> infos(const Params& p, const Infos& in, const Findings*) {
  ProjectionsInfo scan = scan_of(in);
  const std::vector<int64_t> views = chosen(p, scan.geometry);
  if (views.empty()) return invalid("no view is left", "every", "Pick fewer, or other views");
  scan.geometry = scan.geometry.select(views);
  return Infos{{"projections", scan}};
}

Result<Regions> needs(const Params& p, const Infos& in, const Region& wanted) {
  ScanRegion region = std::get<ScanRegion>(wanted);
  const std::vector<int64_t> views = chosen(p, scan_of(in).geometry);
  region.views = {views[static_cast<std::size_t>(region.views.begin)],
                  views[static_cast<std::size_t>(region.views.end - 1)] + 1};
  return Regions{{"projections", region}};
}

Result<void> run(const Params& p, NodeRun& r) {
  const auto& in = r.in<Projections>("projections");
  const auto& region = std::get<ScanRegion>(r.region);
  const std::vector<int64_t> all = chosen(p, r.info<ProjectionsInfo>("projections").geometry);
  // Indices in the whole scan, then in the part that was supplied.
  const int64_t begin = all[static_cast<std::size_t>(region.views.begin)];
  std::vector<int64_t> views;
  for (int64_t v = region.views.begin; v < region.views.end; ++v)
    views.push_back(all[static_cast<std::size_t>(v)] - begin);
  Projections out;
  out.kind = in.kind;
  out.geometry = in.geometry.select(views);
  const at::Tensor index = at::tensor(views, at::kLong);
  out.data = in.data.index_select(0, index.to(in.data.device()));
  if (in.vectors.defined()) out.vectors = in.vectors.index_select(0, index);
  return r.done("projections", std::move(out));
}

void describe(NodeBuilder<Params>& n) {
  n.id("geometry.select_views", 1).title("Part of the views").category("Alignment").partition(Partition::custom);
  n.summary("Selects every n-th view of a scan by angle, or all the others.");
  n.description(
      "Two of these nodes with the same numbers split a scan for cross-validation: one passes the other views to a "
      "reconstruction, the second passes the picked views to the reprojection error, which then measures the "
      "reconstruction with views that were not used for it. Use a single one for quick trials with fewer views.");
  n.synonyms({"subset", "held-out views", "fewer views", "every n-th", "cross-validation", "split"});
  n.input<Projections>("projections", "Any scan after the flat-field node.");
  n.output<Projections>("projections", "Some of its views.");
  n.param("every", "Every", &Params::every).range(2, 1e6).help("One view in so many is picked.");
  n.param("first", "First", &Params::first)
      .range(0, 1e6)
      .help("The first view that is picked; views count from 0, by angle.");
  n.param("give", "Hand on", &Params::give,
          {{Hand::picked, "picked", "The picked views"}, {Hand::others, "others", "All others"}})
      .help("The picked views, or the remaining ones.");
  n.where_input_is();
  n.check(check).infos(infos).needs(needs).run(run);
}

}  // namespace tl::geometry_select_views_node

TL_NODE(geometry_select_views)
