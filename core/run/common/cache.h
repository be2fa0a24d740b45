// Cache: results and memos by key, within a byte budget. The least recently used entries are dropped first; entries of
// pinned owners are never dropped for others.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "core/values/hash.h"
#include "core/values/values.h"

namespace tl {

// owner: until its owner is dropped. use: drop_stale() keeps it if it was used since the previous call.
enum class Lifetime : uint8_t { owner, use };

// One thread at a time. Objects are shared: dropping an entry frees its memory only when no other owner is left.
class Cache {
 public:
  explicit Cache(int64_t budget) : budget_(budget) {}

  [[nodiscard]] std::shared_ptr<void> find(const Hash& key);
  [[nodiscard]] bool holds(const Hash& key) const { return index_.count(key) != 0; }  // this does not count as a use
  // `owner`: the node that made the object. Not stored if dropping all unpinned entries would not make enough room.
  void put(const Hash& key, std::shared_ptr<void> object, int64_t bytes, const std::string& owner = {},
           Lifetime lifetime = Lifetime::owner);
  void clear();                         // also drops pinned entries; the owners stay pinned
  void drop(const std::string& owner);  // all entries of one owner
  // Drops the owner's entries of Lifetime::owner, and those of Lifetime::use that were neither put nor found since the
  // last call; if none of these was used, all of them stay.
  void drop_stale(const std::string& owner);
  // Present and future entries of a pinned owner are not dropped to make room, until it is unpinned.
  void pin(const std::string& owner) { pinned_.insert(owner); }
  void unpin(const std::string& owner) { pinned_.erase(owner); }
  [[nodiscard]] const std::set<std::string>& pinned() const { return pinned_; }
  [[nodiscard]] const std::map<std::string, int64_t>& used_by_owner() const { return used_by_; }  // bytes, above 0
  [[nodiscard]] int64_t used() const { return used_; }
  [[nodiscard]] int64_t budget() const { return budget_; }

 private:
  struct Entry {
    Hash key;
    std::shared_ptr<void> object;
    int64_t bytes;
    std::string owner;
    Lifetime lifetime;
    bool used = true;  // since the last drop_stale()
  };
  using Entries = std::list<Entry>;
  Entries::iterator erase(Entries::iterator entry);
  bool make_room(int64_t bytes);
  int64_t budget_;
  int64_t used_ = 0;
  Entries entries_;  // most recently used first
  std::map<Hash, Entries::iterator> index_;
  std::map<std::string, int64_t> used_by_;
  std::set<std::string> pinned_;
};

}  // namespace tl
