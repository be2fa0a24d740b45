// Looks for hints in a few views and detector rows of a scan.
#pragma once

#include <string>
#include <vector>

#include "core/run/executor.h"
#include "core/run/hints/hint.h"

namespace tl {

// Active nodes without inputs that give projections.
std::vector<std::string> scans_of(const Graph& graph, const Registry& registry);

// The hints about the scan that the node `source` of the graph gives, most harmful first; found in three groups of
// three neighbouring views and, after flat-field and logarithm, in four rows of all views in the middle of the
// detector. A hint appears only where its evidence is clear: a scan without defects has none. What does not fit in
// memory is left out. Errors: those of reading the scan; cancelled.
Result<std::vector<Hint>> scan_hints(Executor& executor, const Registry& registry, const Graph& graph,
                                     const std::string& source);

// The hints about all scans of a graph that it does not follow. Errors: those of reading a scan; cancelled.
Result<std::vector<Hint>> unfollowed_scan_hints(Executor& executor, const Registry& registry, const Graph& graph);

// "Rings: stripes in ... . Rings, automatic removes... (node correct.stripe_automatic)".
std::string hint_text(const Hint& hint);

}  // namespace tl
