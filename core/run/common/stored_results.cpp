// Holds the whole outputs that a run has stored, by node and port.
#include "core/run/common/stored_results.h"

#include <utility>

#include "core/run/common/value_pieces.h"

namespace tl {

void StoredResults::add(const Section& section, Value value, const Region& whole) {
  stored_.insert_or_assign(OutputId{section.node, section.port}, Stored{std::move(value), whole});
  if (!section.in_scratch_file) resident_ += section.stored;
}

void StoredResults::assume(const Plan& plan) {
  for (const Section& section : plan.sections) {
    if (section.port.empty()) continue;
    assumed_.insert({section.node, section.port});
    if (!section.in_scratch_file) resident_ += section.stored;
  }
}

bool StoredResults::contains(const std::string& node, const std::string& port) const {
  return stored_.count({node, port}) != 0 || assumed_.count({node, port}) != 0;
}

std::optional<Value> StoredResults::find(const std::string& node, const std::string& port, const Region& region) const {
  const auto found = stored_.find({node, port});
  if (found == stored_.end()) return std::nullopt;
  return slice(found->second.value, found->second.region, region);
}

}  // namespace tl
