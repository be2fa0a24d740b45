// The work of a sweep.
#include "core/live/jobs/sweep_job.h"

#include "core/run/executor.h"

namespace tl::jobs {

class SweepJob::Work final : public JobWorkOf<SweepJob> {
 public:
  using JobWorkOf::JobWorkOf;

 private:
  Result<void> work() override {
    Executor executor(registry_, run_options(settings_, control().token()));
    begin_work();
    const auto after_point = [this](const learn::SweepReport& so_far, std::size_t total) {
      progress_.report = so_far;
      report();
      step_ended(static_cast<double>(so_far.points.size()) / static_cast<double>(total));
      if (takes_best() && so_far.best) control().cancel();
    };
    auto swept = run_sweep(executor, settings_.graph, registry_, settings_.request, after_point);
    if (!swept.ok() && swept.error().kind == ErrorKind::cancelled && takes_best() && progress_.report.best) return ok();
    TL_TRY(progress_.report, std::move(swept));
    report();
    return ok();
  }
};

SweepJob::SweepJob(const Registry& registry, const Settings& settings, Listener& listener)
    : Job(std::make_unique<Work>(registry, settings, listener), settings.threads) {}

}  // namespace tl::jobs
