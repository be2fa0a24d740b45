// Runs a sweep: computes the points of its grid one after the other, and writes the files at the end.
#include "core/learn/sweep/sweep.h"

#include <ATen/ATen.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/base/text.h"
#include "core/base/wording.h"
#include "core/graph/graph_json.h"
#include "core/graph/pipeline_paths.h"
#include "core/io/output/output_file.h"
#include "core/io/output/volume_writer.h"
#include "core/learn/learning.h"
#include "core/learn/short_number.h"
#include "core/learn/sweep/sweep_store.h"
#include "core/node/nearest.h"
#include "core/run/automatic/batch.h"
#include "core/run/executor.h"
#include "core/run/record/provenance.h"

namespace tl::learn {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t max_values = 4096;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

// A number at the start of a text, and the text after it.
std::optional<std::pair<double, std::string>> leading_number(const std::string& text) {
  const std::string plain(trimmed(text));
  std::size_t used = 0;
  try {
    const double value = std::stod(plain, &used);
    return std::pair(value, std::string(trimmed(std::string_view(plain).substr(used))));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

// Numbers written as a range, or anything written as a list with commas.
std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> list;
  for (const std::string& part : split(text, ',')) list.emplace_back(trimmed(part));
  return list;
}

// "first:last:count", perhaps with a unit at the end, as a list of texts.
Result<std::vector<std::string>> value_texts(const std::string& text, const ParamDecl& decl) {
  const bool counts = decl.kind == ParamKind::number || decl.kind == ParamKind::integer;
  if (!counts || text.find(':') == std::string::npos) return listed(text);
  const std::vector<std::string> parts = split(text, ':');
  const auto wrong = [&text] {
    return invalid("a range is written first:last:count with a count of 2 to " + std::to_string(max_values), text,
                   "For example -3:3:13 px");
  };
  if (parts.size() != 3) return wrong();
  const auto first = leading_number(parts[0]), last = leading_number(parts[1]), count = leading_number(parts[2]);
  if (!first || !last || !count || !(count->first >= 2) || count->first > static_cast<double>(max_values) ||
      count->first != std::floor(count->first))
    return wrong();
  const std::string unit = !count->second.empty()  ? count->second
                           : !last->second.empty() ? last->second
                                                   : first->second;
  const auto n = static_cast<int64_t>(count->first);
  std::vector<std::string> list;
  for (int64_t i = 0; i < n; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(n - 1);
    double value = first->first + share * (last->first - first->first);
    if (decl.kind == ParamKind::integer) value = std::round(value);
    // The middle of -0.3:0.3:7 is 0, not 1e-17.
    if (std::abs(value) < 1e-12 * std::max(std::abs(first->first), std::abs(last->first))) value = 0;
    list.push_back(short_number(value, 12) + (unit.empty() ? "" : " " + unit));
  }
  return list;
}

std::vector<std::string> node_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const auto& [id, node] : graph.nodes) names.push_back(id);
  return names;
}

Result<const NodeType*> type_of(const Graph& graph, const Registry& registry, const std::string& node) {
  const auto found = graph.nodes.find(node);
  if (found == graph.nodes.end())
    return invalid("the pipeline has no node \"" + node + "\"", node, suggest(node, node_names(graph)));
  const NodeType* type = registry.find(found->second.type);
  if (type == nullptr) return registry.unknown(found->second.type);
  return type;
}

// The only port of that type and name, or the last one in the order of the pipeline.
enum class Choose { only, last };
std::optional<SweepPort> some_port(const Graph& graph, const Registry& registry, PortTest is, const std::string& name,
                                   Choose choose) {
  const auto order = topological_order(graph);
  std::vector<SweepPort> found;
  for (const std::string& id : order.ok() ? order.value() : std::vector<std::string>{}) {
    const NodeType* node = registry.find(graph.nodes.at(id).type);
    if (node == nullptr || graph.nodes.at(id).use != NodeUse::active) continue;
    for (const PortDecl& port : node->outputs)
      if (is(port.type) && (name.empty() || port.name == name)) found.emplace_back(id, port.name);
  }
  if (found.empty() || (choose == Choose::only && found.size() > 1)) return std::nullopt;
  return found.back();
}

// The slice of a volume as a tile of at most `most` px, row 0 at the top: voxels are averaged, or each is enlarged to
// several px.
at::Tensor tile_of(const at::Tensor& slice, int64_t most) {
  at::Tensor image = slice.detach().to(at::kFloat).flip(0);
  const int64_t longest = std::max(image.size(0), image.size(1)), join = (longest + most - 1) / most;
  if (join > 1) {
    const int64_t y = std::max<int64_t>(1, image.size(0) / join), x = std::max<int64_t>(1, image.size(1) / join);
    image = at::adaptive_avg_pool2d(image.unsqueeze(0), {y, x})[0];
  }
  if (const int64_t repeat = most / longest; repeat > 1)
    image = image.repeat_interleave(repeat, 0).repeat_interleave(repeat, 1);
  return image.contiguous();
}

struct Sweep {
  Executor& executor;
  const Graph& graph;
  const Registry& registry;
  const SweepRequest& request;
  std::optional<SweepPort> score, picture;

  [[nodiscard]] std::size_t total() const {
    std::size_t n = 1;
    for (const SweepAxis& axis : request.axes) n *= axis.values.size();
    return n;
  }
  [[nodiscard]] Graph at(std::size_t index, std::vector<std::string>& values) const {
    Graph g = graph;
    for (const SweepAxis& axis : request.axes) {
      const ParamValue& value = axis.values[index % axis.values.size()];
      index /= axis.values.size();
      g.nodes[axis.node].params[axis.param] = value;
      values.push_back(to_text(value));
    }
    return g;
  }
  Result<void> fill(const Graph& g, SweepResult& out) const {
    if (score) {
      TL_TRY(const Value value, executor.pull(g, score->first, score->second));
      out.point.score = std::get<Scalar>(value).value.item<double>();
    }
    if (picture) {
      TL_TRY(const Infos infos, executor.infos(g, picture->first));
      const VolumeGrid& grid = std::get<VolumeInfo>(infos.at(picture->second)).grid;
      const int64_t k = request.slice.value_or(grid.nz / 2);
      if (k < 0 || k >= grid.nz)
        return invalid("the volume has " + std::to_string(grid.nz) + " slices", "slice", "Slices count from 0");
      TL_TRY(const Value value, executor.pull(g, picture->first, picture->second, Region{grid.slab({k, k + 1})}));
      out.tile = tile_of(std::get<Volume>(value).data[0], request.tile);
    }
    return ok();
  }
  // Identifies this sweep: a hash of everything on which its results depend.
  [[nodiscard]] Hash job() const {
    Hasher hasher;
    hasher.add(version()).add(to_json(graph)).add(request.tile).add(request.slice.value_or(-1));
    for (const SweepAxis& axis : request.axes) {
      hasher.add(axis.node).add(axis.param);
      for (const ParamValue& value : axis.values) hasher.add(to_text(value));
    }
    const auto looks = executor.look(graph);
    for (const auto* port : {&score, &picture})
      if (*port) hasher.add((*port)->first).add((*port)->second).add(looks.at((*port)->first).key);
    return hasher.digest();
  }
};

fs::path with_ending(const fs::path& output, const char* ending) {
  fs::path path = output;
  path += ending;
  return path;
}

// All points, read from the store if they are there; the error of the first point if none could be computed.
Result<std::vector<SweepResult>> all_points(const Sweep& sweep, SweepStore& store, SweepReport& report,
                                            const std::function<void(const SweepReport&, std::size_t)>& progress) {
  std::vector<SweepResult> results;
  std::optional<Error> first;
  for (std::size_t n = 0; n < sweep.total(); ++n) {
    SweepResult result;
    if (auto done = store.find(n)) {
      result = std::move(*done);
      ++report.resumed;
    } else {
      const Graph g = sweep.at(n, result.point.values);
      const auto filled = sweep.fill(g, result);
      if (!filled.ok()) {
        const ErrorKind kind = filled.error().kind;
        if (kind == ErrorKind::cancelled || kind == ErrorKind::internal) return filled.error();
        result.point.error = filled.error().message();
        if (!first) first = filled.error();
      }
      TL_TRY(store.keep(n, result));
    }
    const auto& score = result.point.score;
    if (score && std::isfinite(*score) && (!report.best || *score < *report.points[*report.best].score))
      report.best = n;
    report.points.push_back(result.point);
    results.push_back(std::move(result));
    progress(report, sweep.total());
  }
  const bool any = std::any_of(results.begin(), results.end(), [](const auto& r) { return r.point.error.empty(); });
  if (!any && first) {
    store.remove();
    return *first;
  }
  return results;
}

Result<void> check_request(const SweepRequest& request, const Sweep& sweep) {
  if (request.axes.empty() || request.axes.size() > 2)
    return invalid("a sweep goes over one or two parameters", "sweep",
                   two_wordings("For example --over fbp.cutoff=0.2:1:9", "Choose one or two numbers of a node"));
  if (request.axes.size() == 2 && request.axes[0].node == request.axes[1].node &&
      request.axes[0].param == request.axes[1].param)
    return invalid("both parameters are the same", request.axes[0].node + "." + request.axes[0].param,
                   "Choose another one");
  if (sweep.total() > max_values)
    return invalid(std::to_string(sweep.total()) + " points are too many", "sweep",
                   "At most " + std::to_string(max_values));
  if (!sweep.score && !sweep.picture)
    return invalid("the pipeline outputs neither a score nor a volume", "sweep",
                   two_wordings("Name a scalar output with --score", "Add an objective or a reconstruction"));
  return ok();
}

}  // namespace

Result<SweepAxis> parse_sweep_axis(const Graph& graph, const Registry& registry, const std::string& text) {
  const auto equals = text.find('=');
  const auto dot = text.rfind('.', equals);
  if (equals == std::string::npos || dot == std::string::npos || dot == 0 || dot + 1 == equals ||
      equals + 1 == text.size())
    return invalid("a sweep is written node.parameter=first:last:count or node.parameter=a,b,c", text,
                   "For example fbp.cutoff=0.2:1:9");
  SweepAxis axis{text.substr(0, dot), text.substr(dot + 1, equals - dot - 1), {}};
  TL_TRY(const NodeType* type, type_of(graph, registry, axis.node));
  const ParamDecl* decl = type->param(axis.param);
  if (decl == nullptr) {
    std::vector<std::string> names;
    for (const ParamDecl& d : type->params) names.push_back(d.name);
    return invalid("\"" + type->id + "\" has no parameter \"" + axis.param + "\"", axis.node,
                   suggest(axis.param, names));
  }
  if (graph.link_into(axis.node, axis.param) != nullptr)
    return invalid("\"" + axis.param + "\" is driven by a link", axis.node,
                   "Sweep the parameter that sets it, or remove the link");
  TL_TRY(const std::vector<std::string> texts, value_texts(text.substr(equals + 1), *decl));
  if (texts.empty() || texts.size() > max_values)
    return invalid("1 to " + std::to_string(max_values) + " values are swept", text);
  for (const std::string& one : texts) {
    TL_TRY(const ParamValue value, parse_value(*decl, one));
    TL_TRY(decl->validate(value));
    axis.values.push_back(value);
  }
  return axis;
}

namespace {

Result<SweepPort> parse_port(const Graph& graph, const Registry& registry, const std::string& text, PortTest is,
                             const std::string& kind) {
  const bool whole = graph.nodes.count(text) != 0;
  const auto dot = whole ? std::string::npos : text.rfind('.');
  const std::string node = text.substr(0, dot);
  TL_TRY(const NodeType* found, type_of(graph, registry, node));
  std::vector<std::string> names;
  for (const PortDecl& p : found->outputs)
    if (is(p.type)) names.push_back(p.name);
  if (dot == std::string::npos) {
    if (names.size() == 1) return SweepPort{node, names.front()};
    return invalid("\"" + node + "\" has " + std::to_string(names.size()) + " outputs of the type " + kind, text,
                   "Write node.output");
  }
  const std::string port = text.substr(dot + 1);
  if (std::find(names.begin(), names.end(), port) == names.end())
    return invalid("\"" + node + "\" has no output \"" + port + "\" of the type " + kind, text, suggest(port, names));
  return SweepPort{node, port};
}

}  // namespace

Result<SweepPort> parse_sweep_score(const Graph& graph, const Registry& registry, const std::string& text) {
  return parse_port(graph, registry, text, is_number, "scalar");
}
Result<SweepPort> parse_sweep_picture(const Graph& graph, const Registry& registry, const std::string& text) {
  return parse_port(graph, registry, text, is_volume, "volume");
}

Result<SweepReport> run_sweep(Executor& executor, const Graph& graph, const Registry& registry,
                              const SweepRequest& request,
                              const std::function<void(const SweepReport&, std::size_t total)>& progress) {
  Sweep sweep{executor, graph, registry, request, request.score, request.picture};
  if (!sweep.score) sweep.score = some_port(graph, registry, is_number, "loss", Choose::only);
  if (!sweep.picture) sweep.picture = some_port(graph, registry, is_volume, "", Choose::last);
  TL_TRY(check_request(request, sweep));
  SweepReport report;
  report.score = sweep.score.value_or(SweepPort{});
  report.picture = sweep.picture.value_or(SweepPort{});
  const fs::path json = with_ending(request.output, ".json"), csv = with_ending(request.output, ".csv"),
                 png = with_ending(request.output, ".png");
  report.files = {json, csv};
  if (sweep.picture) report.files.push_back(png);
  const fs::path folder = with_ending(request.output, ".sweep");
  const Hash job = sweep.job();
  std::error_code ignored;
  // An empty folder next to outputs: a run was killed between its last two steps.
  if (fs::exists(json, ignored) && fs::is_empty(folder, ignored)) rmdir(folder.c_str());
  // A run that was killed while or after its outputs got their names left its points: existing outputs are then from
  // this sweep, and must equal the new ones.
  const bool goes_on = request.rules.overwrite == io::Overwrite::refuse && SweepStore::is_of(folder, job);
  const io::OutputRules rules = goes_on ? io::OutputRules{io::Overwrite::replace, request.rules.inputs} : request.rules;
  TL_TRY(check_writable(report.files, rules));
  TL_TRY(SweepStore store, SweepStore::open(folder, job, request.rules));
  TL_TRY(const std::vector<SweepResult> results, all_points(sweep, store, report, progress));
  const auto n = static_cast<double>(results.size());
  const int64_t across = request.axes.size() == 2 ? static_cast<int64_t>(request.axes[0].values.size())
                                                  : static_cast<int64_t>(std::ceil(std::sqrt(n)));
  std::vector<io::OutputFile> files;
  if (sweep.picture) {
    const at::Tensor montage = sweep_montage(results, across, report.best).flip(0);
    TL_TRY(io::OutputFile file, io::uncommitted_png(png, montage, 0, 1, rules));
    files.push_back(std::move(file));
  }
  const Graph portable = with_relative_inputs(graph, registry, json.parent_path());
  for (const auto& [name, text] :
       {std::pair(csv, sweep_csv(report, request)), std::pair(json, sweep_json(report, request, portable))}) {
    TL_TRY(io::OutputFile file, io::uncommitted_text(name, text, rules));
    files.push_back(std::move(file));
  }
  TL_TRY(goes_on ? io::commit_missing(std::move(files)) : io::commit_together(std::move(files)));
  store.remove();
  return report;
}

}  // namespace tl::learn
