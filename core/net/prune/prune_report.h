// The report of a pruning as JSON: norm and fate of every edge.
#pragma once

#include <string>

#include "core/net/prune/prune.h"

namespace tl::net {

// {"kind": "pruning", "version": 1, "architecture" (of the first network), "method", "keep", "fine_tuned", "edges",
// "kept", "parameters": {"before", "after"}, "steps": [{"step", "asked", "kept", "pruned", "redundant", "paths",
// "whole_chains"}], "layers": [{"name", "prunable", "inputs": ["relu3:0", ...], "norms": [[...]], "fates": [["kept",
// "pruned 3", "redundant 4", ...]]}]}: matrices of [output channel][input channel]; the number in a fate is the
// step.
Result<std::string> report_text(const Network& before, const Pruned& pruned, const PruneOptions& options);

}  // namespace tl::net
