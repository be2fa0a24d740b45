// needed_regions(): the regions of some outputs on which a region of another output depends.
#pragma once

#include <map>
#include <vector>

#include "core/run/session/session.h"

namespace tl {

// Outputs on which the request does not depend are left out.
Result<std::map<OutputId, Region>> needed_regions(Session& session, const RegionRequest& request,
                                                  const std::vector<OutputId>& of);

}  // namespace tl
