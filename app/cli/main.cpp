// tomoloom: the command line. Wiring only: reads the arguments, runs one subcommand, turns its result into an exit
// code.
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "app/cli/cli.h"
#include "core/run/provenance.h"
#include "gpu/device.h"

namespace {

using namespace tl::cli;

tl::Result<void> run_command(Cli& cli) {
  try {
    return cli.command(cli);
  } catch (const tl::Failure& failure) {
    return failure.error();
  } catch (const std::bad_alloc&) {
    return tl::unavailable("out of memory", "tomoloom", "Use --max-memory, or a smaller region");
  } catch (const std::exception& error) {
    return tl::Error{tl::ErrorKind::internal, error.what(), "tomoloom", "This is our bug; please report it"};
  }
}

int run_program(int argc, char** argv) {
  std::setlocale(LC_ALL, "C");
  Cli cli;
  CLI::App app("Tomoloom: X-ray CT pipelines", "tomoloom");
  app.set_version_flag("--version", "tomoloom " + tl::version());
  app.require_subcommand(1);
  add_reconstruct(app, cli);
  add_run(app, cli);
  add_check(app, cli);
  add_info(app, cli);
  add_learn(app, cli);
  add_nodes(app, cli);
  add_templates(app, cli);
  add_simulate(app, cli);
  add_sweep(app, cli);
  add_verify(app, cli);
  add_first_light(app, cli);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_done : exit_usage;
  }

  cancel_on_signals(cli.cancel);
  const tl::Result<void> result = run_command(cli);
  if (!result.ok()) cli.report(result.error());
  // A full disk shows itself only when the last of the output is flushed.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    cli.report(tl::io_error("the output could not be written", "standard output", "Is the disk full?"));
    return exit_file;
  }
  return result.ok() ? cli.code : exit_code(result.error().kind);
}

}  // namespace

int main(int argc, char** argv) {
  tl::init_devices();
  int code = exit_bug;
  try {
    code = run_program(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tomoloom: %s\n", error.what());
  }
  // Every file is closed and every text flushed by now. Taking LibTorch apart would cost a tenth of a second, which
  // whoever pressed Ctrl+C would wait for.
  std::fflush(nullptr);
  std::_Exit(code);
}
