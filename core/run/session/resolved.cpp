// Computes the regions that a resolved reducing node reads.
#include "core/run/session/resolved.h"

namespace tl {

Result<Region> region_reduced(const ResolvedNode& r) {
  if (r.type->reads) return r.type->reads(r.planned.get(), r.inputs);
  return full_region(r.inputs.at(r.type->inputs.front().name));
}

Result<Regions> regions_of_block(const ResolvedNode& r, const Region& block) {
  if (r.type->needs) return r.type->needs(r.planned.get(), r.inputs, block);
  Regions needed;
  for (const auto& [port, info] : r.inputs)
    needed[port] = port == r.type->inputs.front().name ? block : full_region(info);
  return needed;
}

}  // namespace tl
