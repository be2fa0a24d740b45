// The packet slice_data (0x201) of RECAST3D, which carries planes to plug-ins and back.
#pragma once

#include "core/stream/planes/plane.h"
#include "core/stream/wires/wire.h"

namespace tl::stream {

OwnedParts encode_slice(const Plane& plane);
// Checks all sizes before it allocates memory. Invalid: another packet, or a damaged one.
Result<Plane> decode_slice(Parts parts);

}  // namespace tl::stream
