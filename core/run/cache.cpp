// Least-recently-used cache.
#include "core/run/cache.h"

namespace tl {

std::shared_ptr<void> Cache::find(const Hash& key) {
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->object;
}

void Cache::put(const Hash& key, std::shared_ptr<void> object, int64_t bytes) {
  if (bytes > budget_ || index_.count(key) != 0) return;
  while (used_ + bytes > budget_) drop_oldest();
  entries_.push_front({key, std::move(object), bytes});
  index_.emplace(key, entries_.begin());
  used_ += bytes;
}

void Cache::clear() {
  entries_.clear();
  index_.clear();
  used_ = 0;
}

void Cache::drop_oldest() {
  used_ -= entries_.back().bytes;
  index_.erase(entries_.back().key);
  entries_.pop_back();
}

}  // namespace tl
