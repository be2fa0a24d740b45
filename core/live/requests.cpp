// Orders the jobs of the compute thread, and decides which request cancels which job.
#include "core/live/requests.h"

#include <algorithm>

#include "core/graph/upstream.h"
#include "core/learn/learning_types.h"
#include "core/live/running_job.h"

namespace tl::live {
namespace {

// A superseded first image may still be finished: while a slider is dragged, an older image is better than none. It is
// cancelled after this time; later if the view has shown nothing since the last cancellation.
constexpr std::chrono::milliseconds patience{150}, patience_when_starving{1000};
// Limit for images between two blocks of a run: longer work would delay the run, and is done after it.
constexpr std::chrono::milliseconds patience_between_blocks{1000};

bool same_picture(const PictureRequest& a, const PictureRequest& b) {
  return a.node == b.node && a.port == b.port && a.region == b.region && a.series == b.series && a.frame == b.frame;
}

bool same_upstream(const Graph& a, const Graph& b, const std::vector<std::string>& nodes) {
  const Graph x = upstream_of(a, nodes), y = upstream_of(b, nodes);
  return x.nodes == y.nodes && x.links == y.links;
}

void drop(LearningJob& waiting) {
  std::visit([](auto& job) { job.dropped = true; }, waiting);
}

}  // namespace

Requests::Guard::Guard(Requests& requests, const Job& job)
    : requests_(requests), running_(std::make_unique<Running>(Running{job, {}, Clock::now(), {}, false})) {
  const std::lock_guard lock(requests_.mutex_);
  if (std::holds_alternative<PictureJob>(job) && requests_.is_running()) {
    running_->ends = running_->started + patience_between_blocks;
    requests_.watch_.notify_all();
  }
  requests_.running_.push_back(running_.get());
  if (requests_.quit_) running_->token.cancel();
}
Requests::Guard::~Guard() {
  const std::lock_guard lock(requests_.mutex_);
  requests_.running_.remove(running_.get());
}
const CancelToken& Requests::Guard::token() const { return running_->token; }
bool Requests::Guard::superseded() const {
  const std::lock_guard lock(requests_.mutex_);
  return running_->superseded;
}

Requests::Requests() : watcher_([this] { watch(); }) {}
Requests::~Requests() {
  quit();
  watcher_.join();
}

// Thread function of watcher_: cancels superseded images, and images between the blocks of a run, at their deadline.
void Requests::watch() {
  std::unique_lock lock(mutex_);
  while (!quit_) {
    const auto now = Clock::now();
    std::optional<Clock::time_point> first;
    for (Guard::Running* r : running_) {
      if (!r->ends || r->token.cancelled()) continue;
      if (*r->ends <= now) {
        const auto& picture = std::get<PictureJob>(r->job);
        starving_[picture.view] = true;
        interrupt(*r, {picture.view, picture.request, picture.stage, true});
      } else if (!first || *r->ends < *first) {
        first = r->ends;
      }
    }
    if (first) {
      watch_.wait_until(lock, *first);
    } else {
      watch_.wait(lock);
    }
  }
}

void Requests::supersede(Guard::Running& running) {
  running.superseded = true;
  const auto* picture = std::get_if<PictureJob>(&running.job);
  if (picture == nullptr || picture->stage == Stage::sharp) {
    running.token.cancel();
    return;
  }
  if (running.ends) return;
  running.ends = running.started + (starving_[picture->view] ? patience_when_starving : patience);
  watch_.notify_all();
}

uint64_t Requests::set_graph(const Graph& graph) {
  const std::lock_guard lock(mutex_);
  for (Guard::Running* r : running_) {
    if (std::holds_alternative<IdleJob>(r->job)) r->token.cancel();
    if (const auto* p = std::get_if<PictureJob>(&r->job)) {
      if (!same_upstream(newest_, graph, {p->request.node})) supersede(*r);
    } else if (const auto* v = std::get_if<ValueJob>(&r->job)) {
      if (!same_upstream(newest_, graph, {v->node})) supersede(*r);
    } else if (const auto* run = std::get_if<RunJob>(&r->job)) {
      // A run that writes files continues with its graph; results for display would be outdated before they are ready.
      if (run->kind == RunJob::Kind::results && !same_upstream(newest_, graph, run->nodes)) supersede(*r);
    }
  }
  newest_ = graph;
  graph_ = graph;
  wake_.notify_all();
  return ++number_;
}

void Requests::request(const std::string& view, const PictureRequest& request) {
  const std::lock_guard lock(mutex_);
  for (Guard::Running* r : running_) {
    if (std::holds_alternative<IdleJob>(r->job)) r->token.cancel();
    const auto* p = std::get_if<PictureJob>(&r->job);
    if (p != nullptr && p->view == view && !same_picture(p->request, request)) supersede(*r);
  }
  standing_[view] = request;
  add_picture({view, request, Stage::first});
  if (is_source(request.node)) queue_source_first(view);
}

bool Requests::is_source(const std::string& node) const {
  return std::none_of(newest_.links.begin(), newest_.links.end(), [&](const Link& l) { return l.to_node == node; });
}

// Cancels the current image. If its view still needs it, `same` is queued instead.
void Requests::interrupt(Guard::Running& running, const PictureJob& same) {
  if (!running.superseded) queue_again(same);
  running.superseded = true;
  running.token.cancel();
}

// Unless the view has meanwhile requested another image, or already waits for one.
void Requests::queue_again(const PictureJob& job) {
  const auto wanted = standing_.find(job.view);
  const bool waits = std::any_of(pictures_.begin(), pictures_.end(), [&](const auto& p) { return p.view == job.view; });
  if (!waits && wanted != standing_.end() && wanted->second == job.request) pictures_.push_back(job);
}

// Images of source nodes are read from a file directly, however large the scan, so they go first: a computed image in
// progress is cancelled and queued again.
void Requests::queue_source_first(const std::string& view) {
  for (Guard::Running* r : running_)
    if (const auto* p = std::get_if<PictureJob>(&r->job); p != nullptr && !is_source(p->request.node))
      interrupt(*r, *p);
  const auto first = std::find_if(pictures_.begin(), pictures_.end(), [&](const auto& w) { return w.view == view; });
  std::rotate(pictures_.begin(), first, std::next(first));
}

void Requests::add_picture(PictureJob job) {
  std::erase_if(pictures_, [&](const PictureJob& p) { return p.view == job.view; });
  pictures_.push_back(std::move(job));
  wake_.notify_all();
}

void Requests::refine(const PictureJob& job) {
  const std::lock_guard lock(mutex_);
  queue_again({job.view, job.request, Stage::sharp});
}

void Requests::postpone(const PictureJob& job) {
  const std::lock_guard lock(mutex_);
  queue_again({job.view, job.request, job.stage, true});
}

void Requests::restart(const PictureJob& job) {
  const std::lock_guard lock(mutex_);
  queue_again({job.view, job.request, Stage::first});
}

void Requests::renew(const std::string& view) {
  const std::lock_guard lock(mutex_);
  const auto wanted = standing_.find(view);
  if (wanted != standing_.end()) add_picture({view, wanted->second, Stage::first});
}

void Requests::shown(const std::string& view) {
  const std::lock_guard lock(mutex_);
  starving_[view] = false;
}

std::map<std::string, PictureRequest> Requests::standing() const {
  const std::lock_guard lock(mutex_);
  return standing_;
}

void Requests::forget(const std::string& view) {
  const std::lock_guard lock(mutex_);
  standing_.erase(view);
  starving_.erase(view);
  std::erase_if(pictures_, [&](const PictureJob& p) { return p.view == view; });
  for (Guard::Running* r : running_) {
    const auto* p = std::get_if<PictureJob>(&r->job);
    if (p == nullptr || p->view != view) continue;
    r->superseded = true;
    r->token.cancel();
  }
}

// Cancels low-priority work in favour of a new request. The mutex is locked.
void Requests::cancel_idle_work() {
  for (Guard::Running* r : running_)
    if (std::holds_alternative<IdleJob>(r->job)) r->token.cancel();
  wake_.notify_all();
}

void Requests::ask(const std::string& node, const std::string& port, Effort effort) {
  const std::lock_guard lock(mutex_);
  std::erase_if(values_, [&](const ValueJob& v) { return v.node == node && v.port == port; });
  values_.push_back({node, port, effort});
  cancel_idle_work();
}

void Requests::run(const std::vector<std::string>& outputs, Existing existing, const io::ProtectedFiles& inputs) {
  add_run({RunJob::Kind::outputs, outputs, existing, false, inputs});
}
void Requests::run_graph(const Graph& graph, const std::vector<std::string>& outputs, Existing existing,
                         const io::ProtectedFiles& inputs) {
  add_run({RunJob::Kind::outputs, outputs, existing, false, inputs, std::make_shared<const Graph>(graph)});
}

void Requests::forecast(std::shared_ptr<const Graph> graph) {
  const std::lock_guard lock(mutex_);
  forecast_ = ForecastJob{std::move(graph)};
  cancel_idle_work();
}

void Requests::compute(const std::vector<std::string>& nodes) {
  add_run({RunJob::Kind::results, nodes, Existing::refuse, false});
}

void Requests::add_run(RunJob job) {
  const std::lock_guard lock(mutex_);
  for (RunJob& waiting : runs_) waiting.dropped = true;
  runs_.push_back(std::move(job));
  cancel_idle_work();
  // Otherwise the run waits, and images between the steps of the current job do not delay it.
  if (!gives_way_to_runs()) return;
  for (Guard::Running* r : running_) {
    if (const auto* p = std::get_if<PictureJob>(&r->job)) interrupt(*r, {p->view, p->request, p->stage});
    if (std::holds_alternative<ValueJob>(r->job)) supersede(*r);  // the compute thread repeats the question
  }
}

bool Requests::gives_way_to_runs() const {
  return std::all_of(running_.begin(), running_.end(), [](const Guard::Running* r) {
    return std::holds_alternative<PictureJob>(r->job) || std::holds_alternative<ValueJob>(r->job) ||
           std::holds_alternative<IdleJob>(r->job);
  });
}

bool Requests::is_running() const {
  return std::any_of(running_.begin(), running_.end(),
                     [](const Guard::Running* r) { return std::holds_alternative<RunJob>(r->job); });
}

void Requests::learn(const learn::Settings& settings) {
  add_learning(LearnJob{std::make_shared<const learn::Settings>(settings)});
}
void Requests::landscape(const learn::LandscapeRequest& request) {
  add_learning(LandscapeJob{std::make_shared<const learn::LandscapeRequest>(request)});
}
void Requests::check_gradients(const learn::Settings& settings) {
  add_learning(GradientCheckJob{std::make_shared<const learn::Settings>(settings)});
}
void Requests::check_node(const std::string& node) { add_learning(NodeCheckJob{node}); }
void Requests::show_values(const std::vector<learn::TargetValue>& values) {
  const std::lock_guard lock(mutex_);
  shown_values_ = std::make_shared<const std::vector<learn::TargetValue>>(values);
  cancel_idle_work();
}
void Requests::command(learn::LearnCommand command) { command_ = command; }
learn::LearnCommand Requests::command() const { return command_; }

void Requests::add_learning(LearningJob job) {
  const std::lock_guard lock(mutex_);
  for (LearningJob& waiting : learnings_)
    if (waiting.index() == job.index()) drop(waiting);
  if (std::holds_alternative<LearnJob>(job)) command_ = learn::LearnCommand::go_on;
  learnings_.push_back(std::move(job));
  cancel_idle_work();
}

void Requests::stop() {
  const std::lock_guard lock(mutex_);
  std::deque<PictureJob> kept;
  if (is_running()) kept.swap(pictures_);
  stop_all();
  pictures_ = std::move(kept);
}

void Requests::forget_pipeline() {
  const std::lock_guard lock(mutex_);
  stop_all();
  graph_.reset();
  shown_values_.reset();
  forecast_.reset();
  keeps_.clear();
  starving_.clear();
  newest_ = {};
  forget_ = true;
  wake_.notify_all();
}

void Requests::stop_all() {
  pictures_.clear();
  values_.clear();
  for (RunJob& waiting : runs_) waiting.dropped = true;
  for (LearningJob& waiting : learnings_) drop(waiting);
  for (Guard::Running* r : running_) r->token.cancel();
}

void Requests::free_cache() { add_keep({KeepJob::Kind::free_all, {}}); }
void Requests::free_cache(const std::string& node) { add_keep({KeepJob::Kind::free_node, node}); }
void Requests::pin(const std::string& node) { add_keep({KeepJob::Kind::pin, node}); }
void Requests::unpin(const std::string& node) { add_keep({KeepJob::Kind::unpin, node}); }

void Requests::measure_again() { add_keep({KeepJob::Kind::measure_again, {}}); }

void Requests::add_keep(KeepJob job) {
  const std::lock_guard lock(mutex_);
  keeps_.push_back(std::move(job));
  wake_.notify_all();
}

void Requests::set_switches(const Switches& switches) {
  const std::lock_guard lock(mutex_);
  switches_ = switches;
  cancel_idle_work();
}

void Requests::begin_arrivals() {
  const std::lock_guard lock(mutex_);
  window_.reset();
  stream_begins_ = true;
  windows_replaced_ = 0;
}

void Requests::arrive(std::shared_ptr<const stream::Window> window) {
  const std::lock_guard lock(mutex_);
  // If the first window was never taken, the window after it is marked as the first.
  const bool is_first = std::exchange(stream_begins_, false) || (window_ && window_->is_first);
  if (window_ && window_->window) ++windows_replaced_;
  window_ = WindowJob{std::move(window), is_first};
  cancel_idle_work();
}

void Requests::end_arrivals() {
  const std::lock_guard lock(mutex_);
  window_ = WindowJob{};
  stream_begins_ = false;
  cancel_idle_work();
}

int64_t Requests::windows_replaced() const {
  const std::lock_guard lock(mutex_);
  return windows_replaced_;
}

void Requests::follow(const std::optional<learn::Settings>& settings) {
  const std::lock_guard lock(mutex_);
  follow_ = FollowJob{settings ? std::make_shared<const learn::Settings>(*settings) : nullptr};
  cancel_idle_work();
}

void Requests::quit() {
  const std::lock_guard lock(mutex_);
  quit_ = true;
  for (Guard::Running* r : running_) r->token.cancel();
  wake_.notify_all();
  watch_.notify_all();
}

bool Requests::anything() const {
  const std::lock_guard lock(mutex_);
  return quit_ || forget_ || !keeps_.empty() || switches_ || graph_ || shown_values_ || !pictures_.empty() ||
         !values_.empty() || !runs_.empty() || !learnings_.empty() || window_ || follow_ || forecast_;
}

}  // namespace tl::live
