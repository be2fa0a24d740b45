// ValueLog: the numbers next to a scan, by name: what they were, and how they went over time.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/stream/frames/frame.h"

namespace tl::stream {

struct ValueSeries {
  std::string unit;
  int64_t count = 0;
  double first = 0, last = 0, lowest = 0, highest = 0, mean = 0;
  std::vector<double> time, value;  // points of a plot; time in s since the first value of any name; of equal length
};

// All functions may be called from any thread.
class ValueLog {
 public:
  // `time`: when it came, in s by a clock of the caller's. Values that are not finite are left out.
  void add(const NearbyValue& value, double time);
  // By name; a name that comes in several units is "load" and "load [N]". Names beyond max_names are not counted, and
  // those beyond max_curves have no points: a sender may make up a new one for every frame.
  [[nodiscard]] std::map<std::string, ValueSeries> series() const;
  void clear();

  // A curve that has more loses every second point of its older half, so that memory stays bounded and the newest
  // points are all there.
  static constexpr std::size_t max_points = 4096, max_curves = 64, max_names = 1000;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, ValueSeries> of_name_;  // by name and unit
  double begin_ = no_time;
};

}  // namespace tl::stream
