// needed_regions(): the regions of some outputs that a region of another one depends on.
#pragma once

#include <map>
#include <vector>

#include "core/run/session/session.h"

namespace tl {

// Outputs that the request does not depend on are left out.
Result<std::map<OutputId, Region>> needed_regions(Session& session, const RegionRequest& request,
                                                  const std::vector<OutputId>& of);

}  // namespace tl
