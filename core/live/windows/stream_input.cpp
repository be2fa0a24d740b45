// Asks Arrivals, which knows arrays.
#include "core/live/windows/stream_input.h"

#include "core/live/windows/arrivals.h"

namespace tl::live {

Result<StreamInput> stream_input(const Graph& graph, const Registry& registry) {
  StreamInput input;
  TL_TRY(input.load_node, Arrivals::load_node(graph, registry));
  input.needs_flats = Arrivals::needs_flats(graph, registry);
  return input;
}

}  // namespace tl::live
