// Derives hints from a few views and detector rows of a scan.
#pragma once

#include <string>
#include <vector>

#include "core/run/executor.h"
#include "core/run/hints/hint.h"

namespace tl {

// Active nodes without inputs that output projections.
std::vector<std::string> scans_of(const Graph& graph, const Registry& registry);

// The hints about the scan that the node `source` outputs, most harmful first; from three groups of three neighbouring
// views and, after flat-field and logarithm, from four rows of all views in the middle of the detector. A hint is given
// only if its evidence is clear: a scan without defects has none. Data that do not fit into memory are left out.
// Errors: those of reading the scan; cancelled.
Result<std::vector<Hint>> scan_hints(Executor& executor, const Registry& registry, const Graph& graph,
                                     const std::string& source);

// Hints about all scans of a graph, without those that the graph already follows. Errors: those of reading a scan;
// cancelled.
Result<std::vector<Hint>> unfollowed_scan_hints(Executor& executor, const Registry& registry, const Graph& graph);

// "Rings: stripes in ... . Rings, automatic removes... (node correct.stripe_automatic)".
std::string hint_text(const Hint& hint);

}  // namespace tl
