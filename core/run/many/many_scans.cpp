// Runs the scans of a list one by one in separate executors, and writes the table of their results.
#include "core/run/many/many_scans.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/base/wording.h"
#include "core/graph/graph_json.h"
#include "core/graph/named_pipeline.h"
#include "core/io/bytes/input_files.h"
#include "core/io/open_scan.h"
#include "core/run/automatic/batch.h"
#include "core/run/executor.h"
#include "core/run/record/versions.h"
#include "core/values/hash.h"

namespace tl {
namespace {

namespace fs = std::filesystem;

// The input files and folders in a graph's parameters.
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

// The files of an input: those that its reader lists if it is a scan, else the input itself.
std::vector<fs::path> files_of(const fs::path& input, const CancelToken& cancel) {
  const auto scan = io::open_scan(input, {}, {.cancel = cancel});
  std::vector<fs::path> files = scan.ok() ? scan.value()->files() : std::vector<fs::path>();
  files.push_back(input);
  return files;
}

// Replaces "{before}" by the folder of the previous scan; if there is none, leaves such settings out.
std::vector<std::string> settings_after(const std::vector<std::string>& settings, const fs::path& before) {
  constexpr std::string_view word = "{before}";
  std::vector<std::string> all;
  for (std::string text : settings) {
    const std::size_t at = text.find(word);
    if (at != std::string::npos && before.empty()) continue;
    if (at != std::string::npos) text.replace(at, word.size(), before.string());
    all.push_back(std::move(text));
  }
  return all;
}

}  // namespace

Result<ManyScans> ManyScans::open(const Registry& registry, ManyScansRequest request) {
  io::ProtectedFiles tables;
  for (const fs::path& input : request.inputs) {
    std::error_code failed;
    if (fs::is_regular_file(input, failed)) tables.add(input, "the input " + input.filename().string());
    if (fs::is_directory(input, failed) && fs::equivalent(input, request.out, failed))
      return invalid("the results would be written among the scans, and be read as scans", fs::absolute(input).string(),
                     two_wordings("Choose another folder for them with --out", "Choose another folder for them"));
  }
  TL_TRY(ScanTable table, ScanTable::open(request.out, tables));
  request.options.inputs.add(tables);
  return ManyScans(registry, std::move(request), std::move(table));
}

Result<Graph> ManyScans::graph_of(const ScanTask& task) const {
  Graph graph = request_.pipeline;
  if (!task.pipeline.empty()) {
    TL_TRY(graph, pipeline_or_template(task.pipeline, *registry_));
  }
  if (graph.nodes.empty())
    return invalid("the scan has no pipeline to run", task.scan.string(),
                   two_wordings("Name one in the column pipeline", "Choose a pipeline for it"));
  std::vector<std::string> settings = settings_after(request_.settings, task.before);
  for (std::string& own : settings_after(task.settings, task.before)) settings.push_back(std::move(own));
  // Also before the input is set: if there are several sources, it is set in the one without a file.
  TL_TRY(apply_settings(graph, *registry_, settings));
  TL_TRY(set_input(graph, *registry_, task.scan));
  TL_TRY(apply_settings(graph, *registry_, settings));
  return graph;
}

Result<ManyScans::RunKey> ManyScans::key_of(const Graph& graph, const CancelToken& cancel) const {
  Graph computed = graph;
  computed.ui.clear();  // the layout does not influence the result
  Hasher hasher;
  for (const fs::path& input : named_inputs(graph, *registry_))
    for (const fs::path& file : files_of(input, cancel)) {
      const auto stamp = io::stamp_of(file);
      if (!stamp && file == input) return io_error("the input does not exist", input.string(), "Check the path");
      hasher.add(file.string());
      if (stamp) hasher.add(stamp->size).add(stamp->seconds).add(stamp->nanoseconds);
    }
  return RunKey{Hasher().add(to_json(computed)).add(version()).digest().text(), hasher.digest().text()};
}

// The first name that no scan of another folder has.
std::string ManyScans::name_in_table(const ScanTask& task) const {
  std::string name = task.name;
  std::optional<ScanRow> row = table_.find(name);
  for (int copy = 2; row && row->scan != task.scan; row = table_.find(name))
    name = task.name + "-" + std::to_string(copy++);
  return name;
}

// The first of these names that does not have results of another state of the file.
std::string ManyScans::name_for(const ScanTask& task, const RunKey& key) const {
  const std::string first = name_in_table(task);
  if (request_.options.overwrite == io::Overwrite::replace) return first;
  std::string name = first;
  for (int copy = 2;; ++copy) {
    const std::optional<ScanRow> row = table_.find(name);
    const bool has_results = row && (row->state == ScanState::done || row->state == ScanState::running);
    const std::size_t between = has_results ? row->key.find('-') : std::string::npos;
    if (between == std::string::npos || row->key.substr(between + 1) == key.inputs) return name;
    name = first + "-rescan-" + std::to_string(copy);
  }
}

bool ManyScans::is_complete(const ScanRow& row) const {
  std::error_code failed;
  return row.state == ScanState::done && std::all_of(row.files.begin(), row.files.end(), [&](const std::string& file) {
           return fs::exists(request_.out / file, failed);
         });
}

RunOptions ManyScans::options_for(const std::string& name) const {
  RunOptions options = request_.options;
  options.output_dir = request_.out / name;
  return options;
}

Result<RunReport> ManyScans::compute(const Graph& graph, const ScanTask& task, const RunOptions& options,
                                     ScanRow& row) const {
  if (!request_.allow_outside) TL_TRY(check_outputs_inside(graph, *registry_, options, row_of(task).settings));
  std::error_code failed;
  fs::create_directories(options.output_dir, failed);
  if (failed) return io_error("the folder of the results cannot be created", options.output_dir.string());
  Executor executor(*registry_, options);
  TL_TRY(RunReport report, run_batch(executor, graph, *registry_));
  row.seconds = report.seconds;
  row.found = found_columns(report.findings);
  for (const fs::path& file : report.files) {
    const fs::path inside = fs::absolute(file).lexically_relative(fs::absolute(request_.out));
    row.files.push_back((inside.empty() || *inside.begin() == ".." ? fs::absolute(file) : inside).string());
  }
  return report;
}

// The row of a waiting task, with the settings for all scans; the path of its pipeline is relative to the table if it
// is in the same folder.
ScanRow ManyScans::row_of(const ScanTask& task) const {
  ScanRow row{task.name, task.scan, ScanState::waiting, 0, {}, {}, {}, {}, task.pipeline, request_.settings};
  row.settings.insert(row.settings.end(), task.settings.begin(), task.settings.end());
  const fs::path pipeline = task.pipeline;
  const fs::path inside = pipeline.is_absolute() ? pipeline.lexically_relative(fs::absolute(request_.out)) : fs::path();
  if (!inside.empty() && *inside.begin() != "..") row.pipeline = inside.string();
  return row;
}

void ManyScans::use(RunOptions options) {
  options.inputs.add(request_.options.inputs);
  request_.options = std::move(options);
}

Result<ScanCheck> ManyScans::check(const ScanTask& task, RunOptions options) const {
  ScanCheck check;
  TL_TRY(check.graph, graph_of(task));
  TL_TRY(const RunKey key, key_of(check.graph, options.cancel));
  const std::optional<ScanRow> row = table_.find(task.name);
  const std::size_t between = row ? row->key.find('-') : std::string::npos;
  check.has_changed = row && row->state == ScanState::done && between != std::string::npos &&
                      row->key.substr(between + 1) != key.inputs;
  check.lacks_files = row && row->state == ScanState::done && !is_complete(*row);
  check.options = std::move(options);
  check.options.output_dir = request_.out / task.name;
  return check;
}

Result<ScanOutcome> ManyScans::run(const ScanTask& task) {
  ScanRow row = row_of(task);
  row.name = name_in_table(task);
  row.state = ScanState::failed;
  const Result<Graph> graph = graph_of(task);
  const Result<RunKey> key =
      graph.ok() ? key_of(graph.value(), request_.options.cancel) : Result<RunKey>(graph.error());
  if (key.ok()) {
    row.key = key.value().text();
    row.name = name_for(task, key.value());
  }
  const std::optional<ScanRow> before = table_.find(row.name);
  const bool is_same = before && before->key == row.key;
  const bool has_results = before && is_complete(*before);
  if (is_same && has_results) return ScanOutcome{*before, true};
  const std::optional<ScanRow> kept = has_results ? before : std::nullopt;
  const auto enter_failure = [&] { return table_.set({kept.value_or(row)}); };
  if (!key.ok()) {
    row.error = key.error().message();
    TL_TRY(enter_failure());
    return ScanOutcome{row};
  }
  RunOptions options = options_for(row.name);
  // Only the interrupted run of the same row wrote there.
  if (is_same && before->state == ScanState::running) options.overwrite = io::Overwrite::replace;
  // A run that will be refused because results of another run exist is not entered as started: if it were killed before
  // the refusal, those results would count as its own.
  const auto outputs = outputs_with_records(graph.value(), *registry_, options);
  std::error_code failed;
  const bool is_free =
      std::none_of(outputs.begin(), outputs.end(), [&](const fs::path& one) { return fs::exists(one, failed); });
  if (is_free || options.overwrite == io::Overwrite::replace) {
    row.state = ScanState::running;
    TL_TRY(table_.set({row}));
  }
  Result<RunReport> computed = compute(graph.value(), task, options, row);
  const bool is_cancelled = !computed.ok() && computed.error().kind == ErrorKind::cancelled;
  row.state = computed.ok() ? ScanState::done : is_cancelled ? ScanState::waiting : ScanState::failed;
  if (!computed.ok() && !is_cancelled) row.error = computed.error().message();
  TL_TRY(computed.ok() ? table_.set({row}) : enter_failure());
  if (is_cancelled) return cancelled();
  ScanOutcome outcome{row};
  if (computed.ok()) outcome.report = std::move(computed).value();
  return outcome;
}

Result<void> ManyScans::expect(const std::vector<ScanTask>& tasks) {
  std::vector<ScanRow> waiting;
  for (const ScanTask& task : tasks)
    if (const std::string name = name_in_table(task); !table_.find(name)) {
      waiting.push_back(row_of(task));
      waiting.back().name = name;
    }
  return table_.set(waiting);
}

}  // namespace tl
