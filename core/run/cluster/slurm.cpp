// Calls sbatch, squeue and scancel.
#include "core/run/cluster/slurm.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "core/base/text.h"
#include "core/run/cluster/command.h"

namespace tl {
namespace {

Error refused(const CommandOutput& output, const std::string& program) {
  const std::string said = std::string(trimmed(output.err.empty() ? output.out : output.err));
  return unavailable(program + " refused: " + (said.empty() ? "exit code " + std::to_string(output.code) : said),
                     program, "Check partition, account, cores, memory and time");
}

// sbatch --parsable prints "ID" or "ID;CLUSTER".
Result<std::string> submitted(const std::vector<std::string>& words) {
  TL_TRY(const CommandOutput output, run_command(words));
  const std::string said = std::string(trimmed(output.out)), id = said.substr(0, said.find(';'));
  const bool is_number = !id.empty() && id.find_first_not_of("0123456789") == std::string::npos;
  if (output.code != 0 || !is_number) return refused(output, "sbatch");
  return id;
}

std::vector<std::string> common_words(const std::string& name, const JobResources& r) {
  constexpr int64_t mib = 1 << 20;
  std::vector<std::string> words = {"sbatch",
                                    "--parsable",
                                    "--job-name=" + name,
                                    "--ntasks=1",
                                    "--cpus-per-task=" + std::to_string(r.cores),
                                    "--mem=" + std::to_string((r.memory + mib - 1) / mib) + "M"};
  if (r.minutes > 0) words.push_back("--time=" + std::to_string(r.minutes));
  if (!r.partition.empty()) words.push_back("--partition=" + r.partition);
  if (!r.account.empty()) words.push_back("--account=" + r.account);
  words.insert(words.end(), r.more.begin(), r.more.end());
  return words;
}

// squeue's manual, "JOB STATE CODES". A job counts as ended only for a state known to mean that: jobs that count as
// ended may be submitted again, and two tasks would write the same slab.
JobState state_of(const std::string& word) {
  static const std::set<std::string> ended = {"BOOT_FAIL", "CANCELLED",     "COMPLETED", "DEADLINE",
                                              "FAILED",    "LAUNCH_FAILED", "NODE_FAIL", "OUT_OF_MEMORY",
                                              "PREEMPTED", "RECONFIG_FAIL", "REVOKED",   "TIMEOUT"};
  // States in which a job occupies its nodes; in STAGE_OUT it still writes.
  static const std::set<std::string> running = {"RUNNING",   "COMPLETING", "CONFIGURING", "RESIZING",
                                                "SIGNALING", "STAGE_OUT",  "STOPPED"};
  return ended.count(word) != 0 ? JobState::ended : running.count(word) != 0 ? JobState::running : JobState::waiting;
}

}  // namespace

std::string ranges_text(const std::vector<int64_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
    if (end - i > 1) text += "-" + std::to_string(numbers[end - 1]);
    i = end;
  }
  return text;
}

Result<std::string> submit_array(const std::filesystem::path& folder, const std::string& name,
                                 const std::vector<int64_t>& tasks, const JobResources& resources) {
  std::vector<std::string> words = common_words(name, resources);
  if (resources.gpus > 0) words.push_back("--gres=gpu:" + std::to_string(resources.gpus));
  words.push_back("--array=" + ranges_text(tasks));
  words.push_back("--output=" + (folder / "%a.log").string());
  words.push_back((folder / "array.sh").string());
  return submitted(words);
}

Result<std::string> submit_after(const std::filesystem::path& script, const std::string& name,
                                 const JobDependency& dependency, const JobResources& resources) {
  std::vector<std::string> words = common_words(name, resources);
  std::string waits_for;
  for (const std::string& job : dependency.well) waits_for += (waits_for.empty() ? "afterok:" : ",afterok:") + job;
  for (const std::string& job : dependency.ended) waits_for += (waits_for.empty() ? "afterany:" : ",afterany:") + job;
  if (!waits_for.empty()) words.push_back("--dependency=" + waits_for);
  words.push_back("--kill-on-invalid-dep=yes");
  words.push_back("--output=" + (script.parent_path() / (script.stem().string() + ".log")).string());
  words.push_back(script.string());
  return submitted(words);
}

Result<std::map<std::string, JobState>> job_states(const std::vector<std::string>& jobs) {
  std::map<std::string, JobState> states;
  if (jobs.empty()) return states;
  TL_TRY(const CommandOutput output,
         run_command({"squeue", "--noheader", "--array", "--states=all", "--format=%i %T"}));
  if (output.code != 0) return refused(output, "squeue");
  std::istringstream lines(output.out);
  for (std::string id, word; lines >> id >> word;)
    if (const std::string job = id.substr(0, id.find('_')); std::find(jobs.begin(), jobs.end(), job) != jobs.end())
      states[id] = state_of(word);
  return states;
}

Result<void> cancel_jobs(const std::vector<std::string>& jobs) {
  if (jobs.empty()) return ok();
  std::vector<std::string> words = {"scancel", "--quiet"};  // some may have ended already
  words.insert(words.end(), jobs.begin(), jobs.end());
  TL_TRY(const CommandOutput output, run_command(words));
  if (output.code != 0) return refused(output, "scancel");
  return ok();
}

}  // namespace tl
