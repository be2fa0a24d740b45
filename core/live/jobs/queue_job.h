// QueueJob: the scans of a queue are reconstructed one after the other. No array type and no Qt in this header.
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

// A scan that fails does not stop the others; a table that cannot be written does. The queue may be changed while it
// runs: what is added is run too. A pause takes effect between two blocks of a scan. Cancelled, the scan that runs
// waits again, and nothing of it is kept.
class QueueJob final : public Job {
 public:
  struct Settings : JobPipeline {  // its graph is not used: each row has its own pipeline
    std::shared_ptr<ScanQueue> queue;
    std::shared_ptr<QueueRates> rates;
  };
  struct Progress : JobProgress {
    std::string running;                                         // the row; empty: between two
    std::string doing;                                           // title of the node that works
    int64_t step = 0, steps = 0;                                 // of the node, such as iterations; steps 0: none
    double scan_done = 0;                                        // share of the scan
    double scan_seconds_left = -1;                               // below 0: not known
    int64_t scans = 0, failed = 0;                               // that this job has ended
    double bytes_per_second = 0;                                 // of projections that were read, over those scans
    std::map<std::string, std::vector<std::string>> notes = {};  // by row: warnings of its run
  };
  using End = JobEnd;
  using Listener = JobListener<Progress, End>;
  QueueJob(const Registry& registry, const Settings& settings, Listener& listener);

 private:
  class Work;
};

}  // namespace tl::jobs
