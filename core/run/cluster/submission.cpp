// Writes task scripts and the state of a submission, and reads the states of its tasks.
#include "core/run/cluster/submission.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "core/base/wording.h"
#include "core/graph/json_document.h"
#include "core/io/output/output_file.h"
#include "core/run/automatic/batch.h"

namespace tl {
namespace {

namespace fs = std::filesystem;
using json::Json;

constexpr const char* state_file = "submission.json";
constexpr const char* form = "tomoloom-submission";

// A word quoted for the shell, so that no character has a special meaning.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string command_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + quoted(word);
  return line;
}

// Runs a command and leaves a file when it has ended well.
std::string script_of(const std::vector<std::string>& words, const fs::path& done) {
  return "#!/bin/bash\nrm -f " + quoted(done.string()) + "\n" + command_line(words) + " && : > " +
         quoted(done.string()) + "\n";
}

fs::path done_file(const Submission& s, const std::string& name) { return s.folder() / (name + ".done"); }

// The contents of all scripts, by name.
std::map<std::string, std::string> scripts_of(const Submission& s) {
  std::map<std::string, std::string> scripts;
  for (std::size_t k = 0; k < s.tasks.size(); ++k) {
    const std::string number = std::to_string(k + 1);
    scripts[number + ".sh"] = script_of(s.tasks[k].words, done_file(s, number));
  }
  if (!s.join.empty()) scripts["join.sh"] = script_of(s.join, done_file(s, "join"));
  // Slurm runs a copy of this script in another folder.
  scripts["array.sh"] = "#!/bin/bash\nexec bash " + quoted(s.folder().string()) + "/\"$SLURM_ARRAY_TASK_ID\".sh\n";
  return scripts;
}

Result<void> write_scripts(const Submission& s, const io::OutputRules& rules) {
  std::error_code failed;
  for (const auto& [name, text] : scripts_of(s)) {
    fs::remove(done_file(s, fs::path(name).stem().string()), failed);
    TL_TRY(io::write_text(s.folder() / name, text, rules));
  }
  return ok();
}

enum class MissingScripts { refused, allowed };

// Only unchanged scripts may be submitted again: a script may have been replaced since.
Result<void> scripts_unchanged(const Submission& s, MissingScripts missing) {
  for (const auto& [name, text] : scripts_of(s)) {
    const fs::path file = s.folder() / name;
    std::error_code failed;
    const bool is_gone = !fs::exists(fs::symlink_status(file, failed));
    if (is_gone && missing == MissingScripts::allowed) continue;
    std::ifstream stream(file, std::ios::binary);
    std::string there(text.size() + 1, '\0');
    stream.read(there.data(), static_cast<std::streamsize>(there.size()));
    there.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
    if (there != text)
      return invalid(is_gone ? "the script is gone" : "the script is not the one that was submitted", file.string(),
                     two_wordings("Submit again with --overwrite, or restore the submitted script",
                                  "Restore the submitted script"));
  }
  return ok();
}

Json resources_json(const JobResources& r) {
  return {{"cores", r.cores},         {"gpus", r.gpus},       {"memory", r.memory}, {"minutes", r.minutes},
          {"partition", r.partition}, {"account", r.account}, {"more", r.more}};
}

Json state_of(const Submission& s) {
  Json tasks = Json::array();
  for (const SubmittedTask& t : s.tasks) tasks.push_back({{"name", t.name}, {"words", t.words}, {"job", t.job}});
  return {{"format", form},
          {"schema_version", 1},
          {"tasks", std::move(tasks)},
          {"join", s.join},
          {"join_job", s.join_job},
          {"resources", resources_json(s.resources)},
          {"join_resources", resources_json(s.join_resources)}};
}

Result<void> write_state(const Submission& s) {
  const std::string text = state_of(s).dump(1, ' ', false, Json::error_handler_t::replace);
  return io::write_text(s.folder() / state_file, text + "\n", io::no_inputs(io::Overwrite::replace));
}

JobResources resources_from(const Json& j) {
  JobResources r{.cores = j.at("cores").get<int64_t>(),
                 .gpus = j.at("gpus").get<int64_t>(),
                 .memory = j.at("memory").get<int64_t>(),
                 .minutes = j.at("minutes").get<int64_t>(),
                 .partition = j.at("partition").get<std::string>(),
                 .account = j.at("account").get<std::string>(),
                 .more = j.at("more").get<std::vector<std::string>>()};
  return r;
}

std::string last_line_of(const fs::path& log) {
  constexpr std::streamoff most = 4096;
  std::ifstream file(log, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const std::streamoff size = file.tellg(), begin = std::max<std::streamoff>(0, size - most);
  std::string text(static_cast<std::size_t>(size - begin), '\0');
  file.seekg(begin);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

TaskState state_of(const std::map<std::string, JobState>& known, const std::string& id, bool done) {
  if (done) return TaskState::done;
  const auto found = known.find(id);
  if (found == known.end() || found->second == JobState::ended) return TaskState::failed;
  return found->second == JobState::running ? TaskState::running : TaskState::waiting;
}

std::set<std::string> array_jobs(const Submission& s) {
  std::set<std::string> jobs;
  for (const SubmittedTask& t : s.tasks) jobs.insert(t.job);
  jobs.erase("");
  return jobs;
}

// The join waits for these tasks, and for those of earlier jobs, some of which have failed; it checks itself that
// nothing is missing.
Result<void> submit_join(Submission& s, const std::string& job) {
  if (s.join.empty()) return ok();
  if (!s.join_job.empty()) TL_TRY(cancel_jobs({s.join_job}));
  JobDependency dependency;
  if (!job.empty()) dependency.well.push_back(job);
  for (const std::string& other : array_jobs(s))
    if (other != job) dependency.ended.push_back(other);
  const std::string name = "tomoloom-" + s.out.filename().string() + "-join";
  TL_TRY(s.join_job, submit_after(s.folder() / "join.sh", name, dependency, s.join_resources));
  return write_state(s);
}

Result<void> submit_tasks(Submission& s, const std::vector<int64_t>& tasks) {
  TL_TRY(const std::string job, submit_array(s.folder(), "tomoloom-" + s.out.filename().string(), tasks, s.resources));
  for (const int64_t k : tasks) s.tasks[static_cast<std::size_t>(k - 1)].job = job;
  TL_TRY(write_state(s));
  return submit_join(s, job);
}

}  // namespace

Result<io::OutputRules> rules_of_submission(const Submission& s, io::OutputRules rules) {
  std::error_code ignored;
  if (rules.overwrite == io::Overwrite::replace || !fs::exists(s.folder() / state_file, ignored)) return rules;
  const Result<Submission> before = read_submission(s.out);
  if (!before.ok() || !array_jobs(before.value()).empty())
    return invalid("this folder has a submission already", s.folder().string(),
                   two_wordings("See `tomoloom jobs`; submit what failed with `jobs --again`, or all with --overwrite",
                                "Choose another folder"));
  // Slurm refused that submission: its scripts are from this program, and no job runs them.
  TL_TRY(scripts_unchanged(before.value(), MissingScripts::allowed));
  rules.overwrite = io::Overwrite::replace;
  return rules;
}

Result<void> check_files(const Submission& s, const io::OutputRules& rules) {
  const Json state = state_of(s);
  using Handler = Json::error_handler_t;
  if (state.dump(-1, ' ', false, Handler::replace) != state.dump(-1, ' ', false, Handler::ignore))
    return invalid("a name in this submission is not UTF-8, and would not be the same when tasks are submitted again",
                   s.out.string(), "Rename the scans or folders");
  std::vector<fs::path> there = {s.pipeline()};
  for (const auto& [name, text] : scripts_of(s)) there.push_back(s.folder() / name);
  std::error_code failed;
  std::erase_if(there, [&](const fs::path& one) { return !fs::exists(fs::symlink_status(one, failed)); });
  return check_writable(there, rules);
}

Result<void> submit(Submission& s, const io::OutputRules& rules) {
  std::error_code failed;
  fs::create_directories(s.folder(), failed);
  if (failed) return io_error("the folder cannot be made: " + failed.message(), s.folder().string());
  TL_TRY(write_scripts(s, rules));
  TL_TRY(write_state(s));
  std::vector<int64_t> all(s.tasks.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int64_t>(i) + 1;
  return submit_tasks(s, all);
}

Result<Submission> read_submission(const fs::path& out) {
  Submission s;
  s.out = fs::absolute(out).lexically_normal();
  if (!s.out.has_filename()) s.out = s.out.parent_path();
  const fs::path file = s.folder() / state_file;
  std::error_code failed;
  const auto size = fs::file_size(file, failed);
  if (failed)
    return io_error("nothing was submitted for this folder", out.string(), "Give the output folder of submit");
  if (size > json::max_bytes) return invalid("the file is too large", file.string());
  std::string text(size, '\0');
  std::ifstream(file, std::ios::binary).read(text.data(), static_cast<std::streamsize>(size));
  TL_TRY(const json::Document document, json::read_document(text, file.string()));
  try {
    const Json& root = document.root;
    if (root.at("format") != form) return invalid("this is not a submission", file.string());
    for (const Json& t : root.at("tasks"))
      s.tasks.push_back({t.at("name").get<std::string>(), t.at("words").get<std::vector<std::string>>(),
                         t.at("job").get<std::string>()});
    s.join = root.at("join").get<std::vector<std::string>>();
    s.join_job = root.at("join_job").get<std::string>();
    s.resources = resources_from(root.at("resources"));
    s.join_resources = resources_from(root.at("join_resources"));
  } catch (const Json::exception& e) {
    return invalid(std::string("the submission cannot be read: ") + e.what(), file.string(), "Submit again");
  }
  return s;
}

Result<std::vector<TaskStatus>> task_states(const Submission& s) {
  std::set<std::string> jobs = array_jobs(s);
  if (!s.join_job.empty()) jobs.insert(s.join_job);
  TL_TRY(const auto known, job_states({jobs.begin(), jobs.end()}));
  std::vector<TaskStatus> all;
  const auto add = [&](const std::string& name, const std::string& file, const std::string& id) {
    std::error_code ignored;
    TaskStatus status{
        name, state_of(known, id, fs::exists(done_file(s, file), ignored)), s.folder() / (file + ".log"), {}};
    if (status.state == TaskState::failed) status.last_line = last_line_of(status.log);
    all.push_back(std::move(status));
  };
  for (std::size_t k = 0; k < s.tasks.size(); ++k) {
    const std::string number = std::to_string(k + 1);
    add(s.tasks[k].name, number, s.tasks[k].job + "_" + number);
  }
  if (!s.join.empty()) add("join", "join", s.join_job);
  return all;
}

Result<int64_t> submit_failed(Submission& s) {
  TL_TRY(scripts_unchanged(s, MissingScripts::refused));
  TL_TRY(const std::vector<TaskStatus> states, task_states(s));
  std::vector<int64_t> failed;
  for (std::size_t k = 0; k < s.tasks.size(); ++k)
    if (states[k].state == TaskState::failed) failed.push_back(static_cast<int64_t>(k) + 1);
  if (failed.empty()) {
    const bool join_failed = !s.join.empty() && states.back().state == TaskState::failed;
    const bool all_done = std::all_of(states.begin(), states.begin() + static_cast<std::ptrdiff_t>(s.tasks.size()),
                                      [](const TaskStatus& t) { return t.state == TaskState::done; });
    if (!join_failed || !all_done) return 0;
    TL_TRY(submit_join(s, {}));
    return 1;
  }
  TL_TRY(submit_tasks(s, failed));
  return static_cast<int64_t>(failed.size());
}

Result<void> cancel(const Submission& s) {
  std::set<std::string> jobs = array_jobs(s);
  if (!s.join_job.empty()) jobs.insert(s.join_job);
  return cancel_jobs({jobs.begin(), jobs.end()});
}

}  // namespace tl
