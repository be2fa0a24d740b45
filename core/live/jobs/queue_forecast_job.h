// QueueForecastJob: problems of the scans in a queue, and their time and memory, before they run. No array type and no
// Qt in this header.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/live/jobs/job.h"
#include "core/picture/image.h"

namespace tl {
class ScanQueue;
}

namespace tl::jobs {

class QueueRates;

struct RowForecast {
  std::string error;                                // why its run would fail, in both wordings; empty: it can run
  std::vector<std::string> notes;                   // remarks about the row, in the wordings of both front ends
  std::string scan;                                 // "nxtomo · 180 x 2 x 640"; empty if the scan cannot be opened
  int64_t peak = 0;                                 // bytes of memory
  int64_t disk = 0;                                 // bytes that it will write
  double seconds = -1;                              // below 0: not known
  std::shared_ptr<const picture::Image> thumbnail;  // image of an existing result; null: none
  std::string key;                                  // ScanRow::key of these results
};

// Reads no pixels except for thumbnails and, if no rates are known yet, for four slices of one scan.
class QueueForecastJob final : public Job {
 public:
  struct Settings : JobPipeline {
    std::shared_ptr<ScanQueue> queue;
    std::shared_ptr<QueueRates> rates;
    bool measures = true;                              // false while the queue runs, which measures more
    std::map<std::string, RowForecast> thumbnails_of;  // rows whose thumbnails are already loaded
  };
  struct Progress : JobProgress {
    std::map<std::string, RowForecast> rows;  // rows checked so far, by name
  };
  using End = JobEnd;
  using Listener = JobListener<Progress, End>;
  QueueForecastJob(const Registry& registry, const Settings& settings, Listener& listener);

 private:
  class Work;
};

}  // namespace tl::jobs
