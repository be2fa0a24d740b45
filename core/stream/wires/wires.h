// The list of wires (message formats), and finding one by its name or by a message.
#pragma once

#include <span>
#include <string>

#include "core/stream/wires/wire.h"

namespace tl::stream {

// All wires, in a fixed order (generated from core/stream/wires/CMakeLists.txt).
std::span<const Wire> wires();
// "array, tomop"
std::string wire_names();
// Invalid: no wire has this name.
Result<const Wire*> wire_of_name(const std::string& id);
// Null: no wire has such messages.
const Wire* wire_of_message(Parts parts);

}  // namespace tl::stream
