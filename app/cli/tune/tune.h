// The commands within `tomoloom tune`; each adds its options to the command that it is given.
#pragma once

#include "app/cli/common/cli.h"

namespace tl::cli {

// curves.cpp
void add_tune_replay(CLI::App& tune, Cli& cli);
void add_tune_compete(CLI::App& tune, Cli& cli);
// spaces.cpp
void add_tune_difficulty(CLI::App& tune, Cli& cli);
void add_tune_convert(CLI::App& tune, Cli& cli);
// energy.cpp
void add_tune_ridge(CLI::App& tune, Cli& cli);
void add_tune_front(CLI::App& tune, Cli& cli);
// program.cpp
void add_tune_program(CLI::App& tune, Cli& cli);
// machine.cpp
void add_tune_observe(CLI::App& tune, Cli& cli);
void add_tune_fft(CLI::App& tune, Cli& cli);

}  // namespace tl::cli
