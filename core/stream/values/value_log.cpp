// Sums numbers while they arrive, and stores points of their curves.
#include "core/stream/values/value_log.h"

#include <algorithm>
#include <cmath>

namespace tl::stream {
namespace {

void thin_older_half(std::vector<double>& points) {
  const std::size_t half = points.size() / 2;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (i >= half || i % 2 == 0) points[kept++] = points[i];
  points.resize(kept);
}

}  // namespace

void ValueLog::add(const NearbyValue& value, double time) {
  if (!std::isfinite(value.value) || !std::isfinite(time)) return;
  const std::lock_guard lock(mutex_);
  if (std::isnan(begin_)) begin_ = time;
  const std::pair key(value.name, value.unit);
  auto found = of_name_.find(key);
  const bool is_new = found == of_name_.end();
  if (is_new) {
    if (of_name_.size() >= max_names) return;
    found =
        of_name_.emplace(key, ValueSeries{value.unit, 0, value.value, 0, value.value, value.value, 0, {}, {}}).first;
  }
  ValueSeries& s = found->second;
  ++s.count;
  s.last = value.value;
  s.lowest = std::min(s.lowest, value.value);
  s.highest = std::max(s.highest, value.value);
  s.mean += (value.value - s.mean) / static_cast<double>(s.count);
  const bool has_points = is_new ? of_name_.size() <= max_curves : !s.time.empty();
  if (!has_points) return;
  s.time.push_back(time - begin_);
  s.value.push_back(value.value);
  if (s.time.size() <= max_points) return;
  thin_older_half(s.time);
  thin_older_half(s.value);
}

std::map<std::string, ValueSeries> ValueLog::series() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, ValueSeries> all;
  for (const auto& [key, one] : of_name_) {
    const bool repeats = all.contains(key.first);
    all.emplace(repeats ? key.first + " [" + key.second + "]" : key.first, one);
  }
  return all;
}

void ValueLog::clear() {
  const std::lock_guard lock(mutex_);
  of_name_.clear();
  begin_ = no_time;
}

}  // namespace tl::stream
