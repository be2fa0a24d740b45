// Keeps values found by measuring and reducing nodes in the executor's cache, by the node's key, number type and
// device.
#include "core/run/session/findings_cache.h"

#include <memory>

namespace tl {

// Whether findings stay valid for later windows of a stream: if the node accepts them as parameters, so that a run over
// the record of such a window gives the same; or they are a trained model; or no pixel was used. Curves and histograms
// used by another node are not parameters: they belong to the window.
bool FindingsCache::lasts(const std::string& node, const ResolvedNode& r) const {
  const NodeType& type = *r.type;
  if (type.partition == Partition::reduce) return false;
  if (type.measure_further) return true;
  if (type.keep_found) return !gives_curve(context_.links(), type, node);
  if (!type.measure_needs) return false;
  const auto needed = type.measure_needs(r.params.get(), r.inputs);
  return needed.ok() && needed.value().empty();
}

Hash FindingsCache::key(const std::string& node, const ResolvedNode& r) const {
  const auto dtype = static_cast<int64_t>(context_.options().dtype);
  const Hash& of = lasts(node, r) ? r.lasting : r.key;
  return Hasher().add(of).add("findings").add(dtype).add(r.device).digest();
}

std::optional<Findings> FindingsCache::find(const std::string& node, const ResolvedNode& r) const {
  if (r.learning) return std::nullopt;
  if (const auto done = reduced_.find(node); done != reduced_.end()) return done->second;
  const auto kept = context_.resources().host_cache().find(key(node, r));
  return kept ? std::optional<Findings>(*std::static_pointer_cast<Findings>(kept)) : std::nullopt;
}

void FindingsCache::put(const std::string& node, const ResolvedNode& r, const Findings& findings) {
  if (r.learning) return;
  int64_t size = findings.kept_bytes;
  for (const auto& [name, value] : findings.values) size += bytes(value);
  // Without an owner, findings are kept when the given outputs on which they depend are replaced.
  const bool stays = lasts(node, r) && !context_.resources().given().empty();
  context_.resources().host_cache().put(key(node, r), std::make_shared<Findings>(findings), size,
                                        stays ? std::string() : node);
}

}  // namespace tl
