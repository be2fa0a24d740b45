// ONNX models of other programs, and those of ours, as networks.
#pragma once

#include <string>
#include <string_view>

#include "core/net/network.h"

namespace tl::net::onnx {

// Operators of the versions 11 to 25. The network ends at the first output; Sigmoid of one score, LogSoftmax and ArgMax
// at the end are left out: they change no probability. Scaling of the input by numbers, mirrored borders and crops to
// the size of another map are recognised, Identity and Constant leave nothing behind. Tensors have the names of the
// initializers. Memory is bounded by a small multiple of the bytes. Errors: invalid, with `where` and node or tensor:
// an operator, shape or order that networks do not have, numbers in another file, bytes that are not a model.
Result<Network> network_from_onnx(std::string_view bytes, const std::string& where);

}  // namespace tl::net::onnx
