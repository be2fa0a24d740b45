// Log lines: numbers that other programs measure during a scan, as lines of JSON.
#pragma once

#include "core/stream/wires/wire.h"

namespace tl::stream {

// Lines of messages {"time":1700000000.5,"name":"load","value":5.2,"unit":"N"}; `time` (s since 1970) and `unit` may be
// left out, and a message may have many lines. A line that is damaged is counted, and those around it are taken. It is
// not in the list of wires: no detector sends it, and a Receiver has it only where it is asked for.
const Wire& log_wire();

}  // namespace tl::stream
