// Case studies of learning, as rows of the verification table.
#pragma once

#include "core/base/cancel.h"
#include "gpu/verify/verify.h"

namespace tl::learn {

// Delta and beta of the phase case study, reduced, with the bars of acceptance A3. small: nothing. full: 48^3 with
// noise of 2 %, by transmissions as they are and by their pattern alone, and 96^3 with noise of 12 %. Fixed seeds.
CheckTable verify_cases(VerifySize size, const CancelToken& cancel = {});

}  // namespace tl::learn
