// tomoloom: the command line program. Parses the arguments, runs one subcommand and returns its exit code.
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "app/cli/common/cli.h"
#include "app/cli/common/history_row.h"
#include "core/base/memory_reserve.h"
#include "core/io/process/reader_service.h"
#include "core/run/common/caught_error.h"
#include "core/run/record/provenance.h"
#include "gpu/device/device.h"
#include "gpu/device/threads.h"

namespace {

using namespace tl::cli;

tl::Result<void> run_safely(Cli& cli, const CLI::App& app) {
  try {
    return run_command(cli, app);
  } catch (...) {
    tl::Error error = tl::caught_error();
    if (error.where.empty()) error.where = "tomoloom";
    return error;
  }
}

// The name of an option with an empty value, or "". Empty values are refused: an empty path would mean the current
// folder.
std::string empty_option(const CLI::App& app) {
  for (const CLI::App* sub : app.get_subcommands()) {
    for (const CLI::Option* option : sub->get_options())
      for (const std::string& text : option->results())
        if (text.empty()) return option->get_name();
    if (const std::string within = empty_option(*sub); !within.empty()) return within;
  }
  return {};
}

// Takes the words after "--" off a command line whose command runs another program: CLI11 would divide "[1,2]", and
// empty words are refused elsewhere.
std::vector<std::string> take_program_words(int& argc, char** argv) {
  constexpr int first_after_command = 3;
  if (argc <= first_after_command || std::string(argv[1]) != "tune" || std::string(argv[2]) != "program") return {};
  for (int i = first_after_command; i < argc; ++i) {
    if (std::string(argv[i]) != "--") continue;
    std::vector<std::string> words(argv + i + 1, argv + argc);
    argc = i;
    return words;
  }
  return {};
}

void report_threads(const Cli& cli) {
  const tl::ThreadsUsed used = tl::threads_used();
  if (used.fewest < used.limit && cli.output_mode == OutputMode::text) say(stderr, tl::to_text(used));
}

int run_program(int argc, char** argv) {
  std::setlocale(LC_ALL, "C");
  Cli cli;
  cli.history = command_line_recorder(cli);
  cancel_on_signals(cli.cancel);  // first, so that a signal during parsing also cancels the command
  CLI::App app("Tomoloom: X-ray CT pipelines", "tomoloom");
  app.set_version_flag("--version", "tomoloom " + tl::version());
  add_commands(app, cli);
  cli.program_words = take_program_words(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked_for = app.exit(error) == 0;  // --help, --version
    std::cout.flush();
    if (!output_is_written(cli) || !std::cout) return exit_file;
    return asked_for ? exit_done : exit_usage;
  }

  if (const std::string name = empty_option(app); !name.empty()) {
    cli.report(tl::invalid("the value is empty", name, "Give one, or leave it out"));
    return exit_usage;
  }
  tl::limit_threads(cli.threads);
  const tl::Result<void> result = run_safely(cli, app);
  report_threads(cli);
  if (!result.ok()) cli.report(result.error());
  if (!output_is_written(cli)) return exit_file;
  return result.ok() ? cli.code : exit_code(result.error().kind);
}

}  // namespace

int main(int argc, char** argv) {
  int code = exit_bug;
  try {
    tl::keep_memory_reserve();
    tl::io::start_reader_service();
    tl::init_devices();
    code = run_program(argc, argv);
  } catch (const std::bad_alloc&) {
    // Thrown before a command ran, or while its error was being printed.
    std::fputs("tomoloom: out of memory. Use --max-memory, or a smaller region\n", stderr);
    code = exit_device;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tomoloom: %s\n", error.what());
  }
  // All files are closed by now. Exits without destructors, since destroying LibTorch takes 0.1 s, during which Ctrl+C
  // would seem to have no effect.
  std::fflush(nullptr);
  std::_Exit(code);
}
