// LearningNews: what the compute thread reports about learning, landscapes and checks. Not in notification.h, so that
// what shows images does not depend on learning.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "core/learn/learning_types.h"
#include "core/learn/node_check.h"
#include "core/live/notification.h"
#include "core/live/windows/follow_end.h"

namespace tl::live {

// Learning is paused after the current step; no further learn::Progress until it continues. learn::Progress itself
// comes after every iteration, without the entries of arrays; images with the same parameters follow before the next
// iteration.
struct LearningPaused {};
// The end of learning, once per run. If the user finished it early, `learned` holds the best values so far.
struct LearnEnd {
  std::optional<Error> error;  // set, with kind cancelled, also when the work was cancelled
  learn::Settings settings;
  learn::Learned learned;
};
// The answer to landscape(). Where the request asks for the slope, it comes a second time with it: of the same graph,
// however the pipeline has changed since.
struct LandscapeEnd {
  std::optional<Error> error;
  learn::LandscapeRequest request;
  learn::Landscape landscape;
  std::optional<learn::GradientCheck> slope = {};  // at the centre
};
// The answers to check_gradients() and check_node(), one each.
struct GradientCheckEnd {
  std::optional<Error> error;
  learn::Settings settings;
  learn::GradientCheck check;
};
struct NodeCheckEnd {
  std::optional<Error> error;
  learn::NodeCheck check;  // node: the one that was checked
};

struct LearningNews {
  std::variant<learn::Progress, LearningPaused, LearnEnd, LandscapeEnd, GradientCheckEnd, NodeCheckEnd, FollowEnd> what;
};
// As a Notification.
template <class T>
std::shared_ptr<const LearningNews> learning_news(T what) {
  return std::make_shared<const LearningNews>(LearningNews{std::move(what)});
}

}  // namespace tl::live
