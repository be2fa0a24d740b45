// ValueCurves: the values that came with frames, over time, for plots.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "core/stream/frames/frame.h"

namespace tl::stream {

struct ValueCurve {
  std::string unit;
  std::vector<double> time, value;  // [s] since the first value of any curve; of equal length
};

// Thread-safe.
class ValueCurves {
 public:
  // `time` in s, by a clock of the caller's.
  void add(const NearbyValue& value, double time);
  [[nodiscard]] std::map<std::string, ValueCurve> curves() const;
  void clear();

  // A curve that has more loses every second point of its older half, so that memory stays bounded and the newest
  // points are all there. Names beyond the limit are left out: a sender may make up a new one for every frame.
  static constexpr std::size_t max_points = 4096, max_names = 64;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, ValueCurve> curves_;
  double begin_ = no_time;
};

}  // namespace tl::stream
