// Imports ONNX models, from other programs or from this one, as networks.
#pragma once

#include <string>
#include <string_view>

#include "core/net/network.h"

namespace tl::net::onnx {

// Reads operator sets 11 to 25. The network ends at the first output of the model. A final Sigmoid of one score,
// LogSoftmax or ArgMax is left out: probabilities are computed from the scores. Scaling of the input by constants,
// mirrored borders and crops to the size of another map are recognised; Identity and Constant add no layer. Tensors are
// named after the initializers. Memory is limited to a small multiple of the size of `bytes`. Errors: invalid, with
// `where` and the node or tensor, for an operator, a shape or an order of operators that networks here do not support,
// for tensors whose values are in another file, and for bytes that are not a model.
Result<Network> network_from_onnx(std::string_view bytes, const std::string& where);

}  // namespace tl::net::onnx
