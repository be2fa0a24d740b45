// tomoloom tune: programs that are tuned, their search spaces, and what this machine takes in time and energy.
#include "app/cli/tune/tune.h"

namespace tl::cli {

void add_tune(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand(
      "tune", "Tune programs; search spaces of tuned programs; energy and Fourier transforms of this machine");
  sub->require_subcommand(1);
  for (const auto add : {add_tune_program, add_tune_observe, add_tune_fft, add_tune_replay, add_tune_compete,
                         add_tune_difficulty, add_tune_ridge, add_tune_front, add_tune_convert})
    add(*sub, cli);
}

}  // namespace tl::cli
