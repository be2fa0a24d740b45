// Slurm through its own commands (sbatch, squeue, scancel), which know the cluster's configuration.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl {

// Resources that a task of a job requests.
struct JobResources {
  int64_t cores = 1, gpus = 0;
  int64_t memory = 0;   // bytes of the whole task
  int64_t minutes = 0;  // 0 = the partition's default
  std::string partition, account;
  std::vector<std::string> more;  // further options of sbatch, passed on unchanged
};

// Submits an array job that runs FOLDER/K.sh for every K of `tasks`, with output in FOLDER/K.log; returns its id.
Result<std::string> submit_array(const std::filesystem::path& folder, const std::string& name,
                                 const std::vector<int64_t>& tasks, const JobResources& resources);
// What a job waits for.
struct JobDependency {
  std::vector<std::string> well;   // all tasks of these jobs must succeed: otherwise Slurm drops this job
  std::vector<std::string> ended;  // these must have ended
};
Result<std::string> submit_after(const std::filesystem::path& script, const std::string& name,
                                 const JobDependency& dependency, const JobResources& resources);

enum class JobState { unknown, waiting, running, ended };
// States of jobs that Slurm still has, by "JOB" or, for arrays, "JOB_TASK".
Result<std::map<std::string, JobState>> job_states(const std::vector<std::string>& jobs);
Result<void> cancel_jobs(const std::vector<std::string>& jobs);

// "1-3,7" for 1, 2, 3, 7 (ascending).
std::string ranges_text(const std::vector<int64_t>& numbers);

}  // namespace tl
