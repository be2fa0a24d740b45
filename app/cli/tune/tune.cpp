// tomoloom tune: search spaces of programs that are tuned: optimisers replayed on them, their difficulty, their energy.
#include "app/cli/tune/tune.h"

namespace tl::cli {

void add_tune(CLI::App& app, Cli& cli) {
  CLI::App* sub = app.add_subcommand(
      "tune", "Search spaces of tuned programs: replay optimisers, difficulty, energy of clocks, conversion");
  sub->require_subcommand(1);
  for (const auto add :
       {add_tune_replay, add_tune_compete, add_tune_difficulty, add_tune_ridge, add_tune_front, add_tune_convert})
    add(*sub, cli);
}

}  // namespace tl::cli
