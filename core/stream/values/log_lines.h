// Log lines: numbers measured by other programs during a scan, as lines of JSON.
#pragma once

#include "core/stream/wires/wire.h"

namespace tl::stream {

// Messages consist of lines {"time":1700000000.5,"name":"load","value":5.2,"unit":"N"}; `time` (s since 1970) and
// `unit` are optional, and a message may have many lines. Damaged lines are counted, and lines around them are used.
// The wire is not in the list of wires: no detector sends it, and a Receiver uses it only on request.
const Wire& log_wire();

}  // namespace tl::stream
