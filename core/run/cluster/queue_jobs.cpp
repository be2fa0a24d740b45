// Submits rows of a queue, and reads their results from the records.
#include "core/run/cluster/queue_jobs.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/graph/json_document.h"
#include "core/run/cluster/task_words.h"

namespace tl {
namespace {

namespace fs = std::filesystem;
using json::Json;

constexpr const char* folder_stem = "slurm-";

fs::path submission_folder(const ScanQueue& queue, int64_t number) {
  return queue.folder() / (folder_stem + std::to_string(number));
}

int64_t submissions_of(const ScanQueue& queue) {
  std::error_code failed;
  int64_t count = 0;
  while (fs::exists(submission_folder(queue, count + 1), failed)) ++count;
  return count;
}

std::string number_text(double value) { return formatted("%.9g", value); }

// Adds values with verdicts from a record as columns of a table of scans, see found_columns().
void add_found(ScanRow& row, const Json& parameters) {
  for (const Json& p : parameters) {
    if (!p.at("value").is_number() || !p.at("verdict").is_string()) continue;
    const std::string column = p.at("node").get<std::string>() + "." + p.at("name").get<std::string>();
    const auto unit = p.at("unit").get<std::string>();
    const std::string in = unit.empty() ? unit : " [" + unit + "]";
    row.found[column + in] = number_text(p.at("value").get<double>());
    if (p.at("uncertainty").is_number())
      row.found[column + " sigma" + in] = number_text(p.at("uncertainty").get<double>());
    row.found[column + " verdict"] = p.at("verdict").get<std::string>();
  }
}

// Adds a record of the run; other files with that ending are ignored. The file is untrusted.
void add_record(ScanRow& row, const fs::path& file, const fs::path& queue) {
  std::error_code failed;
  const auto size = fs::file_size(file, failed);
  if (failed || size > json::max_bytes) return;
  std::string text(size, '\0');
  std::ifstream(file, std::ios::binary).read(text.data(), static_cast<std::streamsize>(size));
  const Result<json::Document> document = json::read_document(text, file.string());
  if (!document.ok()) return;
  try {
    const Json& root = document.value().root;
    if (root.at("format") != "tomoloom-record") return;
    row.seconds = root.at("run").at("seconds").get<double>();
    add_found(row, root.at("parameters"));
    for (const Json& name : root.at("files")) {
      const std::string one = (file.parent_path() / name.get<std::string>()).lexically_relative(queue).string();
      if (std::find(row.files.begin(), row.files.end(), one) == row.files.end()) row.files.push_back(one);
    }
  } catch (const Json::exception&) {
    return;  // a record of another version: the results exist nevertheless
  }
}

void add_results(ScanRow& row, const fs::path& queue) {
  std::error_code failed;
  row.found.clear();
  row.files.clear();
  std::vector<fs::path> records;
  for (fs::directory_iterator it(queue / row.name, failed), end; !failed && it != end; it.increment(failed))
    if (it->path().extension() == ".json") records.push_back(it->path());
  std::sort(records.begin(), records.end());
  for (const fs::path& record : records) add_record(row, record, queue);
}

}  // namespace

Result<int64_t> submit_rows(ScanQueue& queue, const std::vector<std::string>& names, const JobResources& resources,
                            const fs::path& program) {
  TL_TRY(const std::vector<std::string> sent, queue.send(names));
  if (sent.empty()) return invalid("no scan waits", queue.folder().string(), "Add scans, or let some wait again");
  Submission s;
  s.out = submission_folder(queue, submissions_of(queue) + 1);
  s.resources = resources;
  for (const std::string& name : sent)
    if (const auto row = queue.find(name); row)
      s.tasks.push_back({name, scan_words({program, resources.memory, io::Overwrite::refuse},
                                          task_of(*row, queue.folder()), queue.folder())});
  const io::OutputRules rules = io::no_inputs(io::Overwrite::refuse);
  Result<void> done = check_files(s, rules);
  if (done.ok()) done = submit(s, rules);
  if (done.ok()) return static_cast<int64_t>(s.tasks.size());
  // If some jobs were accepted, the rows stay marked as sent. Otherwise Slurm refused, and the folder must not count as
  // a submission.
  const auto has_job = [](const SubmittedTask& task) { return !task.job.empty(); };
  if (std::any_of(s.tasks.begin(), s.tasks.end(), has_job)) return done.error();
  std::error_code ignored;
  fs::remove_all(s.out, ignored);
  for (const std::string& name : sent)
    if (std::optional<ScanRow> row = queue.find(name); row) {
      row->state = ScanState::waiting;
      TL_TRY(queue.enter_sent(*row));
    }
  return done.error();
}

bool has_submissions(const ScanQueue& queue) { return submissions_of(queue) > 0; }

Result<std::vector<RowJob>> row_jobs(const ScanQueue& queue) {
  std::map<std::string, RowJob> newest;
  for (int64_t number = 1; number <= submissions_of(queue); ++number) {
    const Result<Submission> s = read_submission(submission_folder(queue, number));
    if (!s.ok()) continue;  // a damaged submission: its rows keep the state in the table
    TL_TRY(const std::vector<TaskStatus> states, task_states(s.value()));
    for (std::size_t k = 0; k < s.value().tasks.size(); ++k) {
      const SubmittedTask& task = s.value().tasks[k];
      newest[task.name] = {task.name, task.job + "_" + std::to_string(k + 1), s.value().resources, states[k]};
    }
  }
  std::vector<RowJob> jobs;
  for (auto& [name, job] : newest) jobs.push_back(std::move(job));
  return jobs;
}

Result<void> enter_outcomes(ScanQueue& queue, const std::vector<RowJob>& jobs) {
  for (const RowJob& job : jobs) {
    std::optional<ScanRow> row = queue.find(job.row);
    if (!row || row->state != ScanState::sent) continue;
    if (job.status.state != TaskState::done && job.status.state != TaskState::failed) continue;
    row->error.clear();
    if (job.status.state == TaskState::done) {
      row->state = ScanState::done;
      add_results(*row, queue.folder());
    } else {
      row->state = ScanState::failed;
      row->error =
          job.status.last_line.empty() ? "the job of the cluster ended without a message" : job.status.last_line;
    }
    TL_TRY(queue.enter_sent(*row));
  }
  return ok();
}

Result<void> cancel_rows(ScanQueue& queue, const std::vector<std::string>& names) {
  TL_TRY(const std::vector<RowJob> jobs, row_jobs(queue));
  std::vector<std::string> ids;
  std::vector<ScanRow> rows;
  for (const RowJob& job : jobs) {
    const std::optional<ScanRow> row = queue.find(job.row);
    const bool is_named = std::find(names.begin(), names.end(), job.row) != names.end();
    if (!is_named || !row || row->state != ScanState::sent || job.status.state == TaskState::done) continue;
    rows.push_back(*row);
    if (job.status.state != TaskState::failed) ids.push_back(job.id);
  }
  TL_TRY(cancel_jobs(ids));
  for (ScanRow& row : rows) {
    row.state = ScanState::paused;
    TL_TRY(queue.enter_sent(row));
  }
  return ok();
}

}  // namespace tl
