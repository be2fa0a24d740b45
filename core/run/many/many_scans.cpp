// Runs the scans of a list one by one in executors of their own, and keeps the table of what became of them.
#include "core/run/many/many_scans.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/graph/graph_json.h"
#include "core/io/format.h"
#include "core/io/input_files.h"
#include "core/run/automatic/batch.h"
#include "core/run/executor.h"
#include "core/run/record/versions.h"
#include "core/values/hash.h"

namespace tl {
namespace {

namespace fs = std::filesystem;

// The files and folders that a graph's parameters name as inputs.
std::vector<fs::path> named_inputs(const Graph& graph, const Registry& registry) {
  std::vector<fs::path> inputs;
  for (const auto& [id, node] : graph.nodes) {
    const NodeType* type = registry.find(node.type);
    if (type == nullptr) continue;
    for (const ParamDecl& decl : type->params) {
      const auto set = node.params.find(decl.name);
      const auto* text = set == node.params.end() ? nullptr : std::get_if<std::string>(&set->second);
      if (decl.path == PathRole::input && text != nullptr && !text->empty()) inputs.emplace_back(*text);
    }
  }
  return inputs;
}

// The files that an input consists of: those that its reader lists if it is a scan, else itself.
std::vector<fs::path> files_of(const fs::path& input, const CancelToken& cancel) {
  io::OpenOptions options;
  options.cancel = cancel;
  const auto scan = io::open_scan(input, {}, options);
  std::vector<fs::path> files = scan.ok() ? scan.value()->files() : std::vector<fs::path>();
  files.push_back(input);
  return files;
}

// Nine digits are enough for every measured value; the record of the result has all of them.
std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", value);
  return text.data();
}

std::map<std::string, std::string> columns_of(const RunReport& report) {
  std::map<std::string, std::string> columns;
  for (const auto& [node, findings] : report.findings)
    for (const auto& [name, value] : findings.values) {
      const auto* found = std::get_if<Scalar>(&value);
      if (found == nullptr || !found->value.defined()) continue;
      const std::string unit(symbol(found->unit)), in = unit.empty() ? unit : " [" + unit + "]";
      const std::string column = node + "." + name;
      columns[column + in] = number(from_stored(found->value.item<double>(), found->unit));
      if (found->uncertainty > 0)
        columns[column + " sigma" + in] = number(from_stored(found->uncertainty, found->unit));
      if (found->verdict != Verdict::none) columns[column + " verdict"] = std::string(to_string(found->verdict));
    }
  return columns;
}

}  // namespace

Result<ManyScans> ManyScans::open(const Registry& registry, ManyScansRequest request) {
  io::ProtectedFiles inputs;
  for (const fs::path& file : request.protected_files) inputs.add(file, "the input " + file.filename().string());
  TL_TRY(ScanTable table, ScanTable::open(request.out, inputs));
  request.options.inputs.add(inputs);
  return ManyScans(registry, std::move(request), std::move(table));
}

Result<Graph> ManyScans::graph_of(const ScanTask& task) const {
  Graph graph = request_.pipeline;
  TL_TRY(set_input(graph, *registry_, task.scan));
  TL_TRY(apply_settings(graph, *registry_, request_.settings));
  TL_TRY(apply_settings(graph, *registry_, task.settings));
  return graph;
}

Result<std::string> ManyScans::key_of(const Graph& graph) const {
  Hasher hasher;
  hasher.add(to_json(graph)).add(version());
  for (const fs::path& input : named_inputs(graph, *registry_))
    for (const fs::path& file : files_of(input, request_.options.cancel)) {
      const auto stamp = io::stamp_of(file);
      if (!stamp && file == input) return io_error("the input does not exist", input.string(), "Check the path");
      hasher.add(file.string());
      if (stamp) hasher.add(stamp->size).add(stamp->seconds).add(stamp->nanoseconds);
    }
  return hasher.digest().text();
}

bool ManyScans::is_done(const ScanTask& task) const {
  const ScanRow* row = table_.find(task.name);
  if (row == nullptr || row->state != ScanState::done) return false;
  const auto graph = graph_of(task);
  const auto key = graph.ok() ? key_of(graph.value()) : Result<std::string>(graph.error());
  if (!key.ok() || key.value() != row->key) return false;
  std::error_code failed;
  return std::all_of(row->files.begin(), row->files.end(),
                     [&](const std::string& file) { return fs::exists(request_.out / file, failed); });
}

Result<void> ManyScans::compute(const Graph& graph, const ScanTask& task, ScanRow& row, bool replaces) const {
  RunOptions options = request_.options;
  options.output_dir = request_.out / row.name;
  if (replaces) options.overwrite = io::Overwrite::replace;
  std::vector<std::string> settings = request_.settings;
  settings.insert(settings.end(), task.settings.begin(), task.settings.end());
  if (!request_.allow_outside) TL_TRY(check_outputs_inside(graph, *registry_, options, settings));
  std::error_code failed;
  fs::create_directories(options.output_dir, failed);
  if (failed) return io_error("the folder of the results cannot be made", options.output_dir.string());
  Executor executor(*registry_, options);
  TL_TRY(const RunReport report, run_batch(executor, graph, *registry_));
  row.seconds = report.seconds;
  row.found = columns_of(report);
  for (const fs::path& file : report.files) {
    const fs::path inside = fs::absolute(file).lexically_relative(fs::absolute(request_.out));
    row.files.push_back((inside.empty() || *inside.begin() == ".." ? fs::absolute(file) : inside).string());
  }
  return ok();
}

Result<ScanRow> ManyScans::run(const ScanTask& task) {
  if (is_done(task)) return *table_.find(task.name);
  const ScanRow* const before = table_.find(task.name);
  ScanRow row{task.name, task.scan, ScanState::running, 0, {}, {}, {}, {}};
  const Result<Graph> graph = graph_of(task);
  const Result<std::string> key = graph.ok() ? key_of(graph.value()) : Result<std::string>(graph.error());
  if (key.ok()) row.key = key.value();
  // Only this run wrote there, and it did not get to the end.
  const bool was_interrupted = before != nullptr && before->state == ScanState::running && before->key == row.key;
  TL_TRY(table_.set(row));
  const Result<void> computed =
      key.ok() ? compute(graph.value(), task, row, was_interrupted) : Result<void>(key.error());
  row.state = computed.ok() ? ScanState::done : ScanState::failed;
  if (!computed.ok() && computed.error().kind == ErrorKind::cancelled) {
    row.state = ScanState::waiting;
    TL_TRY(table_.set(row));
    return cancelled();
  }
  if (!computed.ok()) row.error = computed.error().message();
  TL_TRY(table_.set(row));
  return row;
}

Result<void> ManyScans::expect(const std::vector<ScanTask>& tasks) {
  for (const ScanTask& task : tasks)
    if (table_.find(task.name) == nullptr)
      TL_TRY(table_.set({task.name, task.scan, ScanState::waiting, 0, {}, {}, {}, {}}));
  return ok();
}

}  // namespace tl
