// Cli: reports errors, chooses exit codes and handles signals for all subcommands.
#include "app/cli/common/cli.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/cli/common/history_row.h"
#include "core/base/printable.h"
#include "core/base/wording.h"

namespace tl::cli {
namespace {

// Read by the signal handler. Points to a static token, which is never destroyed, since main() ends with _Exit().
std::atomic<const CancelToken*> active_token{nullptr};

std::atomic<bool> reader_is_gone{false};

void on_signal(int number) {
  if (number == SIGPIPE) reader_is_gone = true;
  if (const CancelToken* token = active_token.load()) token->cancel();
}

// To every command.
void add_common_flags(CLI::App& app, Cli& cli) {
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    command
        ->add_option(
            "--threads", cli.threads,
            "Most threads of loops (default: the cores that this process may use); fewer while other programs leave "
            "fewer cores free")
        ->check(CLI::Range(1, 1024));
    command->add_flag("--no-history", cli.no_history, "Enter nothing into the history (tomoloom history)");
  }
}

}  // namespace

ExitCode exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid: return exit_invalid;
    case ErrorKind::io: return exit_file;
    case ErrorKind::unavailable:
    case ErrorKind::device: return exit_device;
    case ErrorKind::cancelled: return exit_cancelled;
    case ErrorKind::internal: return exit_bug;
  }
  return exit_bug;
}

void Cli::report(const Error& error) const {
  if (output_mode == OutputMode::json) {
    const Json line = {{"event", "error"},
                       {"kind", to_string(error.kind)},
                       {"what", wording_for(FrontEnd::command_line, error.what)},
                       {"where", wording_for(FrontEnd::command_line, error.where)},
                       {"hint", wording_for(FrontEnd::command_line, error.hint)},
                       {"exit", static_cast<int>(exit_code(error.kind))}};
    print_json(line);
  } else {
    say(stderr, "tomoloom: " + error.message());
  }
}

void add_commands(CLI::App& app, Cli& cli) {
  app.require_subcommand(1);
  for (const auto add :
       {add_reconstruct, add_run,       add_watch,   add_check,    add_diff,   add_history,    add_info,
        add_jobs,        add_join,      add_convert, add_learn,    add_live,   add_network,    add_nodes,
        add_prune,       add_templates, add_score,   add_simulate, add_stream, add_submit,     add_sweep,
        add_train,       add_translate, add_trust,   add_tune,     add_verify, add_first_light})
    add(app, cli);
  add_common_flags(app, cli);
}

Result<void> run_command(Cli& cli, const CLI::App& app) {
  TL_TRY(cli.files.check(app));
  return run_with_history(cli, app);
}

void say(std::FILE* to, const std::string& line) { std::fprintf(to, "%s\n", printable(line).c_str()); }

void warn_about_plugin_folders(const Cli& cli) {
  const char* folders = std::getenv("HDF5_PLUGIN_PATH");
  if (cli.output_mode != OutputMode::text || folders == nullptr || *folders == 0) return;
  say(stderr, "warning: HDF5 loads code for compressed scans from " + std::string(folders) +
                  ", because HDF5_PLUGIN_PATH names them");
}

void print_json(const Json& line) {
  std::printf("%s\n", line.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
  std::fflush(stdout);
}

void add_output_flags(CLI::App& app, Cli& cli) {
  auto* json = app.add_flag_callback(
      "--json", [&cli] { cli.output_mode = OutputMode::json; }, "Machine-readable: one JSON object a line");
  app.add_flag_callback(
         "--quiet", [&cli] { cli.output_mode = OutputMode::quiet; }, "Say nothing but errors")
      ->excludes(json);
}

bool output_is_written(const Cli& cli) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  if (reader_is_gone)
    cli.report(io_error("the program that reads the output has ended", "standard output",
                        "Let it read to the end, or write to a file"));
  else
    cli.report(io_error("the output could not be written", "standard output", "Is the disk full?"));
  return false;
}

std::set<std::string> given_options(const CLI::App& command) {
  std::set<std::string> names;
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 0)
      names.insert(option->get_positional() ? option->get_name() : "--" + option->get_lnames().front());
  return names;
}

Result<void> refuse_others(const std::set<std::string>& given, std::set<std::string> taken, const std::string& who) {
  taken.insert({"--json", "--quiet", "--threads", "--no-history"});
  for (const std::string& name : given) {
    if (taken.count(name) != 0) continue;
    std::string all;
    for (const std::string& one : taken) all += (all.empty() ? "" : ", ") + one;
    return invalid(who + " has no such option", name, "Leave it out; possible values: " + all);
  }
  return ok();
}

void cancel_on_signals(const CancelToken& token) {
  static const CancelToken stable_token = token;
  active_token = &stable_token;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESETHAND | SA_RESTART;  // a second signal then has its default effect: it ends the program
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
