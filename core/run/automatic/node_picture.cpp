// Makes before-and-after images of a node for the reference.
#include "core/run/automatic/node_picture.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/graph/graph.h"
#include "core/node/data_file.h"
#include "core/node/registry.h"
#include "core/run/automatic/array_of_auto.h"
#include "core/run/automatic/example_source.h"

namespace tl {
namespace {

constexpr int64_t panel_height = 160, gap = 8;
// Fraction of the pixels that the grey window clips at each end.
constexpr double clipped = 0.005;
constexpr double pattern = 0.05;  // for arrays of learnable parameters

std::optional<PortDecl> shown(const std::vector<PortDecl>& ports) {
  for (const PortTest is : {+is_volume, +is_scan, +is_labels, +is_table})
    if (const PortDecl* port = first_port(ports, is)) return *port;
  return std::nullopt;
}

// The labels of a node whose first output is labels: its other outputs describe them.
std::optional<PortDecl> shown_output(const NodeType& type) {
  const bool labels = !type.outputs.empty() && is_labels(type.outputs.front().type);
  return labels ? type.outputs.front() : shown(type.outputs);
}

// The example scan for segmentation nodes: noise is its only defect, and its objects are separate, touch or overlap.
// For nodes that output a table, drawn as a curve over the slices: an object that varies from slice to slice.
void show_objects(Graph& g, const NodeType& type) {
  const bool has_curve = is_table(shown_output(type)->type);
  g.nodes["scan"].params["phantom"] = std::string(has_curve ? "geode" : "ellipses");
  for (const char* defect : {"stripes", "zingers", "dead_pixels"}) g.nodes["scan"].params.erase(defect);
}

bool is_of_labels(const NodeType& type) {
  return first_port(type.inputs, is_labels) != nullptr || first_port(type.outputs, is_labels) != nullptr;
}

Graph example_graph(const NodeType& type, const ExampleSource& source) {
  Graph g;
  g.nodes["scan"] = simulated_scan(source);
  g.nodes["node"] = {type.id, type.version, {}};
  const bool of_labels = is_of_labels(type);
  if (of_labels) show_objects(g, type);
  for (const PortDecl& in : type.inputs) {
    // Optional markers are not linked, so that the node shows markers that it finds itself; a border must start near
    // the objects.
    if (of_labels && !in.required && in.name != "start" && in.name != "strokes") continue;
    if (const auto output = add_example(g, in, source))
      g.links.push_back({output->first, output->second, "node", in.name});
  }
  return g;
}

Result<void> set_example(Graph& g, const Registry& registry, const NodeType& type) {
  for (const auto& [name, text] : type.example) TL_TRY(set_param(g, registry, "node", name, text));
  return ok();
}

// Fills an array that is zero for "auto" with a pattern, as if it had been learned.
Result<void> set_arrays(Graph& g, Executor& executor, const Registry& registry, const NodeType& type) {
  for (const auto& [name, made] : type.arrays_of_auto) {
    TL_TRY(const NumberArray plain, array_of_auto(executor, registry, g, "node", name));
    std::vector<float> values = plain.values();
    if (std::any_of(values.begin(), values.end(), [](float v) { return v != 0; })) continue;
    constexpr std::size_t apart = 23;  // not a divisor of the row length, so that the pattern is oblique
    for (std::size_t i = 0; i < values.size(); i += apart) values[i] = static_cast<float>(pattern);
    TL_TRY(g.nodes["node"].params[name], NumberArray::make(plain.shape(), std::move(values), plain.unit()));
  }
  return ok();
}

std::vector<PortDecl> linked_inputs(const Graph& g, const NodeType& type) {
  std::vector<PortDecl> linked;
  for (const PortDecl& p : type.inputs)
    if (g.link_into("node", p.name) != nullptr) linked.push_back(p);
  return linked;
}

struct Window {
  double low = 0, high = 1;
};

Window window_of(const at::Tensor& image) {
  const at::Tensor sorted = std::get<0>(image.masked_select(at::isfinite(image)).to(at::kDouble).sort());
  if (sorted.numel() == 0) return {};
  const auto at_share = [&](double share) {
    return sorted[static_cast<int64_t>(share * static_cast<double>(sorted.numel() - 1))].item<double>();
  };
  const Window w{at_share(clipped), at_share(1 - clipped)};
  return w.low < w.high ? w : Window{w.low, w.low + 1};
}

// 0 is black; shades of neighbouring numbers differ.
at::Tensor shades_of(const at::Tensor& numbers) {
  constexpr double darkest = 0.35, golden = 0.618033988749895;
  const at::Tensor scattered = (numbers.to(at::kDouble) * golden).frac();
  return at::where(numbers.ne(0), darkest + (1 - darkest) * scattered, at::zeros({}, at::kDouble));
}

// A level line shows nothing.
bool is_curve(const Table& table) {
  if (table.columns.size() < 2 || table.columns[1].values.size() < 3) return false;
  const auto& y = table.columns[1].values;
  return std::any_of(y.begin(), y.end(), [&](double v) { return v != y.front(); });
}

// A curve as dark pixels on a light ground.
at::Tensor plotted(const Table& table) {
  at::Tensor image = at::full({panel_height, panel_height}, 0.95, at::kDouble);
  const auto& y = table.columns[1].values;
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  const double range = std::max(*high - *low, 1e-300), last = panel_height - 1;
  const auto height = [&](int64_t col) {
    const double at = static_cast<double>(col) / last * static_cast<double>(y.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(at), y.size() - 2);
    const double value = y[i] + (at - static_cast<double>(i)) * (y[i + 1] - y[i]);
    return std::clamp<int64_t>(std::llround((1 - (value - *low) / range) * (last - 8)) + 4, 0, panel_height - 1);
  };
  for (int64_t col = 0; col < panel_height; ++col) {
    const int64_t a = height(col), b = height(std::min<int64_t>(col + 1, panel_height - 1));
    image.slice(0, std::min(a, b), std::max(a, b) + 1).slice(1, col, col + 1).fill_(0.1);
  }
  return image;
}

// The only region that is computed and shown: the middle slice of a volume; for a scan the first view if the node works
// view by view, else the sinogram of the middle row.
Region shown_region(const Info& info, Partition partition) {
  if (const VolumeGrid* grid = grid_of(info)) return grid->slab({grid->nz / 2, grid->nz / 2 + 1});
  if (!std::holds_alternative<ProjectionsInfo>(info)) return WholeRegion{};
  auto region = std::get<ScanRegion>(full_region(info));
  if (partition == Partition::per_view || partition == Partition::pointwise) {
    region.views = {0, 1};
  } else {
    const int64_t row = region.rows.size() / 2;
    region.rows = {row, row + 1};
  }
  return region;
}

Result<Value> pull_shown(Executor& executor, const Graph& g, const std::string& node, const std::string& port,
                         Partition partition) {
  TL_TRY(const Infos infos, executor.infos(g, node));
  return executor.pull(g, node, port, shown_region(infos.at(port), partition));
}

// A value as an image [row, col], top row first, grey values unscaled.
at::Tensor picture_of(const Value& value) {
  if (const auto* v = std::get_if<Volume>(&value)) return v->data[0].flip(0);
  if (const auto* l = std::get_if<Labels>(&value)) return shades_of(l->data[0].flip(0));
  if (const auto* p = std::get_if<Projections>(&value)) return p->data.size(0) == 1 ? p->data[0] : p->data.squeeze(1);
  return plotted(std::get<Table>(value));
}

Window window_for(const Value& value) {
  const bool is_shaded = std::holds_alternative<Table>(value) || std::holds_alternative<Labels>(value);
  return is_shaded ? Window{} : window_of(picture_of(value));
}

// Whether both contain the same quantity, so that one grey window makes them comparable.
bool comparable(const Value& a, const Value& b) {
  if (a.index() != b.index()) return false;
  const auto *p = std::get_if<Projections>(&a), *q = std::get_if<Projections>(&b);
  return p == nullptr || p->kind == q->kind;
}
// Whether most of an image would be plain black or white.
bool hides(const Window& w, const at::Tensor& image) {
  const at::Tensor outside = (image < w.low).logical_or(image > w.high);
  return 2 * outside.sum().item<int64_t>() > image.numel();
}

// The image at panel height, scaled to 0..1; enlarged without interpolation, so that pixels stay visible.
at::Tensor panel(const at::Tensor& image, const Window& w) {
  at::Tensor grey = ((image.detach().to(at::kDouble) - w.low) / (w.high - w.low)).clamp(0, 1).nan_to_num(0);
  const int64_t width = std::max<int64_t>(1, grey.size(1) * panel_height / grey.size(0));
  const auto pick = [](int64_t n, int64_t from) { return (at::arange(n, at::kLong) * from).floor_divide(n); };
  return grey.index_select(0, pick(panel_height, grey.size(0))).index_select(1, pick(width, grey.size(1)));
}

}  // namespace

bool has_picture(const NodeType& type) {
  const bool is_objective = type.differentiable && type.output("loss") != nullptr;
  return !type.is_output && !is_objective && data_file_of(type) == nullptr && shown_output(type);
}

Result<std::optional<at::Tensor>> node_picture(const Registry& registry, const NodeType& type,
                                               const RunOptions& options) {
  Executor executor(registry, options);
  std::string refusals;
  for (const ExampleSource& source : example_sources()) {
    Graph g = example_graph(type, source);
    TL_TRY(set_example(g, registry, type));
    if (const auto checked = executor.check(g); !checked.ok()) {
      if (refusals.find(checked.error().what) == std::string::npos) refusals += " " + checked.error().what + ".";
      continue;
    }
    TL_TRY(set_arrays(g, executor, registry, type));
    std::vector<at::Tensor> panels;
    TL_TRY(Value after, pull_shown(executor, g, "node", shown_output(type)->name, type.partition));
    if (const auto* table = std::get_if<Table>(&after); table != nullptr && !is_curve(*table))
      return std::optional<at::Tensor>{};
    // Labels that need a file or strokes have nothing to show.
    const at::Tensor shown_after = picture_of(after);
    if (is_of_labels(type) && shown_after.min().equal(shown_after.max())) return std::optional<at::Tensor>{};
    Window window = window_for(after);
    if (const std::optional<PortDecl> in = shown(linked_inputs(g, type))) {
      const Link& from = *g.link_into("node", in->name);
      TL_TRY(Value before, pull_shown(executor, g, from.from_node, from.from_port, type.partition));
      const at::Tensor image = picture_of(before);
      if (before.index() == after.index() && image.equal(picture_of(after))) return std::optional<at::Tensor>{};
      const Window own = window_for(before);
      if (comparable(before, after) && !hides(own, picture_of(after))) window = own;
      panels = {panel(image, own), at::ones({panel_height, gap}, at::kDouble)};
    }
    panels.push_back(panel(picture_of(after), window));
    return std::optional<at::Tensor>{at::cat(panels, 1)};
  }
  return invalid("none of the simulated scans fits this node:" + refusals, type.id,
                 "Give its declaration an example() that makes it work");
}

}  // namespace tl
