// Words of the command line.
#include "core/run/cluster/task_words.h"

#include <algorithm>
#include <utility>

namespace tl {
namespace {

// A task may replace outputs only if the submission may.
std::vector<std::string> with_consent(const TaskProgram& program, std::vector<std::string> words) {
  if (program.overwrite == io::Overwrite::replace) words.emplace_back("--overwrite");
  return words;
}

}  // namespace

std::vector<std::string> run_words(const TaskProgram& program, const std::filesystem::path& pipeline,
                                   const std::filesystem::path& out) {
  // The limit of the job holds for everything in the process.
  const int64_t megabytes = std::max<int64_t>(1, program.memory * 9 / 10 / 1'000'000);
  return with_consent(program, {program.program.string(), "run", pipeline.string(), "--out", out.string(),
                                "--max-memory", std::to_string(megabytes) + "MB"});
}

std::vector<std::string> scan_words(const TaskProgram& program, const ScanTask& scan,
                                    const std::filesystem::path& out) {
  std::vector<std::string> words = run_words(program, scan.pipeline, out / scan.name);
  words.insert(words.end(), {"--input", scan.scan.string()});
  for (const std::string& setting : scan.settings) words.insert(words.end(), {"--set", setting});
  return words;
}

std::vector<std::string> join_words(const TaskProgram& program, const std::filesystem::path& out) {
  return with_consent(program, {program.program.string(), "join", out.string()});
}

}  // namespace tl
