// FollowEnd: the result of learning on one window of a stream. No array type in this header.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/learn/learning_types.h"

namespace tl::live {

// A value has changed by more than three sigmas of the change since it was last resolved.
struct Jump {
  std::string node, name;
  double from = 0, from_sigma = 0, to = 0, to_sigma = 0;  // in `unit`
  Unit unit = Unit::none;
};
// "axis.axis has jumped from -3.2 ± 0.1 to 4.7 ± 0.1 px"
std::string words(const Jump& jump);

// Sent once for each window on which targets were learned.
struct FollowEnd {
  std::optional<Error> error;  // if set, the targets keep their values
  std::vector<learn::Found> found;
  std::vector<Jump> jumps;
  int64_t window = 0;
  double time = 0;     // arrival of the window's last frame [s since 1970]
  double seconds = 0;  // that it took
};

}  // namespace tl::live
