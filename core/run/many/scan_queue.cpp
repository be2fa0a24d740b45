// Changes the rows of a queue, and runs them one after the other.
#include "core/run/many/scan_queue.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/graph/graph_json.h"
#include "core/graph/named_pipeline.h"
#include "core/io/output/output_file.h"
#include "core/node/registry.h"
#include "core/run/many/many_scans.h"
#include "core/values/hash.h"

namespace tl {
namespace {

namespace fs = std::filesystem;

constexpr const char* pipelines_folder = "pipelines";

bool has_begun(const ScanRow& row) {
  return row.state == ScanState::done || row.state == ScanState::running || row.state == ScanState::sent;
}

// The first of NAME, NAME-2, NAME-3 that no row has.
std::string free_name(const std::string& name, const std::set<std::string>& taken) {
  std::string one = name;
  for (int copy = 2; taken.contains(one); ++copy) one = name + "-" + std::to_string(copy);
  return one;
}

std::set<std::string> names_of(const std::vector<ScanRow>& rows) {
  std::set<std::string> names;
  for (const ScanRow& row : rows) names.insert(row.name);
  return names;
}

// The file name in a parameter that has this role, or null.
std::string* file_of(GraphNode& node, const ParamDecl& decl, PathRole role) {
  const auto set = node.params.find(decl.name);
  return decl.path != role || set == node.params.end() ? nullptr : std::get_if<std::string>(&set->second);
}

// Every row has its own folder for results: if the pipeline writes next to its scan, /data/SCAN_volume.tif, that
// becomes volume.tif in the folder.
void place_outputs_in_folder(Graph& graph, const Registry& registry) {
  const auto each_file = [&](PathRole role, const auto& use) {
    for (auto& [id, node] : graph.nodes)
      if (const NodeType* type = registry.find(node.type); type != nullptr)
        for (const ParamDecl& decl : type->params)
          if (std::string* file = file_of(node, decl, role); file != nullptr && !file->empty()) use(*file);
  };
  std::set<std::string> scans;
  each_file(PathRole::input, [&](const std::string& file) { scans.insert(fs::path(file).stem().string() + "_"); });
  each_file(PathRole::output, [&](std::string& file) {
    if (!fs::path(file).is_absolute()) return;
    file = fs::path(file).filename().string();
    for (const std::string& scan : scans)
      if (file.starts_with(scan) && file.size() > scan.size()) return void(file.erase(0, scan.size()));
  });
}

void set_in(ScanRow& row, const std::string& parameter, const std::string& value) {
  std::erase_if(row.settings, [&](const std::string& one) { return split_setting(one).first == parameter; });
  if (!value.empty()) row.settings.push_back(parameter + "=" + value);
}

}  // namespace

Result<std::unique_ptr<ScanQueue>> ScanQueue::open(const Registry& registry, const fs::path& folder) {
  const fs::path place = fs::absolute(folder).lexically_normal();
  TL_TRY(ManyScans runs, ManyScans::open(registry, {{}, {}, place, {}, false, {}}));
  return std::unique_ptr<ScanQueue>(new ScanQueue(registry, place, std::make_unique<ManyScans>(std::move(runs))));
}

ScanQueue::ScanQueue(const Registry& registry, fs::path folder, std::unique_ptr<ManyScans> runs)
    : registry_(registry), folder_(std::move(folder)), runs_(std::move(runs)) {}
ScanQueue::~ScanQueue() = default;

std::vector<ScanRow> ScanQueue::rows() const { return runs_->table().rows(); }
std::optional<ScanRow> ScanQueue::find(const std::string& name) const { return runs_->table().find(name); }

std::string ScanQueue::running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

// Calls `change` for each row with one of these names, before any of them can start to run.
template <class Change>
Result<void> ScanQueue::change(const std::vector<std::string>& names, Change change) {
  const std::lock_guard lock(mutex_);
  return runs_->table().edit([&](std::vector<ScanRow>& rows) {
    for (ScanRow& row : rows)
      if (row.name != running_ && std::find(names.begin(), names.end(), row.name) != names.end()) change(row);
  });
}

Result<std::string> ScanQueue::keep_pipeline(const Graph& graph, const std::string& title) {
  Graph kept = graph;
  place_outputs_in_folder(kept, registry_);
  Graph computed = kept;
  computed.ui.clear();
  std::string stem = title.empty() ? std::string("pipeline") : fs::path(title).stem().string();
  std::replace(stem.begin(), stem.end(), '/', '-');
  const std::string digest = Hasher().add(to_json(computed)).digest().text().substr(0, 8);
  const fs::path name = fs::path(pipelines_folder) / (stem + "-" + digest + ".json");
  std::error_code failed;
  if (fs::exists(folder_ / name, failed)) return name.string();
  fs::create_directories(folder_ / pipelines_folder, failed);
  if (failed) return io_error("the folder of the pipelines cannot be made: " + failed.message(), folder_.string());
  TL_TRY(save_pipeline(kept, registry_, (folder_ / name).string(), io::no_inputs(io::Overwrite::refuse)));
  return name.string();
}

Result<std::vector<std::string>> ScanQueue::add(std::vector<ScanTask> tasks, const std::string& pipeline) {
  std::vector<std::string> names;
  const std::lock_guard lock(mutex_);
  TL_TRY(runs_->table().edit([&](std::vector<ScanRow>& rows) {
    std::set<std::string> taken = names_of(rows);
    for (ScanTask& task : tasks) {
      ScanRow row{free_name(task.name, taken), task.scan, ScanState::waiting, 0, {}, {}, {}, {}};
      row.pipeline = task.pipeline.empty() ? pipeline : task.pipeline;
      row.settings = std::move(task.settings);
      taken.insert(row.name);
      names.push_back(row.name);
      rows.push_back(std::move(row));
    }
  }));
  return names;
}

Result<void> ScanQueue::remove(const std::vector<std::string>& names) {
  const std::lock_guard lock(mutex_);
  const auto is_named = [&](const ScanRow& row) {
    return std::find(names.begin(), names.end(), row.name) != names.end();
  };
  if (!running_.empty() && std::find(names.begin(), names.end(), running_) != names.end())
    return invalid("the scan is being reconstructed", running_, "Stop the queue first");
  return runs_->table().edit([&](std::vector<ScanRow>& rows) { std::erase_if(rows, is_named); });
}

Result<void> ScanQueue::move(const std::vector<std::string>& names, std::size_t before) {
  return runs_->table().edit([&](std::vector<ScanRow>& rows) {
    const auto is_named = [&](const ScanRow& row) {
      return std::find(names.begin(), names.end(), row.name) != names.end();
    };
    const auto at = rows.begin() + static_cast<std::ptrdiff_t>(std::min(before, rows.size()));
    // Order: rows before the position that stay, moved rows, rows after it that stay.
    std::vector<ScanRow> moved;
    std::copy_if(rows.begin(), at, std::back_inserter(moved), std::not_fn(is_named));
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(moved), is_named);
    std::copy_if(at, rows.end(), std::back_inserter(moved), std::not_fn(is_named));
    rows = std::move(moved);
  });
}

Result<void> ScanQueue::check_setting(const ScanRow& row, const std::string& parameter,
                                      const std::string& value) const {
  const std::size_t point = parameter.find('.');
  if (point == std::string::npos)
    return invalid("a parameter is named node.parameter", parameter, "For example fbp.cutoff");
  const ScanTask task = task_of(row, folder_);
  if (task.pipeline.empty()) return invalid("the scan has no pipeline", row.name, "Choose a pipeline for it first");
  TL_TRY(Graph graph, pipeline_or_template(task.pipeline, registry_));
  return set_param(graph, registry_, parameter.substr(0, point), parameter.substr(point + 1), value);
}

Result<std::string> ScanQueue::set(const std::string& name, const std::string& parameter, const std::string& value) {
  const std::optional<ScanRow> known = find(name);
  if (!known) return invalid("the queue has no such row", name);
  if (!value.empty()) TL_TRY(check_setting(*known, parameter, value));
  std::string changed = name;
  const std::lock_guard lock(mutex_);
  TL_TRY(runs_->table().edit([&](std::vector<ScanRow>& rows) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const ScanRow& one) { return one.name == name; });
    if (row == rows.end()) return;
    if (!has_begun(*row) && row->name != running_) {
      set_in(*row, parameter, value);
      if (row->state == ScanState::failed) row->state = ScanState::waiting;
      row->error.clear();
      return;
    }
    ScanRow copy{free_name(name, names_of(rows)), row->scan, ScanState::waiting, 0, {}, {}, {}, {}};
    copy.pipeline = row->pipeline;
    copy.settings = row->settings;
    set_in(copy, parameter, value);
    changed = copy.name;
    rows.insert(row + 1, std::move(copy));
  }));
  return changed;
}

Result<void> ScanQueue::hold(const std::vector<std::string>& names, Hold how) {
  const ScanState from = how == Hold::paused ? ScanState::waiting : ScanState::paused;
  return change(names, [&](ScanRow& row) {
    if (row.state == from) row.state = how == Hold::paused ? ScanState::paused : ScanState::waiting;
  });
}

Result<std::vector<std::string>> ScanQueue::send(const std::vector<std::string>& names) {
  std::vector<std::string> sent;
  TL_TRY(change(names, [&](ScanRow& row) {
    if (row.state != ScanState::waiting) return;
    row.state = ScanState::sent;
    sent.push_back(row.name);
  }));
  return sent;
}

Result<void> ScanQueue::enter_sent(const ScanRow& outcome) {
  return change({outcome.name}, [&](ScanRow& row) {
    if (row.state == ScanState::sent) row = outcome;
  });
}

Result<void> ScanQueue::retry(const std::vector<std::string>& names) {
  return change(names, [this](ScanRow& row) {
    std::error_code failed;
    const bool is_whole = std::all_of(row.files.begin(), row.files.end(),
                                      [&](const std::string& file) { return fs::exists(folder_ / file, failed); });
    const bool goes_on = row.state == ScanState::running || row.state == ScanState::sent;
    if (goes_on || (row.state == ScanState::done && is_whole)) return;
    row.state = ScanState::waiting;
    row.error.clear();
  });
}

Result<void> ScanQueue::use_pipeline(const std::vector<std::string>& names, const std::string& pipeline) {
  return change(names, [&](ScanRow& row) {
    if (has_begun(row)) return;
    row.pipeline = pipeline;
    if (row.state == ScanState::failed) row.state = ScanState::waiting;
    row.error.clear();
  });
}

std::optional<ScanRow> ScanQueue::take_next() {
  const std::lock_guard lock(mutex_);
  std::vector<ScanRow> all = rows();
  for (ScanRow& row : all)
    if (row.state == ScanState::waiting || row.state == ScanState::running) {
      running_ = row.name;
      return std::move(row);
    }
  return std::nullopt;
}

Result<ScanOutcome> ScanQueue::run(const ScanRow& row, RunOptions options) {
  struct EndOfRun {
    ScanQueue& queue;
    ~EndOfRun() {
      const std::lock_guard lock(queue.mutex_);
      queue.running_.clear();
    }
  } const end{*this};
  runs_->use(std::move(options));
  Result<ScanOutcome> outcome = runs_->run(task_of(row, folder_));
  // Not the run of this row: results of other input files, which have their own row.
  if (outcome.ok() && outcome.value().row.name != row.name) {
    const std::string& own = outcome.value().row.name;
    if (const auto left = find(row.name); left && left->state != ScanState::done) {
      TL_TRY(runs_->table().edit([&](std::vector<ScanRow>& rows) {
        std::erase_if(rows, [&](const ScanRow& one) { return one.name == row.name && one.name != own; });
      }));
    }
  }
  return outcome;
}

Result<ScanCheck> ScanQueue::check(const ScanRow& row, RunOptions options) const {
  return runs_->check(task_of(row, folder_), std::move(options));
}

}  // namespace tl
