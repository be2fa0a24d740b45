// Keeps points of curves, and thins them out.
#include "core/stream/value_curves.h"

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

void ValueCurves::add(const NearbyValue& value, double time) {
  if (!std::isfinite(value.value) || !std::isfinite(time)) return;
  const std::lock_guard lock(mutex_);
  if (std::isnan(begin_)) begin_ = time;
  auto found = curves_.find(value.name);
  if (found == curves_.end()) {
    if (curves_.size() >= max_names) return;
    found = curves_.emplace(value.name, ValueCurve{value.unit, {}, {}}).first;
  }
  ValueCurve& curve = found->second;
  curve.time.push_back(time - begin_);
  curve.value.push_back(value.value);
  if (curve.time.size() <= max_points) return;
  thin_older_half(curve.time);
  thin_older_half(curve.value);
}

void ValueCurves::clear() {
  const std::lock_guard lock(mutex_);
  curves_.clear();
  begin_ = no_time;
}

std::map<std::string, ValueCurve> ValueCurves::curves() const {
  const std::lock_guard lock(mutex_);
  return curves_;
}

}  // namespace tl::stream
