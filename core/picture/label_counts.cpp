// Counts labels run by run, since neighbours mostly are of one label.
#include "core/picture/label_counts.h"

#include <cmath>

namespace tl::picture {

std::map<int64_t, int64_t> label_counts(const Image& labels) {
  std::map<int64_t, int64_t> counts;
  const std::vector<float>& pixels = labels.pixels;
  for (std::size_t from = 0, to = 0; from < pixels.size(); from = to) {
    for (to = from + 1; to < pixels.size() && pixels[to] == pixels[from];) ++to;
    if (!std::isnan(pixels[from])) counts[std::llround(pixels[from])] += static_cast<int64_t>(to - from);
  }
  return counts;
}

}  // namespace tl::picture
