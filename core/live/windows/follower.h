// Follower: learns the marked parameters of a pipeline repeatedly on the windows of a stream, each time starting from
// the last values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/learn/learning_types.h"
#include "core/live/windows/follow_end.h"
#include "core/run/executor.h"
#include "core/stream/windows.h"

namespace tl {

// On the compute thread.
class Follower {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Follower(learn::Settings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] const learn::Settings& settings() const { return settings_; }
  // The nodes whose parameters are learned.
  [[nodiscard]] std::set<std::string> nodes() const;
  // The graph with the values that were learned last; unchanged before the first ones.
  [[nodiscard]] Graph values_in(Graph graph) const;
  [[nodiscard]] bool has_values() const { return values_.has_value(); }
  // Another stream has begun.
  void forget_values();
  // Copies the values of a follower of the same parameters.
  void take_values(const Follower& before);

  // Learning takes at most a fifth of the time: the next one begins after a pause of four times its duration.
  [[nodiscard]] bool is_due() const { return Clock::now() >= due_; }
  [[nodiscard]] Clock::time_point next_learning_time() const { return due_; }
  // Learns on the outputs of a window that the executor was given; `drawn` has the start values. The first time with a
  // survey, if the settings ask for one; later from the last values, in few iterations. Errors are part of the result:
  // the values then stay unchanged.
  live::FollowEnd learn(Executor& executor, const Registry& registry, const Graph& drawn, const stream::Window& window,
                        learn::Hooks hooks = {});

 private:
  void note_jumps(live::FollowEnd& end);

  learn::Settings settings_;
  std::optional<std::vector<learn::TargetValue>> values_;
  std::vector<std::optional<learn::Found>> resolved_;  // by target: the last resolved value
  Clock::time_point due_;
};

}  // namespace tl
