// Runs output nodes to files, and results into the cache, on the compute thread.
#include <algorithm>

#include "core/graph/upstream.h"
#include "core/live/guarded.h"
#include "core/live/worker.h"
#include "core/run/automatic/batch.h"

namespace tl::live {
namespace {

using Files = std::vector<std::filesystem::path>;

}  // namespace

void Worker::run(const RunJob& job) {
  if (job.dropped) {
    RunEnd end;
    end.error = cancelled();
    return listener_.notify(std::move(end));
  }
  const Requests::Guard guard(requests_, job);
  Monitor monitor(wiring(Interleaving::alone, job.graph), Monitor::Detail::runs);
  RunJob now = job;
  if (now.nodes.empty()) now.nodes = outputs();
  const Subgraph part = job.graph == nullptr ? upstream_part(now.nodes) : part_of(*job.graph);
  CallOptions options = call(guard, monitor, Interleaving::alone);
  options.overwrite = job.existing == Existing::replace ? io::Overwrite::replace : io::Overwrite::refuse;
  options.inputs = job.inputs;
  listener_.notify(RunProgress{true, 0, 0, -1, {}});
  states_.queue(part.keys);
  Result<Files> result = [&]() -> Result<Files> {
    const ScopedCallOptions use(executor_, options);
    return guarded([&]() -> Result<Files> {
      if (now.kind == RunJob::Kind::outputs) return run_outputs(now, part);
      Files files;
      for (const std::string& node : now.nodes) TL_TRY(compute(node, part, files));
      return files;
    });
  }();
  finish_run(now, part, monitor, result);
}

// Another graph with the keys of the nodes that it has in common with the newest one.
Worker::Subgraph Worker::part_of(const Graph& graph) const {
  Subgraph part{graph, {}};
  for (const auto& [id, node] : graph.nodes) {
    const auto same = graph_.nodes.find(id);
    const auto look = looks_.find(id);
    if (same != graph_.nodes.end() && same->second == node && look != looks_.end()) part.keys[id] = look->second.key;
  }
  return part;
}

Result<Files> Worker::run_outputs(const RunJob& job, const Subgraph& part) {
  if (job.graph != nullptr) {
    TL_TRY(executor_.check(part.graph));
  } else {
    for (const std::string& node : job.nodes)
      if (const auto error = blocking_error(node)) return *error;
  }
  if (job.nodes.empty())
    return invalid("nothing to run: the pipeline has no output node", {}, "Add a node that saves something");
  TL_TRY(check_writable(written_by(part.graph), executor_.rules_for(part.graph)));
  // The record next to a file contains the whole pipeline if all of it is free of errors.
  const bool sound = job.graph == nullptr && std::all_of(looks_.begin(), looks_.end(), [](const auto& look) {
                       return !look.second.error && look.second.waits_for.empty();
                     });
  TL_TRY(const RunReport report, executor_.run(sound ? Graph(graph_) : part.graph, job.nodes));
  for (const auto& [id, stats] : report.nodes) states_.took(id, stats.seconds);
  return report.files;
}

// The files of the output nodes, each followed by the record next to it.
Files Worker::written_by(const Graph& graph) const {
  return outputs_with_records(graph, registry_, executor_.options());
}

// Computes all outputs of a node, or their middle if they would not fit into the cache; an output node writes its file.
Result<void> Worker::compute(const std::string& node, const Subgraph& part, std::vector<std::filesystem::path>& files) {
  if (const auto error = blocking_error(node)) return *error;
  const NodeType* type = registry_.find(part.graph.nodes.at(node).type);
  if (type->is_output) {
    TL_TRY(const Files written,
           run_outputs({RunJob::Kind::outputs, {node}, Existing::refuse, false}, upstream_part({node})));
    files.insert(files.end(), written.begin(), written.end());
    states_.computed(upstream_part({node}).keys, Extent::whole);
    return ok();
  }
  Extent extent = Extent::whole;
  for (const PortDecl& port : type->outputs) {
    TL_TRY(const Infos infos, executor_.infos(part.graph, node));  // after measurements, which may change the infos
    const auto info = infos.find(port.name);
    if (info == infos.end()) continue;
    const Region whole = full_region(info->second);
    const int64_t size = region_bytes(whole, static_cast<int64_t>(sizeof(float)));
    if (size <= executor_.cache().budget() / 2) {
      TL_TRY(executor_.pull(part.graph, node, port.name));
      continue;
    }
    PictureRequest middle;
    middle.node = node;
    middle.port = port.name;
    TL_TRY(const PictureRegion wanted, checked_region(middle, info->second, size));
    TL_TRY(executor_.pull(part.graph, node, port.name, wanted.region));
    extent = Extent::part;
    listener_.notify(
        Message{LogLevel::info, node, "the whole output does not fit into the cache: its middle was computed"});
  }
  states_.computed(part.keys, Extent::part);
  states_.computed({{node, part.keys.at(node)}}, extent);
  return ok();
}

void Worker::finish_run(const RunJob& job, const Subgraph& part, const Monitor& monitor, const Result<Files>& result) {
  for (const auto& [id, key] : part.keys) states_.end(id);
  RunEnd end;
  end.seconds = monitor.seconds();
  if (result.ok()) {
    end.files = result.value();
    // Another graph may need only a part of its nodes' outputs.
    if (job.kind == RunJob::Kind::outputs)
      states_.computed(part.keys, job.graph == nullptr ? Extent::whole : Extent::part);
  } else {
    end.error = result.error();
    // The user is not asked about input files: these are never replaced.
    if (job.kind == RunJob::Kind::outputs && !monitor.computed())
      for (const auto& file : written_by(part.graph))
        if (file == end.error->where && std::filesystem::exists(file) && !end.error->what.starts_with(io::is_an_input))
          end.existing.push_back(file);
    for (const std::string& node : job.nodes) {
      const auto key = part.keys.find(node);
      if (key == part.keys.end()) continue;
      if (end.error->kind == ErrorKind::cancelled) states_.cancel(node, key->second);
    }
    // A refusal before anything was computed is a question to the user, not a failure of the node.
    if (end.error->kind != ErrorKind::cancelled && monitor.computed() && !job.nodes.empty())
      fail(part, job.nodes.front(), *end.error);
  }
  check(Graph(graph_));
  listener_.notify(RunProgress{false, result.ok() ? 1.0 : 0.0, end.seconds, -1, {}});
  listener_.notify(std::move(end));
}

}  // namespace tl::live
