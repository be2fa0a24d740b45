// Keeps results and memos within a byte budget: the least recently used are dropped first.
#include "core/run/common/cache.h"

#include <algorithm>
#include <iterator>

namespace tl {

std::shared_ptr<void> Cache::find(const Hash& key) {
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  found->second->used = true;
  return found->second->object;
}

void Cache::put(const Hash& key, std::shared_ptr<void> object, int64_t bytes, const std::string& owner,
                Lifetime lifetime) {
  if (bytes > budget_ || index_.count(key) != 0 || !make_room(bytes)) return;
  entries_.push_front({key, std::move(object), bytes, owner, lifetime});
  index_.emplace(key, entries_.begin());
  used_ += bytes;
  if (bytes > 0) used_by_[owner] += bytes;
}

void Cache::clear() {
  entries_.clear();
  index_.clear();
  used_by_.clear();
  used_ = 0;
}

void Cache::drop(const std::string& owner) {
  for (auto entry = entries_.begin(); entry != entries_.end();)
    entry = entry->owner == owner ? erase(entry) : std::next(entry);
}

void Cache::drop_stale(const std::string& owner) {
  const auto is_used = [&](const Entry& e) { return e.owner == owner && e.lifetime == Lifetime::use && e.used; };
  const bool any_used = std::any_of(entries_.begin(), entries_.end(), is_used);
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const bool stale = entry->lifetime == Lifetime::owner || (any_used && !entry->used);
    if (entry->owner == owner && stale) {
      entry = erase(entry);
      continue;
    }
    if (entry->owner == owner) entry->used = false;
    ++entry;
  }
}

Cache::Entries::iterator Cache::erase(Entries::iterator entry) {
  used_ -= entry->bytes;
  if (const auto by = used_by_.find(entry->owner); by != used_by_.end()) {
    by->second -= entry->bytes;
    if (by->second <= 0) used_by_.erase(by);
  }
  index_.erase(entry->key);
  return entries_.erase(entry);
}

// False, with nothing dropped, if the pinned entries leave too little room.
bool Cache::make_room(int64_t bytes) {
  if (used_ + bytes <= budget_) return true;
  int64_t pinned = 0;
  for (const std::string& owner : pinned_)
    if (const auto by = used_by_.find(owner); by != used_by_.end()) pinned += by->second;
  if (pinned + bytes > budget_) return false;
  for (auto entry = entries_.end(); used_ + bytes > budget_ && entry != entries_.begin();) {
    --entry;
    if (pinned_.count(entry->owner) == 0) entry = erase(entry);
  }
  return true;
}

}  // namespace tl
