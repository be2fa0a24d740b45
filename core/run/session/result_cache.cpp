// Cached regions by the node's key, port, number type, device and purpose.
#include "core/run/session/result_cache.h"

namespace tl {

Hash ResultCache::key(const Resolved& r, const std::string& port, Purpose purpose) const {
  Hasher hasher;
  hasher.add(r.key).add(port).add(static_cast<int64_t>(context_.options().dtype)).add(r.device);
  if (purpose == Purpose::picture) hasher.add("picture");
  return hasher.digest();
}

Purpose ResultCache::purpose_of(const Region& region) const {
  return std::holds_alternative<VolumeGrid>(region) ? context_.options().purpose : Purpose::result;
}

std::optional<Value> ResultCache::find(const Resolved& r, const std::string& port, const Region& region) const {
  CachedValues& values = context_.resources().values_of(r.device);
  if (auto kept = values.find(key(r, port, Purpose::result), region)) return kept;
  if (purpose_of(region) == Purpose::result) return std::nullopt;
  return values.find(key(r, port, Purpose::picture), region);
}

void ResultCache::put(const Resolved& r, const Request& request, const Value& value) {
  const auto& [node, port, region] = request;
  context_.resources().values_of(r.device).put(key(r, port, purpose_of(region)), region, value, node);
}

}  // namespace tl
