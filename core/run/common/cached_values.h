// CachedValues: cached regions of node outputs; a region is also found inside a larger one.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/run/common/cache.h"
#include "core/values/values.h"

namespace tl {

// One thread at a time. `key` identifies an output of a node and everything on which it depends.
class CachedValues {
 public:
  explicit CachedValues(Cache& cache) : cache_(cache) {}
  [[nodiscard]] std::optional<Value> find(const Hash& key, const Region& region);
  void put(const Hash& key, const Region& region, const Value& value, const std::string& owner);

 private:
  void drop_lost();
  Cache& cache_;
  std::map<Hash, std::vector<Region>> regions_;
  std::size_t count_ = 0;  // number of regions, including those dropped by the cache since
};

}  // namespace tl
