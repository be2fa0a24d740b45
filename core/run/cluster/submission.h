// Submission: a run distributed over jobs of a cluster: its tasks, their scripts, and their states.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/io/output/output_rules.h"
#include "core/run/cluster/slurm.h"

namespace tl {

// One task: a slab, or a scan.
struct SubmittedTask {
  std::string name;                // "2/8", "bone_3"
  std::vector<std::string> words;  // the command
  std::string job = {};            // its array job; "" = not submitted
};

struct Submission {
  std::filesystem::path out;  // absolute; scripts, logs and states are in its subfolder "jobs"
  std::vector<SubmittedTask> tasks;
  std::vector<std::string> join;  // the command to run after all tasks; empty = none
  std::string join_job = {};
  JobResources resources = {}, join_resources = {};

  [[nodiscard]] std::filesystem::path folder() const { return out / "jobs"; }
  [[nodiscard]] std::filesystem::path pipeline() const { return folder() / "pipeline.json"; }
};

enum class TaskState { waiting, running, done, failed };
struct TaskStatus {
  std::string name;
  TaskState state = TaskState::waiting;
  std::filesystem::path log;
  std::string last_line;  // last line of the log of a failed task
};

// The rules for writing the submission's files: the given ones, or, if the folder contains a submission that Slurm
// refused, rules that replace it. Invalid if the folder contains another submission, unless the rules replace it.
Result<io::OutputRules> rules_of_submission(const Submission& submission, io::OutputRules rules);
// Invalid if the pipeline or a script may not replace an existing file, or a name is not UTF-8: call it before
// writing.
Result<void> check_files(const Submission& submission, const io::OutputRules& rules);
// Writes the scripts FOLDER/K.sh, array.sh and join.sh and the state submission.json, then submits everything.
// Unavailable if Slurm refuses; invalid if the rules do not let a script replace a file that is there.
Result<void> submit(Submission& submission, const io::OutputRules& rules);
// The submission in an output folder. Untrusted: sizes and forms are checked.
Result<Submission> read_submission(const std::filesystem::path& out);
// The states of the tasks, with the join last. A task is done when its script has reported it; it failed if Slurm no
// longer runs it and it is not done.
Result<std::vector<TaskStatus>> task_states(const Submission& submission);
// Submits only the failed tasks again, and the join after them; returns the number of tasks. Invalid if a script has
// changed since it was submitted.
Result<int64_t> submit_failed(Submission& submission);
Result<void> cancel(const Submission& submission);

}  // namespace tl
