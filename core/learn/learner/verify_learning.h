// Acceptance A1 and the coverage of reported uncertainties, as rows of the verification table.
#pragma once

#include "core/base/cancel.h"
#include "gpu/verify/verify.h"

namespace tl::learn {

// small: one scan of each kind. full: 20 seeds of A1 at full size, and 200 noisy phantoms each for a full turn of a fan
// beam and half a turn of a parallel beam: the share of true axes within one reported sigma. Fixed seeds.
CheckTable verify_learning(VerifySize size, const CancelToken& cancel = {});

}  // namespace tl::learn
