// Reads the parts of a scan from which hints are derived.
#include "core/run/hints/scan_hints.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/base/angle_order.h"
#include "core/graph/upstream.h"
#include "core/io/reader/scan_info.h"
#include "core/run/hints/detectors.h"

namespace tl {
namespace {

constexpr int64_t groups = 3;
constexpr int64_t pixels_of_view = int64_t{1} << 20;  // of larger views, only rows in the middle are read
constexpr int64_t rows_read = 4;
constexpr int64_t share_of_memory = 8;  // data read for hints may take 1 / share_of_memory of the memory for blocks

Range middle(int64_t all, int64_t count) {
  const int64_t first = (all - std::min(all, count)) / 2;
  return {first, first + std::min(all, count)};
}

bool fits(const Executor& executor, int64_t values) {
  return values * 4 <= executor.options().memory / share_of_memory;
}

// Nothing if it does not fit into memory.
Result<std::optional<Projections>> pulled(Executor& executor, const Graph& graph, const std::string& node,
                                          const std::string& port, const ScanRegion& region) {
  Result<Value> value = executor.pull(graph, node, port, region);
  if (!value.ok() && value.error().kind == ErrorKind::device) return std::optional<Projections>();
  if (!value.ok()) return value.error();
  return std::optional<Projections>(std::get<Projections>(std::move(value).value()));
}

struct Looked {
  Executor& executor;
  const Registry& registry;
  const Graph& graph;
  const std::string& source;
  std::string port;  // its output
  ProjectionsInfo info;
};

// One view and those at the neighbouring angles, sorted by angle.
std::vector<int64_t> view_and_neighbours(const AngleOrder& order, int64_t view) {
  const AngleOrder::Neighbours next = order.neighbours(view);
  return next.before && next.after ? std::vector<int64_t>{*next.before, view, *next.after} : std::vector<int64_t>{view};
}

Result<std::vector<hints::NeighbouringViews>> neighbouring_views(const Looked& l) {
  const DetectorShape d = l.info.geometry.detector();
  const int64_t views = l.info.geometry.views();
  std::vector<hints::NeighbouringViews> all;
  if (views < 3) return all;
  const AngleOrder order = angle_order(l.info.geometry);
  const Graph graph = upstream_of(l.graph, {l.source});
  for (int64_t g = 0; g < groups; ++g) {
    const int64_t position = std::clamp<int64_t>((2 * g + 1) * views / (2 * groups), 1, views - 2);
    const int64_t at = order.views[static_cast<std::size_t>(position)];
    ScanRegion region = l.info.geometry.full();
    region.rows = middle(d.rows, std::max<int64_t>(pixels_of_view / d.cols, 1));
    const int64_t frames = 3 + l.info.flats + l.info.darks;
    if (!fits(l.executor, frames * region.rows.size() * d.cols)) return all;
    std::optional<Projections> found;
    std::vector<at::Tensor> data;
    for (const int64_t view : view_and_neighbours(order, at)) {
      region.views = {view, view + 1};
      TL_TRY(auto one, pulled(l.executor, graph, l.source, l.port, region));
      if (!one) return all;
      data.push_back(one->data);
      if (view == at) found = std::move(*one);
    }
    found->data = at::cat(data, 0);
    all.push_back({std::move(*found), at, region.rows.begin});
  }
  return all;
}

// The flat-field node after the scan, or a graph to which one is added. Nothing: the scan cannot be corrected.
struct Corrected {
  Graph graph;
  std::string node, port;
};
std::optional<Corrected> corrected(const Looked& l) {
  for (const Link& link : l.graph.links) {
    const auto to = l.graph.nodes.find(link.to_node);
    if (link.from_node == l.source && link.from_port == l.port && to != l.graph.nodes.end() &&
        l.registry.has_role(to->second.type, NodeRole::flat_field) && to->second.use == NodeUse::active)
      return Corrected{upstream_of(l.graph, {link.to_node}), link.to_node, "projections"};
  }
  Corrected made{upstream_of(l.graph, {l.source}), l.source, l.port};
  if (l.info.kind == PixelKind::absorption) return made;
  if (l.info.kind == PixelKind::thickness || (l.info.kind == PixelKind::counts && l.info.flats == 0)) return {};
  const NodeType* flat_field = l.registry.with_role(NodeRole::flat_field);
  if (flat_field == nullptr) return {};
  made.node = made.graph.free_id(flat_field->id);
  GraphNode& node = made.graph.nodes[made.node];
  node.type = flat_field->id;
  node.version = flat_field->version;
  if (l.info.kind == PixelKind::transmission) node.params["reference"] = std::string("none");
  made.graph.links.push_back({l.source, l.port, made.node, "projections"});
  made.port = "projections";
  return made;
}

Result<std::optional<Projections>> whole_rows(const Looked& l) {
  const auto from = corrected(l);
  if (!from) return std::optional<Projections>();
  ScanRegion region = l.info.geometry.full();
  region.rows = middle(region.rows.size(), rows_read);
  if (!fits(l.executor, 4 * region.count())) return std::optional<Projections>();
  TL_TRY(auto rows, pulled(l.executor, from->graph, from->node, from->port, region));
  if (!rows || rows->kind == PixelKind::thickness || rows->kind == PixelKind::counts)
    return std::optional<Projections>();
  rows->data = rows->data.to(at::kFloat);
  if (rows->kind == PixelKind::transmission) rows->data = -rows->data.clamp_min(1e-6).log();
  rows->kind = PixelKind::absorption;
  return rows;
}

HintKind kind_of(io::DoubtAbout about) {
  return about == io::DoubtAbout::angles   ? HintKind::angle_unit
         : about == io::DoubtAbout::pixels ? HintKind::pixel_values
                                           : HintKind::references;
}

// Doubts of the load node about the scan, as hints.
Result<std::vector<Hint>> doubts_of(const Looked& l, const NodeType& type) {
  std::vector<Hint> all;
  if (!type.scan_info) return all;
  const GraphNode& node = l.graph.nodes.at(l.source);
  TL_TRY(const io::ScanInfo scan, type.scan_info(make_params(type, node.params).get(), l.executor.options().cancel));
  for (const io::Doubt& doubt : scan.doubts) {
    Hint h;
    h.kind = kind_of(doubt.about);
    h.evidence = doubt.evidence;
    h.advice = doubt.advice;
    all.push_back(std::move(h));
  }
  return all;
}

void add(std::vector<Hint>& all, std::vector<Hint> more) {
  for (Hint& h : more) all.push_back(std::move(h));
}

}  // namespace

std::vector<std::string> scans_of(const Graph& graph, const Registry& registry) {
  std::vector<std::string> found;
  for (const auto& [id, node] : graph.nodes) {
    const NodeType* type = registry.find(node.type);
    if (type != nullptr && node.use == NodeUse::active && type->inputs.empty() && !type->outputs.empty() &&
        is_scan(type->outputs.front().type))
      found.push_back(id);
  }
  return found;
}

Result<std::vector<Hint>> scan_hints(Executor& executor, const Registry& registry, const Graph& graph,
                                     const std::string& source) {
  const NodeType* type = find_node_type(graph, registry, source);
  if (type == nullptr || type->outputs.empty()) return invalid("there is no such scan", source);
  Looked l{executor, registry, graph, source, type->outputs.front().name, {}};
  TL_TRY(const Infos infos, executor.infos(upstream_of(graph, {source}), source));
  l.info = std::get<ProjectionsInfo>(infos.at(l.port));
  TL_TRY(std::vector<Hint> all, doubts_of(l, *type));
  const bool are_radians =
      std::any_of(all.begin(), all.end(), [](const Hint& h) { return h.kind == HintKind::angle_unit; });
  TL_TRY(const std::optional<Projections> rows, whole_rows(l));
  if (rows) add(all, hints::in_whole_rows(*rows, executor.options().cancel));
  TL_TRY(const std::vector<hints::NeighbouringViews> views, neighbouring_views(l));
  add(all, hints::in_single_views(views));
  const auto missing = are_radians ? std::nullopt : hints::missing_angles(l.info.geometry);
  if (missing) all.push_back(*missing);
  std::stable_sort(all.begin(), all.end(), [](const Hint& a, const Hint& b) { return a.kind < b.kind; });
  for (Hint& h : all) h.source = source;
  return all;
}

Result<std::vector<Hint>> unfollowed_scan_hints(Executor& executor, const Registry& registry, const Graph& graph) {
  std::vector<Hint> all;
  for (const std::string& scan : scans_of(graph, registry)) {
    TL_TRY(std::vector<Hint> found, scan_hints(executor, registry, graph, scan));
    add(all, std::move(found));
  }
  return open_hints(graph, all);
}

std::string hint_text(const Hint& hint) {
  return hint.evidence + ". " + hint.advice + (hint.node.empty() ? "" : " (node " + hint.node + ")");
}

}  // namespace tl
