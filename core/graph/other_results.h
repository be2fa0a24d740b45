// Detects results that do not belong to the record next to them: a run that was killed while it replaced them, or a
// copy of only one of the files, may leave a record next to the result of another run.
#pragma once

#include <string>
#include <vector>

namespace tl {

// One sentence for each result named in a record (OUT.json) whose fingerprint differs from that in the record. Missing
// results are ignored; empty for files that are not records.
std::vector<std::string> results_of_other_runs(const std::string& record);

}  // namespace tl
