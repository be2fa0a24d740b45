// Exit codes, error reports and signals.
#include "app/cli/cli.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace tl::cli {
namespace {

// Read by the signal handler; the token outlives it because main never frees it.
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
  if (speech == Speech::json) {
    const nlohmann::ordered_json line = {{"event", "error"},   {"kind", to_string(error.kind)},
                                         {"what", error.what}, {"where", error.where},
                                         {"hint", error.hint}, {"exit", static_cast<int>(exit_code(error.kind))}};
    // Names of files may hold any bytes; a report must come out all the same.
    std::printf("%s\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
  } else {
    std::fprintf(stderr, "tomoloom: %s\n", error.message().c_str());
  }
}

void add_speech(CLI::App& app, Cli& cli) {
  auto* json = app.add_flag_callback(
      "--json", [&cli] { cli.speech = Speech::json; }, "Machine-readable: one JSON object a line");
  app.add_flag_callback(
         "--quiet", [&cli] { cli.speech = Speech::quiet; }, "Say nothing but errors")
      ->excludes(json);
}

void cancel_on_signals(const CancelToken& token) {
  static const CancelToken held = token;
  active_token = &held;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESETHAND | SA_RESTART;  // the second Ctrl+C has its usual effect
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A file-size limit must end a write with an error, which we report, not the program.
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace tl::cli
