// KeptValues: computed regions of outputs in the cache, found again also as parts of larger ones.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/run/cache.h"
#include "core/values/values.h"

namespace tl {

// One thread at a time. `key` stands for an output of a node with all that it depends on.
class KeptValues {
 public:
  explicit KeptValues(Cache& cache) : cache_(cache) {}
  [[nodiscard]] std::optional<Value> find(const Hash& key, const Region& region);
  void put(const Hash& key, const Region& region, const Value& value, const std::string& owner);

 private:
  void drop_lost();
  Cache& cache_;
  std::map<Hash, std::vector<Region>> regions_;
  std::size_t count_ = 0;  // regions, those that the cache dropped among them
};

}  // namespace tl
