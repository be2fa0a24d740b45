// Computes natural steps: the geometry as a function of one parameter, from the infos of nodes, without reading
// pixels.
#include "core/learn/natural_step.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/grid_projection.h"
#include "core/graph/upstream.h"
#include "core/learn/learning.h"
#include "core/learn/problem.h"

namespace tl::learn {
namespace {

// The geometry that a target's node outputs for this value; nothing if it refuses the value or there is no scan.
std::optional<ScanGeometry> geometry_with(Executor& executor, Graph graph, const Target& target, const ParamDecl& decl,
                                          std::optional<double> value) {
  graph.nodes[target.node].params[target.name] =
      value ? ParamValue{Number{*value, stored_unit(dimension(decl.unit))}} : ParamValue{};
  const auto infos = executor.infos(upstream_of(graph, {target.node}), target.node);
  if (!infos.ok()) return std::nullopt;
  for (const auto& [port, info] : infos.value())
    if (const auto* scan = std::get_if<ProjectionsInfo>(&info)) return scan->geometry;
  return std::nullopt;
}

// A change that is small for any parameter.
double small_change(const ParamDecl& decl, double value) {
  const double usual = dimension(decl.unit) == Dimension::angle ? 1e-3 : 1e-2;
  return std::max(1e-4 * std::abs(value), usual);
}

// The largest displacement of points on the edge of the field of view, in the views that are looked at [px].
double displacement(const ScanGeometry& a, const ScanGeometry& b) {
  const VolumeGrid grid = default_grid(a);
  const double x = 0.5 * static_cast<double>(grid.nx - 1), z = 0.5 * static_cast<double>(grid.nz - 1);
  constexpr int64_t max_views = 24;
  const int64_t stride = std::max<int64_t>(1, a.views() / max_views);
  double largest = 0;
  for (int64_t view = 0; view < a.views(); view += stride)
    for (int corner = 0; corner < 8; ++corner) {
      const int quarter = corner / 2;
      const double angle = 0.5 * pi * quarter, up = corner % 2 == 0 ? -z : z;
      const Vec3 point =
          grid.centre + x * std::cos(angle) * grid.step_x + x * std::sin(angle) * grid.step_y + up * grid.step_z;
      const auto from = a.project(view, point), to = b.project(view, point);
      largest = std::max(largest, std::hypot(to.col - from.col, to.row - from.row));
    }
  return largest;
}

}  // namespace

std::optional<ScanGeometry> Problem::geometry_at(const Vector& z) const {
  const Graph graph = with_values(graph_, values_at(z));
  std::optional<ScanGeometry> last;
  std::set<std::string> nodes, seen;
  for (const ParameterBlock& b : blocks_) nodes.insert(b.target.node);
  for (const std::string& node : nodes) {
    const Graph part = upstream_of(graph, {node});
    const auto infos = executor_->infos(part, node);
    if (!infos.ok()) return std::nullopt;
    for (const auto& [port, info] : infos.value()) {
      const auto* scan = std::get_if<ProjectionsInfo>(&info);
      if (scan == nullptr) continue;
      if (scan->pending) return std::nullopt;
      const auto follows = [&](const std::string& other) { return part.nodes.count(other) != 0; };
      const bool later = std::all_of(seen.begin(), seen.end(), follows);
      const bool earlier = std::any_of(seen.begin(), seen.end(), [&](const std::string& other) {
        return upstream_of(graph, {other}).nodes.count(node) != 0;
      });
      if (!later && !earlier) return std::nullopt;
      if (later) last = scan->geometry;
      seen.insert(node);
      break;
    }
  }
  return last;
}

std::optional<double> geometric_step(Executor& executor, const Graph& graph, const Target& target,
                                     const ParamDecl& decl, double value) {
  const double change = small_change(decl, value);
  const auto here = geometry_with(executor, graph, target, decl, value);
  auto there = geometry_with(executor, graph, target, decl, value + change);
  if (!there) there = geometry_with(executor, graph, target, decl, value - change);
  if (!here || !there || here->views() != there->views()) return std::nullopt;
  const double moved = displacement(*here, *there);
  if (!(moved > 1e-9)) return std::nullopt;
  return change / moved;
}

Result<std::vector<double>> automatic_start(Executor& executor, const Graph& graph, const Target& target,
                                            const ParamDecl& decl) {
  const Error unknown = invalid("where \"" + target.name + "\" starts is not known: it is on 'auto'", target.node,
                                "Set it in the pipeline, or give a start");
  const auto wanted = geometry_with(executor, graph, target, decl, std::nullopt);
  if (!wanted) return unknown;
  const std::vector<double> goal = wanted->vectors();
  // Gauss-Newton on the view vectors, which are smooth in every parameter of a geometry.
  const double low = decl.low ? to_stored(*decl.low, decl.unit) : -1e9,
               high = decl.high ? to_stored(*decl.high, decl.unit) : 1e9;
  double value = std::clamp(0.0, low, high);
  if (value == low && low > 0) value = std::clamp(100.0, low, high);
  for (int round = 0; round < 20; ++round) {
    const double change = small_change(decl, value);
    const auto here = geometry_with(executor, graph, target, decl, value);
    const auto there = geometry_with(executor, graph, target, decl, value + change);
    if (!here || !there) return unknown;
    const std::vector<double> a = here->vectors(), b = there->vectors();
    if (a.size() != goal.size()) return unknown;
    double along = 0, length = 0, off = 0;
    for (std::size_t i = 0; i < goal.size(); ++i) {
      const double slope = (b[i] - a[i]) / change;
      along += slope * (goal[i] - a[i]);
      length += slope * slope;
      off = std::max(off, std::abs(goal[i] - a[i]));
    }
    if (!(length > 0)) return unknown;
    const double step = along / length;
    value = std::clamp(value + step, low, high);
    if (std::abs(step) <= 1e-9 * std::max(1.0, std::abs(value))) return std::vector<double>{value};
  }
  return unknown;
}

}  // namespace tl::learn
