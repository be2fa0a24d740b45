// first_look_steps(): which nodes compute a first image from fewer views, and from how many.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/run/session/session.h"

namespace tl {

// For a first look at a region of an output, by node: it takes every n-th view of its inputs. The node itself does
// where its inputs exceed the limit and are not cached; a node on the way to it that declares first_look_views does (n
// may be 1) where what is needed of it is not cached. Empty: the first look is the usual image.
Result<std::map<std::string, int64_t>> first_look_steps(Session& session, const RegionRequest& request,
                                                        const FirstLookLimits& limits);

}  // namespace tl
