// CommandFiles: the input and output files that the options of a command name, checked before the command runs.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/output/output_rules.h"

namespace tl::cli {

// How an input is read. A table of classes that lies next to an input belongs to it, for every kind.
enum class InputKind {
  file,    // the file itself; for a folder, the files in it
  volume,  // the header and the files of its voxels; for a folder, everything in it
};

// How a command treats an existing output.
enum class Existing {
  refused,            // unless --overwrite is given
  judged_by_command,  // the command decides: it may resume from the files of a killed run
};

enum class OutputForm { file, file_or_folder };

// The files that a command makes for a given output name. The function may read other options, which are set by then.
using OutputNames = std::function<std::vector<std::filesystem::path>(const std::filesystem::path&)>;
// NAME with each of these endings; "" means NAME itself.
OutputNames with_endings(std::vector<std::string> endings);

struct OutputUse {
  OutputNames names = with_endings({""});
  Existing existing = Existing::refused;
  OutputForm form = OutputForm::file;
};

// Each command declares here its options that name files, where it adds them; outputs_and_inputs (tests/app) checks all
// options of all commands and fails for one that is not declared. Files of a pipeline's own nodes are not options:
// inputs_of() and run_batch() check those.
class CommandFiles {
 public:
  enum class Use { none, input, output, output_folder };

  // All of these return the option; calling several declares it for several kinds of files. An input that is not a file
  // (the name of a bundled pipeline or of a network) is ignored.
  CLI::Option* reads(CLI::Option* option, InputKind kind = InputKind::file);
  CLI::Option* writes(CLI::Option* option, OutputUse use = {});
  // A folder for outputs whose names the command does not know before it runs.
  CLI::Option* writes_into(CLI::Option* option);

  [[nodiscard]] Use use_of(const CLI::Option* option) const;
  // Whether the option is an input that is read as a volume.
  [[nodiscard]] bool reads_volume(const CLI::Option* option) const;
  // The files that are made for the name in an output option.
  [[nodiscard]] std::vector<std::filesystem::path> outputs_of(const CLI::Option* option,
                                                              const std::filesystem::path& name) const;

  // Call after parsing and before the command runs. An error if an output is an input, would be read as a part of an
  // input, equals another output of this command, exists already, or cannot be written in its folder; links and other
  // spellings of a path are resolved.
  Result<void> check(const CLI::App& app);

  // After check(): the inputs that the options name, and the rules for all outputs of this command. `more` are inputs
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
