// Cli: reports errors, chooses exit codes and handles signals for all subcommands.
#include "app/cli/cli.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/printable.h"
#include "core/base/wording.h"

namespace tl::cli {
namespace {

// Read by the signal handler. Points to a static token, which is never destroyed, since main() ends with _Exit().
std::atomic<const CancelToken*> active_token{nullptr};

void on_signal(int) {
  if (const CancelToken* token = active_token.load()) token->cancel();
}

}  // namespace

ExitCode exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid:
      return exit_invalid;
    case ErrorKind::io:
      return exit_file;
    case ErrorKind::unavailable:
    case ErrorKind::device:
      return exit_device;
    case ErrorKind::cancelled:
      return exit_cancelled;
    case ErrorKind::internal:
      return exit_bug;
  }
  return exit_bug;
}

void Cli::report(const Error& error) const {
  if (output_mode == OutputMode::json) {
    const nlohmann::ordered_json line = {{"event", "error"},
                                         {"kind", to_string(error.kind)},
                                         {"what", wording_for(FrontEnd::command_line, error.what)},
                                         {"where", wording_for(FrontEnd::command_line, error.where)},
                                         {"hint", wording_for(FrontEnd::command_line, error.hint)},
                                         {"exit", static_cast<int>(exit_code(error.kind))}};
    // File names can contain any bytes; invalid UTF-8 must not prevent the report.
    std::printf("%s\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
  } else {
    say(stderr, "tomoloom: " + error.message());
  }
}

void say(std::FILE* to, const std::string& line) { std::fprintf(to, "%s\n", printable(line).c_str()); }

void warn_about_plugin_folders(const Cli& cli) {
  const char* folders = std::getenv("HDF5_PLUGIN_PATH");
  if (cli.output_mode != OutputMode::text || folders == nullptr || *folders == 0) return;
  say(stderr, "warning: HDF5 loads code for compressed scans from " + std::string(folders) +
                  ", because HDF5_PLUGIN_PATH says so");
}

void add_output_flags(CLI::App& app, Cli& cli) {
  auto* json = app.add_flag_callback(
      "--json", [&cli] { cli.output_mode = OutputMode::json; }, "Machine-readable: one JSON object a line");
  app.add_flag_callback(
         "--quiet", [&cli] { cli.output_mode = OutputMode::quiet; }, "Say nothing but errors")
      ->excludes(json);
}

void cancel_on_signals(const CancelToken& token) {
  static const CancelToken held = token;
  active_token = &held;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESETHAND | SA_RESTART;  // a second signal has its default effect
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT}) sigaction(signal, &action, nullptr);
  // These signals repeat while the run ends: at every write to a closed pipe, and every second beyond the CPU time
  // limit.
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGPIPE, SIGXCPU}) sigaction(signal, &action, nullptr);
  struct sigaction before = {};
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  // At a file-size limit, the write then fails with an error that is reported, instead of killing the program.
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace tl::cli
