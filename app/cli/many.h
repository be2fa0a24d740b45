// Shared by `run --inputs` and `watch`: reports and exit code of a run over many scans.
#pragma once

#include "app/cli/common/cli.h"
#include "core/run/many/many_scans.h"

namespace tl::cli {

// Counts of one run over many scans.
struct ManyCounts {
  int64_t done = 0, failed = 0, done_before = 0;
  std::string last;  // name of the folder with the results of the last scan
};

// Runs a scan, ends the sink and prints a line: "3 of 10: bone_3: done in 12 s, axis.axis [px] = -23.6", where `place`
// is "3 of 10". Errors: those of ManyScans::run().
Result<void> run_and_count(ManyScans& runs, const ScanTask& task, const std::string& place, const Cli& cli,
                           RunSink& sink, ManyCounts& counts);

// Prints how many scans succeeded or failed, and the table's path; sets cli.code to exit_invalid if a scan failed.
void print_sum(const ManyScans& runs, const ManyCounts& counts, Cli& cli);

}  // namespace tl::cli
