// The graph of a network as JSON, as in the description of a model file.
#pragma once

#include <string>
#include <string_view>

#include "core/net/network.h"

namespace tl::net {

// {"kind": "network", "version": 1, "architecture", "dims", "voxel_size" [mm], "scaling":
// {"mean", "deviation"}, "labels": the table of classes, "history": as of history.h,
// "layers": [{"name", "kind", "inputs": [names], ...}]}; members with their default value are
// left out.
std::string to_json_text(const Network& network);

// Without tensors. The text is untrusted: nesting, layers and all numbers are limited. Errors: invalid, with `where`
// and the layer: another kind of model, unknown names, graphs that channels_of() refuses.
Result<Network> network_from_json(std::string_view text, const std::string& where);

}  // namespace tl::net
