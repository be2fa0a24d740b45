// Runs learning on the compute thread, with images between its iterations, and landscapes and gradient checks.
#include <utility>

#include "core/learn/learner/learner.h"
#include "core/learn/learning.h"
#include "core/live/guarded.h"
#include "core/live/learning_news.h"
#include "core/live/worker.h"

namespace tl::live {
namespace {

// Limit of jobs between two iterations, so that learning continues even while a slider is dragged.
constexpr int max_in_between = 24;
// Finite-difference step in float64, in natural steps of a parameter.
constexpr double check_step = 1e-5;

// Moves a result into `value` or its error into `error`.
template <class T>
void put(Result<T> made, T& value, std::optional<Error>& error) {
  if (made.ok()) {
    value = std::move(made).value();
  } else {
    error = made.error();
  }
}

}  // namespace

void Worker::learn(const LearnJob& job) {
  LearnEnd end{{}, *job.settings, {}};
  if (job.dropped) {
    end.error = cancelled();
    return listener_.notify(learning_news(std::move(end)));
  }
  if (std::exchange(shows_learned_, false)) {
    target_values_.reset();
    check(Graph(drawn_));
  }
  const Requests::Guard guard(requests_, job);
  Monitor monitor(wiring(Interleaving::in_between), Monitor::Detail::quiet);
  auto made = [&] {
    const ScopedCallOptions use(executor_, call(guard, monitor, Interleaving::alone));
    return guarded([&] { return learned(*job.settings); });
  }();
  target_values_.reset();
  put(std::move(made), end.learned, end.error);
  shows_learned_ = !end.error && !end.learned.found.empty();
  if (shows_learned_) {
    target_values_.emplace();
    for (const learn::Found& f : end.learned.found) target_values_->push_back(learn::value_of(f));
  }
  check(shows_learned_ ? learn::with_values(drawn_, *target_values_) : Graph(drawn_));
  listener_.notify(learning_news(std::move(end)));
}

Result<learn::Learned> Worker::learned(const learn::Settings& settings) {
  learn::LearnOptions options;
  options.hooks.progress = [this](const learn::Progress& p) { show_learning(p); };
  options.hooks.command = [this, waits = false]() mutable {
    const learn::LearnCommand command = requests_.command();
    const bool waited = std::exchange(waits, command == learn::LearnCommand::pause);
    if (waits && !waited) listener_.notify(learning_news(LearningPaused{}));
    // Images are still served while learning is paused.
    if (command == learn::LearnCommand::pause)
      for (int i = 0; i < max_in_between; ++i)
        if (const auto job = requests_.urgent()) serve(*job, Interleaving::in_between);
    return command;
  };
  return learn::learn(executor_, registry_, drawn_, settings, options);
}

void Worker::show_learning(const learn::Progress& progress) {
  learn::Progress reported = progress;
  learn::drop_arrays(reported);  // plots need only their size
  listener_.notify(learning_news(std::move(reported)));
  if (progress.phase == learn::Progress::Phase::descent) {
    target_values_ = progress.values;
    check(learn::with_values(drawn_, *target_values_));
  }
  for (int i = 0; i < max_in_between; ++i) {
    const auto job = requests_.urgent();
    if (!job) break;
    serve(*job, Interleaving::in_between);
  }
}

void Worker::show_values(const ValuesJob& job) {
  if (!shows_learned_) return;  // the graph has changed since, or another learning has started
  target_values_ = *job.values;
  check(learn::with_values(drawn_, *target_values_));
}

void Worker::landscape(const LandscapeJob& job) {
  LandscapeEnd end{{}, *job.request, {}};
  if (job.dropped) {
    end.error = cancelled();
    return listener_.notify(learning_news(std::move(end)));
  }
  const Requests::Guard guard(requests_, job);
  const Graph graph = drawn_;  // a copy: while images are served in between, the graph may be replaced
  {
    Monitor monitor(wiring(Interleaving::alone), Monitor::Detail::quiet);
    const ScopedCallOptions use(executor_, call(guard, monitor, Interleaving::alone));
    auto made = guarded([&] { return learn::landscape(executor_, registry_, graph, *job.request); });
    put(std::move(made), end.landscape, end.error);
  }
  const bool slope_wanted = !end.error && job.request->slope == learn::LandscapeRequest::Slope::checked;
  listener_.notify(learning_news(LandscapeEnd(end)));
  if (!slope_wanted) return;
  auto slope = guarded([&] { return exact_gradients(graph, job.request->settings, guard); });
  if (!slope.ok()) return;
  end.slope = std::move(slope).value();
  listener_.notify(learning_news(std::move(end)));
}

// Computed in float64 with a cache of its own.
Result<learn::GradientCheck> Worker::exact_gradients(const Graph& graph, const learn::Settings& settings,
                                                     const Requests::Guard& guard) {
  RunOptions options = executor_.options();
  options.dtype = at::kDouble;
  options.cancel = guard.token();
  options.events = nullptr;
  Executor exact(registry_, options);
  return learn::check_gradients(exact, registry_, graph, settings, check_step);
}

void Worker::check_gradients(const GradientCheckJob& job) {
  GradientCheckEnd end{{}, *job.settings, {}};
  if (job.dropped) {
    end.error = cancelled();
    return listener_.notify(learning_news(std::move(end)));
  }
  const Requests::Guard guard(requests_, job);
  auto made = guarded([&] { return exact_gradients(drawn_, *job.settings, guard); });
  put(std::move(made), end.check, end.error);
  listener_.notify(learning_news(std::move(end)));
}

void Worker::check_node(const NodeCheckJob& job) {
  NodeCheckEnd end;
  end.check.node = job.node;
  const Requests::Guard guard(requests_, job);
  Infos inputs;
  for (const Link& link : graph_.links) {
    const auto look = looks_.find(link.from_node);
    if (link.to_node != job.node || look == looks_.end()) continue;
    const auto info = look->second.outputs.find(link.from_port);
    if (info != look->second.outputs.end()) inputs[link.to_port] = info->second;
  }
  auto made = [&]() -> Result<learn::NodeCheck> {
    if (job.dropped) return cancelled();
    if (const auto error = blocking_error(job.node)) return *error;
    return guarded([&] { return learn::check_node(registry_, graph_, job.node, inputs, guard.token()); });
  }();
  put(std::move(made), end.check, end.error);
  listener_.notify(learning_news(std::move(end)));
}

}  // namespace tl::live
