// What all subcommands share: how to speak (text, JSON lines, silence), how to end (exit codes), how to be cancelled.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>

#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/base/events.h"

namespace tl::cli {

enum ExitCode : int {
  exit_done = 0,
  exit_invalid = 1,  // the input or the pipeline is wrong
  exit_usage = 2,    // the command line is wrong
  exit_file = 3,     // a file cannot be read or written
  exit_device = 4,   // a device or feature is not there
  exit_cancelled = 5,
  exit_unresolved = 6,  // something was found, but its verdict is not "resolved"
  exit_bug = 70,        // our fault
};
ExitCode exit_code(ErrorKind kind);

enum class Speech { text, json, quiet };

// The state of one invocation. Subcommands set `command`; main runs it once the command line is read.
struct Cli {
  Speech speech = Speech::text;
  CancelToken cancel;
  std::function<Result<void>(Cli&)> command;
  ExitCode code = exit_done;  // of a command that ends without an error

  // Results go to standard output; progress, messages and errors to standard error (with --json all to standard output,
  // one object a line).
  void report(const Error& error) const;
};

// One line for people. What files put into names and texts appears escaped (core/base/printable.h).
void say(std::FILE* to, const std::string& line);

// Warns on standard error where the environment names folders from which the HDF5 library loads code (filters).
void tell_plugin_folders(const Cli& cli);

// Adds --json and --quiet.
void add_speech(CLI::App& app, Cli& cli);

// Shows a run: a progress bar on a terminal, lines in a log file, JSON lines, or nothing.
class RunSink : public EventSink {
 public:
  // Elements computed so far, for the throughput. Called from the compute thread.
  std::function<double()> elements_done;
  // The run is over: the bar goes away.
  virtual void end() {}
};
std::unique_ptr<RunSink> make_sink(const Cli& cli);

// Signals that ask a program to end cancel the token, so that a run ends in order and leaves nothing half done: Ctrl+C
// and SIGTERM, a closed terminal (unless started with nohup), SIGQUIT, a reader that went away, the limit of processor
// time. A second Ctrl+C, SIGTERM or SIGQUIT ends the program at once. Call once.
void cancel_on_signals(const CancelToken& token);

// One function per subcommand, each in its own file.
void add_check(CLI::App& app, Cli& cli);
void add_first_light(CLI::App& app, Cli& cli);
void add_info(CLI::App& app, Cli& cli);
void add_learn(CLI::App& app, Cli& cli);
void add_nodes(CLI::App& app, Cli& cli);
void add_reconstruct(CLI::App& app, Cli& cli);
void add_run(CLI::App& app, Cli& cli);
void add_simulate(CLI::App& app, Cli& cli);
void add_sweep(CLI::App& app, Cli& cli);
void add_templates(CLI::App& app, Cli& cli);
void add_verify(CLI::App& app, Cli& cli);

}  // namespace tl::cli
