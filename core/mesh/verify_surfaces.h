// Verifies surfaces of labels, as rows of the verification table.
#pragma once

#include "gpu/verify/verify.h"

namespace tl::mesh {

// A ball's surface is closed, and encloses its volume.
CheckTable verify_surfaces();

}  // namespace tl::mesh
