// SweepJob: a pipeline is run at every point of a grid over parameters. No array type and no Qt in this header.
#pragma once

#include "core/learn/sweep/sweep.h"
#include "core/live/jobs/job.h"

namespace tl::jobs {

// The best result so far is the point with the lowest score. Computed points are kept: an interrupted sweep resumes
// after them.
class SweepJob final : public Job {
 public:
  struct Settings : JobPipeline {
    learn::SweepRequest request;
  };
  struct Progress : JobProgress {
    learn::SweepReport report;  // of the points so far
  };
  using End = JobEnd;
  using Listener = JobListener<Progress, End>;
  SweepJob(const Registry& registry, const Settings& settings, Listener& listener);

 private:
  class Work;
};

}  // namespace tl::jobs
