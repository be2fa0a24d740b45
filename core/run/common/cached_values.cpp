// Finds, adds and forgets cached regions of node outputs.
#include "core/run/common/cached_values.h"

#include "core/base/grid_box.h"
#include "core/run/common/value_pieces.h"

namespace tl {
namespace {

// As many as the slices of a large volume; above that, regions that the cache has dropped are removed from the list.
constexpr std::size_t max_regions = 4096;

Hash whole_key(const Hash& key, const Region& region) { return Hasher().add(key).add(region).digest(); }

bool contains(const Region& whole, const Region& part) {
  if (whole.index() != part.index()) return false;
  if (const auto* s = std::get_if<ScanRegion>(&whole)) return s->contains(std::get<ScanRegion>(part));
  if (const auto* g = std::get_if<VolumeGrid>(&whole))
    return g->count() > std::get<VolumeGrid>(part).count() && box_in(*g, std::get<VolumeGrid>(part)).has_value();
  return true;
}

}  // namespace

std::optional<Value> CachedValues::find(const Hash& key, const Region& region) {
  if (auto kept = cache_.find(whole_key(key, region))) return *std::static_pointer_cast<Value>(kept);
  const auto found = regions_.find(key);
  if (found == regions_.end()) return std::nullopt;
  for (const Region& whole : found->second) {
    if (!contains(whole, region)) continue;
    const auto kept = cache_.find(whole_key(key, whole));
    if (!kept) continue;
    if (auto part = slice(*std::static_pointer_cast<Value>(kept), whole, region)) return part;
  }
  return std::nullopt;
}

void CachedValues::put(const Hash& key, const Region& region, const Value& value, const std::string& owner) {
  const Hash whole = whole_key(key, region);
  if (cache_.holds(whole)) return;
  cache_.put(whole, std::make_shared<Value>(value), bytes(value), owner);
  if (!cache_.holds(whole)) return;
  if (count_ >= max_regions) drop_lost();
  regions_[key].push_back(region);
  ++count_;
}

void CachedValues::drop_lost() {
  count_ = 0;
  for (auto at = regions_.begin(); at != regions_.end();) {
    std::erase_if(at->second, [&](const Region& r) { return !cache_.holds(whole_key(at->first, r)); });
    count_ += at->second.size();
    at = at->second.empty() ? regions_.erase(at) : std::next(at);
  }
}

}  // namespace tl
