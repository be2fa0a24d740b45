// The work of a job that watches a folder.
#include "core/live/jobs/watch_job.h"

#include <chrono>
#include <thread>
#include <utility>

#include "core/node/registry.h"
#include "core/run/many/scan_watch.h"

namespace tl::jobs {

class WatchJob::Work final : public JobWorkOf<WatchJob> {
 public:
  using JobWorkOf::JobWorkOf;

 private:
  Result<void> work() override {
    using WatchClock = ScanWatch::Clock;
    constexpr auto between_looks = std::chrono::milliseconds(200);
    ScanWatch watch(settings_.folder,
                    std::chrono::duration_cast<WatchClock::duration>(std::chrono::duration<double>(settings_.quiet_s)));
    begin_work();
    while (!control().token().cancelled()) {
      progress_.finished = watch.finished(WatchClock::now(), control().token());
      const int64_t before = std::exchange(progress_.unfinished, watch.unfinished());
      if (!progress_.finished.empty() || before != progress_.unfinished) report();
      std::this_thread::sleep_for(between_looks);
    }
    return cancelled();
  }
};

WatchJob::WatchJob(const Settings& settings, Listener& listener)
    : Job(std::make_unique<Work>(Registry::all(), settings, listener), 0) {}

}  // namespace tl::jobs
