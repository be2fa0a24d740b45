// Finds wires in the generated list.
#include "core/stream/wires/wires.h"

#include <vector>

// Defined in the generated wire_list.cpp.
std::vector<::tl::stream::Wire> tl_wire_list();

namespace tl::stream {

std::span<const Wire> wires() {
  static const std::vector<Wire> all = tl_wire_list();
  return all;
}

std::string wire_names() {
  std::string names;
  for (const Wire& wire : wires()) names += (names.empty() ? "" : ", ") + std::string(wire.id);
  return names;
}

Result<const Wire*> wire_of_name(const std::string& id) {
  for (const Wire& wire : wires())
    if (wire.id == id) return &wire;
  return invalid("there is no wire \"" + id + "\"", "wire", "There are " + wire_names());
}

const Wire* wire_of_message(Parts parts) {
  for (const Wire& wire : wires())
    if (wire.recognises(parts)) return &wire;
  return nullptr;
}

}  // namespace tl::stream
