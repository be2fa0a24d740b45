// Case studies of learning, as rows of the verification table.
#pragma once

#include "core/base/cancel.h"
#include "gpu/verify/verify.h"

namespace tl::learn {

// Delta and beta of the reduced phase case study, with the limits of acceptance A3. small: nothing. full: 48^3 with 2 %
// noise, from transmissions and from their pattern alone, and 96^3 with 12 % noise. Fixed seeds.
CheckTable verify_cases(VerifySize size, const CancelToken& cancel = {});

}  // namespace tl::learn
