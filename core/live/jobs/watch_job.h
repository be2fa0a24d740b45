// WatchJob: reports the scans of a folder when they are complete. No array type and no Qt in this header.
#pragma once

#include <filesystem>
#include <vector>

#include "core/live/jobs/job.h"

namespace tl::jobs {

// Ends when it is cancelled.
class WatchJob final : public Job {
 public:
  struct Settings {
    std::filesystem::path folder;
    double quiet_s = 10;  // a scan is complete when none of its files has changed for so many seconds
  };
  struct Progress : JobProgress {
    std::vector<std::filesystem::path> finished;  // since the last report
    int64_t unfinished = 0;                       // scans that still change, or cannot be opened
  };
  using End = JobEnd;
  using Listener = JobListener<Progress, End>;
  WatchJob(const Settings& settings, Listener& listener);

 private:
  class Work;
};

}  // namespace tl::jobs
