// Words of the command line.
#include "core/run/cluster/task_words.h"

#include <algorithm>
#include <utility>

namespace tl {
namespace {

using Words = std::vector<std::string>;

// A command may replace outputs only if the user agreed.
Words with_consent(const TaskProgram& program, Words words) {
  if (program.overwrite == io::Overwrite::replace) words.emplace_back("--overwrite");
  return words;
}

// The limit of a job holds for everything in the process.
Words within_memory(const TaskProgram& program, Words words) {
  if (program.memory <= 0) return words;
  const int64_t megabytes = std::max<int64_t>(1, program.memory * 9 / 10 / 1'000'000);
  words.insert(words.end(), {"--max-memory", std::to_string(megabytes) + "MB"});
  return words;
}

}  // namespace

Words run_words(const TaskProgram& program, const std::filesystem::path& pipeline, const std::filesystem::path& out) {
  Words words = within_memory(program, {program.program.string(), "run", pipeline.string(), "--out", out.string()});
  if (program.outside == OutsideOutputs::write) words.emplace_back("--allow-outside");
  return with_consent(program, std::move(words));
}

Words scan_words(const TaskProgram& program, const ScanTask& scan, const std::filesystem::path& out) {
  Words words = run_words(program, scan.pipeline, out / scan.name);
  words.insert(words.end(), {"--input", scan.scan.string()});
  for (const std::string& setting : scan.settings) words.insert(words.end(), {"--set", setting});
  return words;
}

Words table_words(const TaskProgram& program, const std::filesystem::path& pipeline, const std::filesystem::path& table,
                  const std::filesystem::path& out) {
  Words words = run_words(program, pipeline, out);
  words.insert(words.end(), {"--inputs", table.string()});
  return words;
}

Words join_words(const TaskProgram& program, const std::filesystem::path& out) {
  return with_consent(program, {program.program.string(), "join", out.string()});
}

Words train_words(const TaskProgram& program, const std::filesystem::path& pipeline,
                  const std::filesystem::path& network, const std::filesystem::path& checkpoint,
                  const std::map<std::string, std::string>& plan) {
  Words words = within_memory(program, {program.program.string(), "train", pipeline.string(), "-o", network.string(),
                                        "--checkpoint", checkpoint.string(), "--resume"});
  for (const auto& [option, value] : plan) words.insert(words.end(), {"--" + option, value});
  return with_consent(program, std::move(words));
}

Words learn_words(const TaskProgram& program, const std::filesystem::path& pipeline,
                  const std::filesystem::path& found) {
  return within_memory(program, {program.program.string(), "learn", pipeline.string(), "-o", found.string()});
}

}  // namespace tl
