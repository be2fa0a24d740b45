// Runs another program and collects its output.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"

namespace tl {

struct CommandOutput {
  int code = 0;  // exit code; 128 plus the signal number if a signal ended it
  std::string out, err;
};

// Starts `words[0]`, searched in PATH, with the other words as arguments (no shell), and waits for its end. At most 64
// MiB of each output are kept. Unavailable if there is no such program; io if it cannot be started.
Result<CommandOutput> run_command(const std::vector<std::string>& words);

}  // namespace tl
