// Which views of a scan are used.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/region.h"

namespace tl {

struct ViewChoice {
  int64_t first_view = 0;
  std::optional<int64_t> last_view;  // none: the last view of the scan
  int64_t view_step = 1;
  std::vector<double> exclude;  // indices of views
};

// Indices of the chosen views, in order. Invalid: no such views, or none left.
Result<std::vector<int64_t>> chosen_views(const ViewChoice& choice, int64_t views);

inline std::span<const int64_t> part_of(const std::vector<int64_t>& views, Range part) {
  return {views.data() + part.begin, views.data() + part.end};
}

}  // namespace tl
