// QueueJob: reconstructs the scans of a queue one after the other. No array type and no Qt in this header.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/live/jobs/job.h"

namespace tl {
class ScanQueue;
}

namespace tl::jobs {

class QueueRates;

// If a scan fails, the next one runs; if the table cannot be written, the job ends. The queue may be changed while it
// runs: added scans are run too. A pause takes effect between two blocks of a scan. When cancelled, the current scan
// returns to the waiting ones, and its partial results are deleted.
class QueueJob final : public Job {
 public:
  struct Settings : JobPipeline {  // its graph is not used: each row names its own pipeline
    std::shared_ptr<ScanQueue> queue;
    std::shared_ptr<QueueRates> rates;
  };
  struct Progress : JobProgress {
    std::string running;                                         // the row; empty: between two
    std::string doing;                                           // title of the node that is running
    int64_t step = 0, steps = 0;                                 // steps of the node, such as iterations; 0: none
    double scan_done = 0;                                        // share of the scan
    double scan_seconds_left = -1;                               // below 0: not known
    int64_t scans = 0, failed = 0;                               // that this job has ended
    double bytes_per_second = 0;                                 // reading rate of projections [bytes/s]
    std::map<std::string, std::vector<std::string>> notes = {};  // warnings of the runs, by row
  };
  using End = JobEnd;
  using Listener = JobListener<Progress, End>;
  QueueJob(const Registry& registry, const Settings& settings, Listener& listener);

 private:
  class Work;
};

}  // namespace tl::jobs
