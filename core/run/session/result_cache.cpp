// Finds and puts computed regions of outputs in the executor's caches, under the session's keys.
#include "core/run/session/result_cache.h"

namespace tl {

Hash ResultCache::key(const ResolvedNode& r, const std::string& port) const {
  return Hasher().add(r.key).add(port).add(static_cast<int64_t>(context_.options().dtype)).add(r.device).digest();
}

std::optional<Value> ResultCache::find(const ResolvedNode& r, const std::string& port, const Region& region) const {
  return context_.resources().values_of(r.device).find(key(r, port), region);
}

void ResultCache::put(const ResolvedNode& r, const RegionRequest& request, const Value& value) {
  const auto& [node, port, region] = request;
  context_.resources().values_of(r.device).put(key(r, port), region, value, node);
}

}  // namespace tl
