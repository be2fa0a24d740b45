// CommandFiles: every file that the options of a command name, what it reads and what it makes, checked before it runs.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/output/output_rules.h"

namespace tl::cli {

// How an input is read. A table of classes that lies next to it belongs to it in either case.
enum class InputKind {
  file,    // itself; a folder with the files in it
  volume,  // with the files that hold its voxels; a folder with all that lies in it
};

// What a command does with an output that exists.
enum class Existing {
  refused,            // unless --overwrite is given
  judged_by_command,  // which may go on with what a killed run of it left
};

enum class OutputForm { file, file_or_folder };

// The files that a command makes for the name that was given. May look at other options, which have their values then.
using OutputNames = std::function<std::vector<std::filesystem::path>(const std::filesystem::path&)>;
// NAME with each of these endings; "" stands for NAME itself.
OutputNames with_endings(std::vector<std::string> endings);

struct OutputUse {
  OutputNames names = with_endings({""});
  Existing existing = Existing::refused;
  OutputForm form = OutputForm::file;
};

// Each command declares its options that name files here, where it adds them; outputs_and_inputs (tests/app) walks all
// options of all commands and fails for one that is not declared. What a pipeline reads and writes besides is known to
// the pipeline alone: inputs_of(), run_batch().
class CommandFiles {
 public:
  enum class Use { none, input, output, output_folder };

  // All of them return the option, which may be declared again for further files that it stands for. An input that is
  // not a file (the name of a bundled pipeline, of a network) is ignored.
  CLI::Option* reads(CLI::Option* option, InputKind kind = InputKind::file);
  CLI::Option* writes(CLI::Option* option, OutputUse use = {});
  // A folder for outputs whose names the command does not know before it runs.
  CLI::Option* writes_into(CLI::Option* option);

  [[nodiscard]] Use use_of(const CLI::Option* option) const;
  // Whether it is an input that is read as a volume.
  [[nodiscard]] bool reads_volume(const CLI::Option* option) const;
  // Of an output: the files that are made for a name.
  [[nodiscard]] std::vector<std::filesystem::path> outputs_of(const CLI::Option* option,
                                                              const std::filesystem::path& name) const;

  // Call it after parsing and before the command runs. An error if an output is an input, would be read as a part of
  // one, is another output of the same command, exists already, or cannot be written where it shall lie: by any name
  // that leads to it.
  Result<void> check(const CLI::App& app);

  // After check(): what the options name as inputs, and the rules of all outputs of this command. `more` are inputs
  // that no option names.
  [[nodiscard]] const io::ProtectedFiles& inputs() const { return inputs_; }
  [[nodiscard]] io::OutputRules rules(io::ProtectedFiles more = {}) const;

 private:
  struct Declared {
    const CLI::Option* option;
    Use use;
    InputKind kind = InputKind::file;
    OutputUse output = {};
  };
  void add_inputs(const Declared& declared);

  std::vector<Declared> declared_;
  io::ProtectedFiles inputs_;
  io::Overwrite overwrite_ = io::Overwrite::refuse;
};

}  // namespace tl::cli
