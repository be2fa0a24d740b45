// Keeps values found by measuring and reducing nodes in the executor's cache, by the node's key, number type and
// device.
#include "core/run/session/findings_cache.h"

#include <memory>

namespace tl {

Hash FindingsCache::key(const ResolvedNode& r) const {
  const auto dtype = static_cast<int64_t>(context_.options().dtype);
  const Hash& of = r.type->partition == Partition::reduce ? r.key : r.lasting;
  return Hasher().add(of).add("findings").add(dtype).add(r.device).digest();
}

std::optional<Findings> FindingsCache::find(const std::string& node, const ResolvedNode& r) const {
  if (r.learning) return std::nullopt;
  if (const auto done = reduced_.find(node); done != reduced_.end()) return done->second;
  const auto kept = context_.resources().host_cache().find(key(r));
  return kept ? std::optional<Findings>(*std::static_pointer_cast<Findings>(kept)) : std::nullopt;
}

void FindingsCache::put(const std::string& node, const ResolvedNode& r, const Findings& findings) {
  if (r.learning) return;
  int64_t size = findings.kept_bytes;
  for (const auto& [name, value] : findings.values) size += bytes(value);
  // Without an owner, what was measured stays when the given outputs that it hangs on are replaced.
  const bool lasts = r.type->partition != Partition::reduce && !context_.resources().given().empty();
  context_.resources().host_cache().put(key(r), std::make_shared<Findings>(findings), size,
                                        lasts ? std::string() : node);
}

}  // namespace tl
