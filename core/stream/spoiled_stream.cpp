// Draws at random which fault each frame gets.
#include "core/stream/spoiled_stream.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/random.h"

namespace tl::stream {

SpoiledStream spoil(int64_t frames, const Faults& faults) {
  const Philox fate{faults.seed, 1}, delay{faults.seed, 2}, copy{faults.seed, 3}, damage{faults.seed, 4};
  struct Due {
    double time;
    SentFrame sent;
  };
  std::vector<Due> due;
  SpoiledStream stream;
  for (int64_t i = 0; i < frames; ++i) {
    const auto n = static_cast<uint64_t>(i);
    if (fate.uniform(n) < faults.drop) {
      stream.dropped.push_back(i);
      continue;
    }
    // Fewer than `reorder` frames overtake it: those that follow within its delay.
    const double time = static_cast<double>(i) + static_cast<double>(faults.reorder) * delay.uniform(n);
    const bool corrupt = damage.uniform(n) < faults.corrupt;
    due.push_back({time, {i, corrupt}});
    if (corrupt) {
      stream.corrupted.push_back(i);
    } else if (copy.uniform(n) < faults.duplicate) {
      stream.duplicated.push_back(i);
      due.push_back({time + 1, {i, false}});
    }
  }
  std::stable_sort(due.begin(), due.end(), [](const Due& a, const Due& b) { return a.time < b.time; });
  int64_t highest = -1;
  for (const Due& one : due) {
    stream.order.push_back(one.sent);
    const bool is_copy = std::binary_search(stream.duplicated.begin(), stream.duplicated.end(), one.sent.frame);
    if (one.sent.frame < highest && !is_copy) ++stream.reordered;
    highest = std::max(highest, one.sent.frame);
  }
  return stream;
}

OwnedParts corrupted(OwnedParts parts, uint64_t random) {
  if (parts.empty()) return parts;
  std::vector<std::byte>& last = parts.back();
  switch (random % 3) {
    case 0:  // cut off
      last.resize(last.size() / 2);
      break;
    case 1:  // a byte too much
      last.push_back(std::byte{0});
      break;
    default:  // a header that no wire recognises
      parts.front().front() = std::byte{0xff};
  }
  return parts;
}

std::vector<int64_t> view_order(int64_t views, int64_t turns, ViewOrder order) {
  std::vector<int64_t> one(static_cast<std::size_t>(views));
  std::iota(one.begin(), one.end(), int64_t{0});
  if (order == ViewOrder::golden) {
    constexpr double golden = 0.6180339887498949;
    std::vector<int64_t> by_fraction = one;
    const auto fraction = [](int64_t i) { return std::fmod(static_cast<double>(i) * golden, 1.0); };
    std::stable_sort(by_fraction.begin(), by_fraction.end(),
                     [&](int64_t a, int64_t b) { return fraction(a) < fraction(b); });
    for (int64_t view = 0; view < views; ++view)
      one[static_cast<std::size_t>(by_fraction[static_cast<std::size_t>(view)])] = view;
  }
  std::vector<int64_t> all;
  for (int64_t turn = 0; turn < turns; ++turn) {
    if (order == ViewOrder::sweep && turn % 2 == 1) {
      all.insert(all.end(), one.rbegin(), one.rend());
    } else {
      all.insert(all.end(), one.begin(), one.end());
    }
  }
  return all;
}

}  // namespace tl::stream
