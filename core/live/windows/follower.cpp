// Learns starting from the last values, limits its share of the time, and detects jumps.
#include "core/live/windows/follower.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/measured.h"
#include "core/learn/learner/learner.h"
#include "core/learn/learning.h"
#include "core/run/common/caught_error.h"

namespace tl {
namespace {

// Pause after learning on a window, in units of its duration: learning takes at most a fifth of the time.
constexpr double pause_after_follow = 4;
constexpr int64_t iterations_of_follow = 12;

double sigma_of(const learn::Found& found) { return found.uncertainty.empty() ? 0 : found.uncertainty.front(); }

}  // namespace

namespace live {

std::string words(const Jump& jump) {
  const std::string unit(symbol(jump.unit));
  return jump.node + "." + jump.name + " has jumped from " + measured_text(jump.from, jump.from_sigma) + " to " +
         measured_text(jump.to, jump.to_sigma) + (unit.empty() ? unit : " " + unit);
}

}  // namespace live

std::set<std::string> Follower::nodes() const {
  std::set<std::string> all;
  for (const learn::Target& target : settings_.targets) all.insert(target.node);
  return all;
}

Graph Follower::values_in(Graph graph) const {
  return values_ ? learn::with_values(std::move(graph), *values_) : std::move(graph);
}

void Follower::forget_values() {
  values_.reset();
  resolved_.clear();
}

void Follower::take_values(const Follower& before) {
  if (before.settings_.targets != settings_.targets) return;
  values_ = before.values_;
  resolved_ = before.resolved_;
}

live::FollowEnd Follower::learn(Executor& executor, const Registry& registry, const Graph& drawn,
                                const stream::Window& window, learn::Hooks hooks) {
  const Clock::time_point begin = Clock::now();
  learn::Settings settings = settings_;
  // Starting from the last values, no survey for distant optima is needed.
  if (values_) {
    settings.survey = learn::Survey::none;
    settings.restarts = 0;
    settings.stop.iterations = std::min(settings.stop.iterations, iterations_of_follow);
  }
  live::FollowEnd end;
  end.window = window.index;
  end.time = window.newest;
  const Graph start = values_in(drawn);
  learn::LearnOptions options;
  options.hooks = std::move(hooks);
  const Result<learn::Learned> learned = [&]() -> Result<learn::Learned> {
    try {
      return learn::learn(executor, registry, start, settings, options);
    } catch (...) {
      return caught_error();
    }
  }();
  const Clock::time_point now = Clock::now();
  end.seconds = std::chrono::duration<double>(now - begin).count();
  due_ = now + std::chrono::duration_cast<Clock::duration>(pause_after_follow * (now - begin));
  if (!learned.ok()) {
    end.error = learned.error();
    return end;
  }
  end.found = learned.value().found;
  note_jumps(end);
  values_.emplace();
  for (const learn::Found& f : end.found) values_->push_back(learn::value_of(f));
  return end;
}

void Follower::note_jumps(live::FollowEnd& end) {
  constexpr double sigmas = 3;
  resolved_.resize(end.found.size());
  for (std::size_t i = 0; i < end.found.size(); ++i) {
    const learn::Found& now = end.found[i];
    if (now.value.size() != 1 || now.trust != learn::Trust::resolved) continue;
    if (const auto before = std::exchange(resolved_[i], now); before && before->unit == now.unit) {
      const double from = before->value.front(), to = now.value.front();
      if (std::abs(to - from) > sigmas * std::hypot(sigma_of(now), sigma_of(*before)))
        end.jumps.push_back({now.node, now.name, from, sigma_of(*before), to, sigma_of(now), now.unit});
    }
  }
}

}  // namespace tl
