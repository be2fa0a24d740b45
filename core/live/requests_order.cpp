// Decides which job the compute thread does next.
#include <algorithm>

#include "core/live/requests.h"
#include "core/live/running_job.h"

namespace tl::live {

Shape shape_of(const PictureRequest& request) {
  const auto* grid = std::get_if<VolumeGrid>(&request.region);
  return grid != nullptr && grid->nx > 1 && grid->ny > 1 && grid->nz > 1 ? Shape::box : Shape::plane;
}

std::optional<Job> Requests::take_picture(Stage stage, Shape shape, bool urgent_only) {
  const auto found = std::find_if(pictures_.begin(), pictures_.end(), [&](const PictureJob& p) {
    return p.stage == stage && shape_of(p.request) == shape && !(urgent_only && p.after_run);
  });
  if (found == pictures_.end()) return std::nullopt;
  PictureJob job = std::move(*found);
  pictures_.erase(found);
  return job;
}

Job Requests::take_keep() {
  KeepJob job = std::move(keeps_.front());
  keeps_.pop_front();
  return job;
}

// Requests to free or pin results that came before the run take effect before it starts.
Job Requests::take_run() {
  if (!keeps_.empty()) return take_keep();
  RunJob job = std::move(runs_.front());
  runs_.pop_front();
  return job;
}

std::optional<Job> Requests::take(bool urgent_only) {
  if (quit_) return QuitJob{};
  if (forget_) {
    // Jobs of the former pipeline were cancelled: until they have ended, nothing is served between their blocks.
    if (urgent_only) return std::nullopt;
    forget_ = false;
    return ForgetJob{};
  }
  if (switches_) return SwitchesJob{*std::exchange(switches_, std::nullopt)};
  if (graph_) return GraphJob{*std::exchange(graph_, std::nullopt), number_};
  if (shown_values_) return ValuesJob{std::exchange(shown_values_, nullptr)};
  if (!urgent_only && !runs_.empty()) return take_run();
  if (auto job = take_picture(Stage::first, Shape::plane, urgent_only)) return job;
  const auto known = std::find_if(values_.begin(), values_.end(),
                                  [&](const ValueJob& v) { return !urgent_only || v.effort == Effort::cached_only; });
  if (known != values_.end()) {
    ValueJob job = std::move(*known);
    values_.erase(known);
    return job;
  }
  if (auto job = take_picture(Stage::sharp, Shape::plane, urgent_only)) return job;
  for (const Stage stage : {Stage::first, Stage::sharp})
    if (auto job = take_picture(stage, Shape::box, urgent_only)) return job;
  if (urgent_only) return std::nullopt;
  if (!keeps_.empty()) return take_keep();
  if (follow_) return *std::exchange(follow_, std::nullopt);
  if (forecast_) return *std::exchange(forecast_, std::nullopt);
  if (window_) return *std::exchange(window_, std::nullopt);
  if (!learnings_.empty()) {
    const LearningJob job = std::move(learnings_.front());
    learnings_.pop_front();
    return std::visit([](const auto& of_kind) -> Job { return of_kind; }, job);
  }
  return std::nullopt;
}

Job Requests::next(double idle) {
  std::unique_lock lock(mutex_);
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(idle));
  for (;;) {
    if (auto job = take(false)) return *job;
    if (idle < 0) {
      wake_.wait(lock);
    } else if (wake_.wait_until(lock, until) == std::cv_status::timeout) {
      auto job = take(false);
      return job ? *job : Job{IdleJob{}};
    }
  }
}

std::optional<Job> Requests::urgent() {
  const std::lock_guard lock(mutex_);
  // An image that was cancelled for a run, and is still requested, would delay it between the blocks of another run.
  if (!runs_.empty() && !running_.empty() && gives_way_to_runs()) return std::nullopt;
  // An image of a source node is nearly finished: nothing interrupts it.
  for (const Guard::Running* r : running_)
    if (const auto* p = std::get_if<PictureJob>(&r->job); p != nullptr && is_source(p->request.node))
      return std::nullopt;
  auto job = take(true);
  // The run is cancelled by its own token; work() then gets the QuitJob again.
  if (job && std::holds_alternative<QuitJob>(*job)) return std::nullopt;
  return job;
}

}  // namespace tl::live
