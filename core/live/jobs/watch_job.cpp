// The work of a watched folder.
#include "core/live/jobs/watch_job.h"

#include <chrono>
#include <thread>
#include <utility>

#include "core/run/many/scan_watch.h"

namespace tl::jobs {

class WatchJob::Work final : public JobWorkOf<Progress, End> {
 public:
  Work(const Settings& settings, Listener& listener) : JobWorkOf(listener), settings_(settings) {}

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
  const Settings settings_;
};

WatchJob::WatchJob(const Settings& settings, Listener& listener) : Job(std::make_unique<Work>(settings, listener), 0) {}

}  // namespace tl::jobs
