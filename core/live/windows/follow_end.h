// FollowEnd: what learning on one window of a stream has found. No array type in this header.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/learn/learning_types.h"

namespace tl::live {

// A value has moved by more than three sigmas of its change since it was resolved before.
struct Jump {
  std::string node, name;
  double from = 0, from_sigma = 0, to = 0, to_sigma = 0;  // in `unit`
  Unit unit = Unit::none;
};
// "axis.axis has jumped from -3.2 ± 0.1 to 4.7 ± 0.1 px"
std::string words(const Jump& jump);

// Once for each window that targets were learned on.
struct FollowEnd {
  std::optional<Error> error;  // the targets stay as they were
  std::vector<learn::Found> found;
  std::vector<Jump> jumps;
  int64_t window = 0;
  double time = 0;     // of its last frame [s since 1970]
  double seconds = 0;  // that it took
};

}  // namespace tl::live
