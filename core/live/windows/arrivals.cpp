// Runs the leading nodes on the views that are new in a window, and joins their results.
#include "core/live/windows/arrivals.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>

#include "core/graph/bypass.h"
#include "core/live/windows/block_reader.h"
#include "core/live/windows/view_ring.h"
#include "core/node/node_host_alone.h"
#include "core/nodes/input/scan_params.h"
#include "core/run/executor.h"
#include "gpu/device/parallel_for.h"

namespace tl {
namespace {

constexpr const char* scan_port = "projections";

// Parameters of the load node that choose views of a file. In a stream, its windows determine the views.
constexpr std::array view_choices = {"first_view", "last_view", "exclude", "view_step"};

int64_t next_stream() {
  static std::atomic<int64_t> streams = 0;
  return ++streams;
}

// Nodes that use an output of this node as input or as driver.
std::vector<std::string> consumers(const Graph& graph, const std::string& node) {
  std::vector<std::string> all;
  for (const Link& link : graph.links)
    if (link.from_node == node) all.push_back(link.to_node);
  return all;
}

// Whether the node has a scan as its only input and a scan as output, and none of its parameters is driven or differs
// from view to view.
bool is_filter_of_scans(const Graph& graph, const NodeType& type, const std::string& id) {
  if (type.measure || type.begin || type.partition == Partition::reduce || type.is_output) return false;
  if (type.outputs.size() != 1 || type.outputs.front().name != scan_port || !is_scan(type.outputs.front().type))
    return false;
  for (const Link& link : graph.links) {
    const PortDecl* port = link.to_node == id ? type.input(link.to_port) : nullptr;
    if (link.to_node == id && (port == nullptr || !is_scan(port->type) || port->name != scan_port)) return false;
  }
  const auto& set = graph.nodes.at(id).params;
  return std::none_of(type.params.begin(), type.params.end(), [&](const ParamDecl& decl) {
    const auto value = set.find(decl.name);
    if (value == set.end()) return false;
    const auto* list = std::get_if<NumberList>(&value->second);
    return std::holds_alternative<NumberArray>(value->second) ||
           (decl.per_view && list != nullptr && list->values.size() > 1);
  });
}

// Whether each view of the output needs only the same view of the input; checked for the first and last view.
Result<bool> is_made_view_by_view(const NodeType& type, const GraphNode& node, const Infos& in, const Infos& out) {
  const ScanGeometry& geometry = scan_of(out).geometry;
  const int64_t views = geometry.views();
  if (scan_of(in).geometry.views() != views) return false;
  const std::shared_ptr<void> params = make_params(type, node.params);
  for (const int64_t view : {int64_t{0}, views - 1}) {
    ScanRegion wanted = geometry.full();
    wanted.views = {view, view + 1};
    TL_TRY(const Regions needed, type.needs ? type.needs(params.get(), in, wanted) : default_needs(type, in, wanted));
    const auto* scan = std::get_if<ScanRegion>(&needed.at(scan_port));
    if (scan == nullptr || scan->views != wanted.views) return false;
  }
  return true;
}

// Empty: the default of the node type.
std::string choice_of(const GraphNode& node, const std::string& name) {
  const auto set = node.params.find(name);
  const auto* text = set == node.params.end() ? nullptr : std::get_if<std::string>(&set->second);
  return text == nullptr ? std::string() : *text;
}

bool divides_by_flats(const GraphNode& node, const Registry& registry) {
  return node.use == NodeUse::active && registry.has_role(node.type, NodeRole::flat_field) &&
         choice_of(node, "reference") != "none";
}

// Of each view.
std::vector<Hash> digests_of(const at::Tensor& views) {
  const at::Tensor pixels = views.contiguous();
  const auto* data = static_cast<const char*>(pixels.const_data_ptr());
  const std::size_t bytes = pixels.nbytes() / static_cast<std::size_t>(pixels.size(0));
  std::vector<Hash> digests(static_cast<std::size_t>(pixels.size(0)));
  ops::parallel_for(0, pixels.size(0), 1, [&](int64_t first, int64_t last) {
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i)
      digests[i] =
          Hasher().add(pixels.size(1)).add(pixels.size(2)).add(std::string_view(data + i * bytes, bytes)).digest();
  });
  return digests;
}

std::vector<int64_t> rows_of(std::span<const stream::Window::View> views) {
  std::vector<int64_t> rows;
  for (const stream::Window::View& view : views) rows.push_back(view.row);
  return rows;
}

Hash settings_of(const Graph& graph, const std::vector<std::string>& nodes) {
  Hasher hasher;
  for (const std::string& id : nodes) {
    const GraphNode& node = graph.nodes.at(id);
    hasher.add(id).add(node.type);
    for (const auto& [name, value] : node.params) hasher.add(name).add(to_text(value));
  }
  return hasher.digest();
}

}  // namespace

// The host of the load node. It keeps flats, darks and values found from them, which all blocks share until other flats
// or darks arrive.
class Arrivals::BlockHost final : public NodeHostAlone {
 public:
  // Drops values that were kept for other flats and darks.
  void use(const Hash& references) {
    if (references != references_) kept_.clear();
    references_ = references;
  }
  std::shared_ptr<void> memo(const std::string& name, int64_t,
                             const std::function<std::shared_ptr<void>()>& make) override {
    std::shared_ptr<void>& kept = kept_[name];
    if (!kept) kept = make();
    return kept;
  }

 private:
  Hash references_;
  std::map<std::string, std::shared_ptr<void>> kept_;
};

// One window.
struct Arrivals::Work {
  Executor& executor;
  const Graph& graph;  // without bypassed nodes
  const stream::Window& window;
  const std::shared_ptr<BlockHost> host;
  const NodeType* load = nullptr;
  std::shared_ptr<void> params;  // of the load node
  Hash key, lasting;
  std::map<std::string, Infos> infos;  // infos for the whole window, by leading node

  [[nodiscard]] const ScanParams& choices() const { return *static_cast<const ScanParams*>(params.get()); }
  // The load node's output for some views, for each part that is needed.
  Result<GivenOutput> loaded(std::span<const stream::Window::View> views, const std::string& node) const {
    TL_TRY(std::shared_ptr<io::ScanReader> reader, block_reader(window, views, choices()));
    GivenOutput given;
    TL_TRY(Infos all, load->infos_of_reader(params.get(), reader->info()));
    given.info = all.at(scan_port);
    given.region = full_region(given.info);
    given.read = [reader, node, type = load, chosen = params, kept = host, &options = executor.options()](
                     const Region& part, Samples samples) -> Result<Value> {
      NodeRun run(node, *kept, options.cancel);
      run.region = part;
      run.dtype = options.dtype;
      run.samples = samples;
      TL_TRY(type->from_reader(chosen.get(), *reader, run));
      return std::move(run.outputs.at(scan_port));
    };
    return given;
  }
};

// Outputs of the leading nodes, by row of the record.
struct Arrivals::Kept {
  const int64_t stream = next_stream();
  int64_t blocks = 0;
  Hash settings;
  std::shared_ptr<BlockHost> host = std::make_shared<BlockHost>();
  std::map<std::string, ViewRing> views;  // by node whose output is given; not a load node before other leading nodes
  std::map<int64_t, Hash> contents;       // digests of the views of the last leading node
  std::map<std::string, PixelKind> kinds;

  void forget() {
    views.clear();
    contents.clear();
  }
};

Arrivals::Arrivals(ArrivalOptions options) : options_(options), kept_(std::make_unique<Kept>()) {}
Arrivals::~Arrivals() = default;

Result<std::string> Arrivals::load_node(const Graph& graph, const Registry& registry) {
  std::vector<std::string> found;
  for (const auto& [id, node] : graph.nodes)
    if (node.use == NodeUse::active && registry.has_role(node.type, NodeRole::load_scan)) found.push_back(id);
  if (found.size() == 1) return found.front();
  if (found.empty())
    return invalid("the pipeline loads no scan that the frames could replace", {}, "Add the node input.load_scan");
  return invalid("the pipeline loads several scans: " + found[0] + ", " + found[1], {},
                 "Leave one of them: a stream is one scan");
}

bool Arrivals::needs_flats(const Graph& graph, const Registry& registry) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [&](const auto& entry) { return divides_by_flats(entry.second, registry); });
}

std::vector<std::string> Arrivals::using_later_flats(const Graph& graph, const Registry& registry) {
  std::vector<std::string> nodes;
  for (const auto& [id, node] : graph.nodes)
    if (divides_by_flats(node, registry) && choice_of(node, "change") != "before") nodes.push_back(id);
  return nodes;
}

std::vector<std::string> Arrivals::training(const Graph& graph, const Registry& registry) {
  std::vector<std::string> nodes;
  for (const auto& [id, node] : graph.nodes) {
    const NodeType* type = registry.find(node.type);
    if (type == nullptr || !type->measure_further || node.use != NodeUse::active) continue;
    const bool has_strokes = graph.link_into(id, "strokes") != nullptr;
    if (has_strokes && choice_of(node, "training") != "once") nodes.push_back(id);
  }
  return nodes;
}

Result<GivenOutputs> Arrivals::outputs(Executor& executor, const Graph& graph, const stream::Window& window) {
  const Registry& registry = Registry::all();
  TL_TRY(const std::string load, load_node(graph, registry));
  const UsedGraph used = used_graph(graph, registry);
  Work work{executor, used.graph, window, kept_->host, registry.with_role(NodeRole::load_scan), {}, {}, {}, {}};
  std::map<std::string, ParamValue> settings = used.graph.nodes.at(load).params;
  for (const char* name : view_choices) settings.erase(name);
  work.params = make_params(*work.load, settings);
  Hasher key, lasting, references;
  lasting.add(kept_->stream).add(asked_).add(std::ssize(window.views));
  key.add(kept_->stream).add(asked_);
  for (const stream::Window::View& view : window.views) key.add(view.row);
  for (const stream::Window::Flat& flat : window.flats) {
    key.add(flat.position).add(*flat.frame->number);
    references.add(*flat.frame->number);
  }
  references.add("darks");
  for (const stream::FramePtr& dark : window.darks) {
    key.add(*dark->number);
    references.add(*dark->number);
  }
  kept_->host->use(references.add(settings_of(used.graph, {load})).digest());
  leading_ = {load};
  TL_TRY(find_leading(work));
  const Hash chosen = settings_of(work.graph, leading_);
  work.key = key.add(chosen).digest();
  work.lasting = lasting.add(chosen).digest();
  if (chosen != kept_->settings) kept_->forget();
  kept_->settings = chosen;
  TL_TRY(make_views(work));
  return join(work);
}

// The load node is given with the info of the window, so that the infos of nodes after it can be determined.
Result<void> Arrivals::find_leading(Work& work) {
  const std::string load = leading_.front();
  TL_TRY(const std::unique_ptr<io::ScanReader> reader, block_reader(work.window, work.window.views, work.choices()));
  TL_TRY(work.infos[load], work.load->infos_of_reader(work.params.get(), reader->info()));
  GivenOutput whole;
  whole.info = work.infos[load].at(scan_port);
  whole.region = full_region(whole.info);
  whole.value = Projections{};
  whole.key = Hasher().add("window").add(kept_->stream).add(++kept_->blocks).digest();
  work.executor.give({{{load, scan_port}, std::move(whole)}});
  const Registry& registry = Registry::all();
  while (true) {
    const std::string last = leading_.back();
    const std::vector<std::string> next = consumers(work.graph, last);
    if (next.size() != 1 || learned_.count(next.front()) != 0) return ok();
    const GraphNode& node = work.graph.nodes.at(next.front());
    const NodeType* type = registry.find(node.type);
    if (type == nullptr || !is_filter_of_scans(work.graph, *type, next.front())) return ok();
    TL_TRY(work.infos[next.front()], work.executor.infos(work.graph, next.front()));
    TL_TRY(const bool by_view, is_made_view_by_view(*type, node, work.infos.at(last), work.infos.at(next.front())));
    if (!by_view) return ok();
    leading_.push_back(next.front());
  }
}

std::vector<std::string> Arrivals::kept_nodes() const {
  if (!options_.gives_all || leading_.size() == 1) return {leading_.back()};
  return {leading_.begin() + 1, leading_.end()};
}

Result<void> Arrivals::make_views(Work& work) {
  const int64_t first = work.window.views.front().row;
  auto& contents = kept_->contents;
  contents.erase(contents.begin(), contents.lower_bound(first));
  for (auto& [node, views] : kept_->views) views.drop_before(first);
  std::vector<stream::Window::View> missing;
  for (const stream::Window::View& view : work.window.views)
    if (contents.count(view.row) == 0) missing.push_back(view);
  if (missing.empty()) return ok();
  const std::string& load = leading_.front();
  TL_TRY(GivenOutput block, work.loaded(missing, load));
  block.key = Hasher().add("block").add(kept_->stream).add(++kept_->blocks).digest();
  const std::vector<int64_t> rows = rows_of(missing);
  const ExternalValues outside{{}, {{{load, scan_port}, std::move(block)}}};
  for (const std::string& node : kept_nodes()) {
    TL_TRY(const Value value, work.executor.pull(work.graph, node, scan_port, std::nullopt, outside));
    const auto& made = std::get<Projections>(value);
    kept_->kinds[node] = made.kind;
    kept_->views[node].add(rows, made.data);
    if (node != leading_.back()) continue;
    const std::vector<Hash> digests = digests_of(made.data);
    for (std::size_t v = 0; v < rows.size(); ++v) contents[rows[v]] = digests[v];
  }
  // No other block is equal: results for this one are not needed again.
  for (const std::string& node : leading_) work.executor.free_stale(node);
  if (leading_.size() > 1) views_made_ += std::ssize(missing);
  return ok();
}

Result<GivenOutputs> Arrivals::join(Work& work) const {
  GivenOutputs all;
  const auto finish = [&](const std::string& node, GivenOutput given) {
    given.key = Hasher().add(work.key).add(node).digest();
    given.lasting = Hasher().add(work.lasting).add(node).digest();
    all.emplace(OutputId{node, scan_port}, std::move(given));
  };
  const std::string& load = leading_.front();
  // Images of the load node show a view or a row: it is made from the frames on request.
  if (options_.gives_all && leading_.size() > 1) {
    TL_TRY(GivenOutput given, work.loaded(work.window.views, load));
    finish(load, std::move(given));
  }
  const std::vector<int64_t> rows = rows_of(work.window.views);
  for (const std::string& node : kept_nodes()) {
    GivenOutput given;
    given.info = work.infos.at(node).at(scan_port);
    given.region = full_region(given.info);
    Projections joined;
    // The load node's output has flats and darks, with their positions in the window.
    if (node == load) {
      TL_TRY(const GivenOutput loaded, work.loaded(work.window.views, load));
      auto first = std::get<ScanRegion>(given.region);
      first.views = {0, 1};
      TL_TRY(Value one, loaded.read(first, Samples::floats));
      joined = std::get<Projections>(std::move(one));
    }
    joined.data = kept_->views.at(node).window(rows);
    joined.geometry = std::get<ProjectionsInfo>(given.info).geometry;
    joined.kind = kept_->kinds.at(node);
    if (node == leading_.back())
      for (const int64_t row : rows) joined.contents.push_back(kept_->contents.at(row));
    given.value = std::move(joined);
    finish(node, std::move(given));
  }
  return all;
}

}  // namespace tl
