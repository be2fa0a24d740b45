// ValueLog: sample values received during a scan, by name: the latest values, and their course over time.
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
  // `time`: time of arrival in s, by the caller's clock. Non-finite values are ignored.
  void add(const NearbyValue& value, double time);
  // By name; a name with several units is split into "load" and "load [N]". Names beyond max_names are not counted, and
  // those beyond max_curves have no points: a sender may use a new name for every frame.
  [[nodiscard]] std::map<std::string, ValueSeries> series() const;
  void clear();

  // A curve with more points loses every second point of its older half, so that memory is limited and all recent
  // points are kept.
  static constexpr std::size_t max_points = 4096, max_curves = 64, max_names = 1000;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, ValueSeries> of_name_;  // by name and unit
  double begin_ = no_time;
};

}  // namespace tl::stream
