// The commands that the tasks of a submission run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/io/output/output_rules.h"
#include "core/run/many/scan_list.h"

namespace tl {

// What all tasks of a submission have in common.
struct TaskProgram {
  std::filesystem::path program;  // tomoloom, as the machines of the cluster find it
  int64_t memory = 0;             // bytes of the job
  io::Overwrite overwrite = io::Overwrite::refuse;
};

// `tomoloom run PIPELINE --out OUT` within the memory of the job.
std::vector<std::string> run_words(const TaskProgram& program, const std::filesystem::path& pipeline,
                                   const std::filesystem::path& out);
// The same for a scan with its pipeline and settings; results go to OUT/NAME.
std::vector<std::string> scan_words(const TaskProgram& program, const ScanTask& scan, const std::filesystem::path& out);
// `tomoloom join OUT`.
std::vector<std::string> join_words(const TaskProgram& program, const std::filesystem::path& out);

}  // namespace tl
