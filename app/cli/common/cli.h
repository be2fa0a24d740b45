// Cli: shared by all subcommands: output modes (text, JSON lines, quiet), exit codes, cancelling.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/cli/common/command_files.h"
#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/base/events.h"

namespace tl::history {
class Recorder;
}

namespace tl::cli {

using Json = nlohmann::ordered_json;

enum ExitCode : int {
  exit_done = 0,
  exit_invalid = 1,  // invalid input or pipeline
  exit_usage = 2,    // wrong command line
  exit_file = 3,     // a file cannot be read or written
  exit_device = 4,   // a device or feature is not available
  exit_cancelled = 5,
  exit_unresolved = 6,  // a value was found, but its verdict is not "resolved"
  exit_different = 7,   // two results were compared and differ
  exit_bug = 70,        // an internal error
};
ExitCode exit_code(ErrorKind kind);

enum class OutputMode { text, json, quiet };

// State of one invocation. Subcommands set `command`; main() runs it after parsing the command line.
struct Cli {
  OutputMode output_mode = OutputMode::text;
  CancelToken cancel;
  CommandFiles files;
  std::function<Result<void>(Cli&)> command;
  ExitCode code = exit_done;                         // exit code of a command that ended without an error
  int threads = 0;                                   // value of --threads, see limit_threads() (gpu/device/threads.h)
  bool no_history = false;                           // --no-history
  std::shared_ptr<const history::Recorder> history;  // nullptr: nothing is recorded
  std::vector<std::string> program_words;            // of a command that runs another program: all after "--"
  std::string pipeline;                              // the pipeline as the command line names it, for the history

  // Prints an error. Results go to standard output; progress, messages and errors to standard error. With --json all go
  // to standard output, one object per line.
  void report(const Error& error) const;
};

// Checks the files of the command that was parsed, then runs it.
Result<void> run_command(Cli& cli, const CLI::App& app);

// Whether all of standard output could be written. Writing errors may appear only at this final flush; reports one.
bool output_is_written(const Cli& cli);

// The options that the user gave to a command: "--rate", "DATA".
std::set<std::string> given_options(const CLI::App& command);
// Invalid if the user gave an option that is not in the set: no option is silently ignored. `who`: the command.
Result<void> refuse_others(const std::set<std::string>& given, std::set<std::string> taken, const std::string& who);

// Prints one line of text. Control characters, which names from files may contain, are escaped (core/base/printable.h).
void say(std::FILE* to, const std::string& line);

// Prints one line of JSON at once. Names from files may hold any bytes; those that are not UTF-8 are replaced.
void print_json(const Json& line);

// Warns on standard error if the environment sets folders from which the HDF5 library loads filter code.
void warn_about_plugin_folders(const Cli& cli);

// Adds --json and --quiet.
void add_output_flags(CLI::App& app, Cli& cli);

// Shows the progress of a run: a bar on a terminal, lines in a log file, JSON lines, or nothing.
class RunSink : public EventSink {
 public:
  // Number of elements computed so far, for the throughput. Called from the compute thread.
  std::function<double()> elements_done;
  // Called at the end of the run: removes the bar.
  virtual void end() {}
};
std::unique_ptr<RunSink> make_run_sink(const Cli& cli);

// Installs signal handlers that cancel the token, so that a run ends in order and leaves no partial files: for Ctrl+C
// and SIGTERM, a closed terminal (SIGHUP, unless started with nohup), SIGQUIT, a closed pipe (SIGPIPE) and the CPU time
// limit. A second Ctrl+C, SIGTERM or SIGQUIT ends the program at once. Call once.
void cancel_on_signals(const CancelToken& token);

// All subcommands.
void add_commands(CLI::App& app, Cli& cli);
// Add one subcommand each; each has its own file.
void add_check(CLI::App& app, Cli& cli);
void add_convert(CLI::App& app, Cli& cli);
void add_diff(CLI::App& app, Cli& cli);
void add_first_light(CLI::App& app, Cli& cli);
void add_history(CLI::App& app, Cli& cli);
void add_info(CLI::App& app, Cli& cli);
void add_jobs(CLI::App& app, Cli& cli);
void add_join(CLI::App& app, Cli& cli);
void add_learn(CLI::App& app, Cli& cli);
void add_live(CLI::App& app, Cli& cli);
void add_network(CLI::App& app, Cli& cli);
void add_nodes(CLI::App& app, Cli& cli);
void add_prune(CLI::App& app, Cli& cli);
void add_reconstruct(CLI::App& app, Cli& cli);
void add_run(CLI::App& app, Cli& cli);
void add_score(CLI::App& app, Cli& cli);
void add_simulate(CLI::App& app, Cli& cli);
void add_stream(CLI::App& app, Cli& cli);
void add_submit(CLI::App& app, Cli& cli);
void add_sweep(CLI::App& app, Cli& cli);
void add_templates(CLI::App& app, Cli& cli);
void add_train(CLI::App& app, Cli& cli);
void add_translate(CLI::App& app, Cli& cli);
void add_trust(CLI::App& app, Cli& cli);
void add_tune(CLI::App& app, Cli& cli);
void add_verify(CLI::App& app, Cli& cli);
void add_watch(CLI::App& app, Cli& cli);

}  // namespace tl::cli
