// Command lines of tomoloom: for the tasks of a submission, and for work that continues after a window is
// closed.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/io/output/output_rules.h"
#include "core/run/many/scan_list.h"

namespace tl {

enum class OutsideOutputs { refuse, write };

// Options that the commands have in common.
struct TaskProgram {
  std::filesystem::path program;  // path of tomoloom on the machine that runs it
  int64_t memory = 0;             // [bytes] memory of the whole process; 0: the program's default
  io::Overwrite overwrite = io::Overwrite::refuse;
  OutsideOutputs outside = OutsideOutputs::refuse;  // outputs that the pipeline places outside the folder
};

// `tomoloom run PIPELINE --out OUT` with the memory limit.
std::vector<std::string> run_words(const TaskProgram& program, const std::filesystem::path& pipeline,
                                   const std::filesystem::path& out);
// The command for a scan with its pipeline and settings; results go to OUT/NAME.
std::vector<std::string> scan_words(const TaskProgram& program, const ScanTask& scan, const std::filesystem::path& out);
// The command for the scans of a table (CSV); `pipeline` is for rows without one.
std::vector<std::string> table_words(const TaskProgram& program, const std::filesystem::path& pipeline,
                                     const std::filesystem::path& table, const std::filesystem::path& out);
// `tomoloom join OUT`.
std::vector<std::string> join_words(const TaskProgram& program, const std::filesystem::path& out);
// `tomoloom learn PIPELINE -o FOUND` with the memory limit. `plan`: train::words_of_plan(). A training continues from
// `checkpoint` if that exists.
std::vector<std::string> train_words(const TaskProgram& program, const std::filesystem::path& pipeline,
                                     const std::filesystem::path& network, const std::filesystem::path& checkpoint,
                                     const std::map<std::string, std::string>& plan);
std::vector<std::string> learn_words(const TaskProgram& program, const std::filesystem::path& pipeline,
                                     const std::filesystem::path& found);

}  // namespace tl
