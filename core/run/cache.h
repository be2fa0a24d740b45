// Cache: results and memos by key, within a budget; the least recently used go first.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>

#include "core/run/hash.h"
#include "core/values.h"

namespace tl {

// One thread at a time. Objects are shared: dropping an entry frees memory once nobody uses it any more.
class Cache {
 public:
  explicit Cache(int64_t budget) : budget_(budget) {}

  [[nodiscard]] std::shared_ptr<void> find(const Hash& key);
  [[nodiscard]] bool holds(const Hash& key) const { return index_.count(key) != 0; }  // does not count as a use
  void put(const Hash& key, std::shared_ptr<void> object, int64_t bytes);
  void clear();
  [[nodiscard]] int64_t used() const { return used_; }
  [[nodiscard]] int64_t budget() const { return budget_; }

 private:
  struct Entry {
    Hash key;
    std::shared_ptr<void> object;
    int64_t bytes;
  };
  void drop_oldest();
  int64_t budget_;
  int64_t used_ = 0;
  std::list<Entry> entries_;  // most recently used first
  std::map<Hash, std::list<Entry>::iterator> index_;
};

}  // namespace tl
