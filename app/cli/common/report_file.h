// The report of a run or of an entry of the history as an HTML file (core/history/report).
#pragma once

#include <string>

#include "app/cli/common/cli.h"
#include "core/graph/graph.h"
#include "core/history/entry.h"
#include "core/run/common/run_options.h"
#include "core/run/common/run_report.h"

namespace tl::cli {

// Invalid for a name that a report cannot have, so that the error comes before the run. "" asks for no report: valid.
Result<void> check_report_name(const std::string& file);

// Computes the slice before, too.
Result<void> write_report_file(const Cli& cli, const history::Entry& entry, const io::OutputRules& rules,
                               const std::string& file);
// Writes the report of a run that has ended, whether the history has a row of it or not.
Result<void> write_report_file(const Cli& cli, const Graph& graph, const RunOptions& options, const RunReport& run,
                               const std::string& file);

}  // namespace tl::cli
