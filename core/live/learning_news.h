// LearningNews: messages of the compute thread about learning, landscapes and checks. Not in notification.h, so that
// code that shows images does not depend on learning.
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

// Learning is paused after the current step; no learn::Progress follows until it continues. learn::Progress comes
// after every iteration, without the elements of arrays; images with the same parameters follow before the next
// iteration.
struct LearningPaused {};
// The end of learning, once per run. If the user ended it early, `learned` holds the best values so far.
struct LearnEnd {
  std::optional<Error> error;  // set, with kind cancelled, also when the work was cancelled
  learn::Settings settings;
  learn::Learned learned;
};
// The result of landscape(). If the slope was requested, it is sent a second time with the slope: for the same graph,
// even if the pipeline has changed since.
struct LandscapeEnd {
  std::optional<Error> error;
  learn::LandscapeRequest request;
  learn::Landscape landscape;
  std::optional<learn::GradientCheck> slope = {};  // at the centre
};
// The results of check_gradients() and check_node(), one each.
struct GradientCheckEnd {
  std::optional<Error> error;
  learn::Settings settings;
  learn::GradientCheck check;
};
struct NodeCheckEnd {
  std::optional<Error> error;
  learn::NodeCheck check;  // node: the node that was checked
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
