// Whether results lie beside their own record: a run that was killed while it replaced them, or a copy of one file
// without the other, may leave a record beside the result of another run.
#pragma once

#include <string>
#include <vector>

namespace tl {

// One sentence for each result that a record (OUT.json) names, that lies beside it and has another fingerprint than the
// record says. Results that are gone are no lie; of files that are no record nothing is said.
std::vector<std::string> results_of_other_runs(const std::string& record);

}  // namespace tl
