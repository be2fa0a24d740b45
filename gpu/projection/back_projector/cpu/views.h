// The view maps of a task with one array per coefficient, for loops over several views at once.
#pragma once

#include <array>
#include <vector>

#include "gpu/projection/back_projector/shared/math.h"

namespace tl::ops {

// The arrays have eight more elements than views, so that a vector may begin at any view; w is 1 there.
struct ViewArrays {
  static constexpr std::size_t padding = 8;
  std::array<std::vector<double>, 4> u, v, w;
  std::vector<double> axis_depth;

  explicit ViewArrays(const BackProjectTask& task) {
    const auto views = static_cast<std::size_t>(task.views);
    for (std::size_t c = 0; c < 4; ++c) {
      u[c].resize(views + padding);
      v[c].resize(views + padding);
      w[c].resize(views + padding, c == 0 ? 1.0 : 0.0);
    }
    axis_depth.resize(views + padding);
    for (std::size_t n = 0; n < views; ++n) {
      const ViewMap& map = task.maps[n];
      for (std::size_t c = 0; c < 4; ++c) {
        u[c][n] = map.u[c];
        v[c][n] = map.v[c];
        w[c][n] = map.w[c];
      }
      axis_depth[n] = map.axis_depth;
    }
  }
};

}  // namespace tl::ops
