// Nodes' values as text and plain numbers for display: sizes, units, found values.
#pragma once

#include <map>
#include <string>

#include "core/live/engine.h"
#include "core/node/node_run.h"

namespace tl::live {

// Scalars of a measurement as text with uncertainty and unit: "axis" -> "-23.67 ± 0.01 px".
std::map<std::string, std::string> found_texts(const Findings& findings);
// The worst verdict among the scalars.
Verdict verdict_of(const Findings& findings);
// A scalar, table or spectrum as plain columns; empty for pixel data.
std::vector<PlainColumn> plain_columns(const std::string& name, const Value& value);

}  // namespace tl::live
